// Package load says what is sent to a cluster and which pods come of it: a Job of N
// pods (Job), or pods that others send (Observe).
//
// A Load submits its objects, says which pods belong to it and when it has ended, and
// removes what it created. It knows nothing of statistics or clocks. framework/burst
// runs it, and framework/recording stores its description (recording.Workload), from
// which reports take their words. A new kind of load is one new file here.
package load
