// Package usage samples what each component takes of the machine while a burst runs:
// processor time, time spent waiting for a processor, memory. It reads the kernel's
// counters and asks no component, so that looking costs the cluster nothing. From the
// samples of a recording it says what was used in a window (Within) and by whom
// (Summarize), and from the audit log who wrote how much (Paces).
//
// The idea is the USE method (Gregg): of a resource, look at utilization and at
// saturation. Utilization is processor time; saturation is run-queue wait, from
// /proc/<pid>/task/*/schedstat and PSI (/proc/pressure/cpu).
//
// Only processes on the observer's own machine can be sampled. Which ones make up a
// component is the provider's to say (clusters.Accountant). Without samples, metrics from
// before and after the burst are a bound; without those, nothing is known.
package usage
