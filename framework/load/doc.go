// Package load says what is sent to a cluster and which pods come of it: a Job of N
// pods (Job), or the pods that others send (Observe).
//
// A Load submits its objects, says which pods are its own and when it has come to its
// end, and removes what it made. It knows no statistics and no clock; framework/burst
// runs it and framework/recording keeps what it says of itself (recording.Workload), so
// that reports take their words from there. A new kind of load is one file here.
package load
