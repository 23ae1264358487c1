// Package gate decides whether head is slower than base.
//
// Its opinion: the burst is the sample, not the pod. Pods of one burst wait for each
// other in the same queues, so a hundred of them know little more than one, and a test
// over pods finds a difference between a cluster and itself four times in ten. Bursts are
// taken in blocks of one burst of each arm, so that what a machine does over minutes
// meets both arms alike, and a block's sample is the logarithm of head over base.
//
// The estimate is Hodges and Lehmann's (Annals of Mathematical Statistics 34, 1963), its
// bounds and p-values come from the exact distribution of Wilcoxon's signed rank
// (Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, §3.1 to 3.3): no
// distribution is assumed but that a block's log ratio is as often above its center as
// below, which the random order within a block provides. Endpoints share the risk of a
// false alarm by Holm's method (Scandinavian Journal of Statistics 6, 1979), and looks by
// fixed parts. docs/statistics.md has the reasons and what the design was measured to do.
//
// Judging is a pure function of seconds. Whether a burst may be used at all is
// framework/validity's question, and how slow is too slow framework/slo's.
package gate
