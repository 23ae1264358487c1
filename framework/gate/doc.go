// Package gate decides whether head is slower than base.
//
// The burst is the sample, not the pod. Pods of one burst wait for each other in the same
// queues, so a hundred of them tell little more than one, and a test over pods finds a
// difference between a cluster and itself four times in ten. Bursts are taken in blocks,
// each with one burst of each arm, so that a slow change of the machine affects both arms
// alike. A block's sample is the logarithm of head over base.
//
// The estimate is Hodges and Lehmann's (Annals of Mathematical Statistics 34, 1963). Its
// bounds and p-values come from the exact distribution of Wilcoxon's signed rank
// (Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, §3.1 to 3.3). The only
// assumption is that a block's log ratio is symmetric about its center, which the random
// order within a block provides. Endpoints share the risk of a false alarm by Holm's method
// (Scandinavian Journal of Statistics 6, 1979), and looks share it in fixed parts.
// docs/statistics.md explains the design and how it was measured.
//
// Judging is a pure function of seconds. framework/validity decides whether a burst may be
// used at all, and framework/slo how slow is too slow.
package gate
