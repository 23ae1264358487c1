// Package preflight says before a run whether a cluster can be measured and what
// of it: rights, room, clocks, versions, readable metrics, and whether admission
// changes the pods. It looks; the only things it makes are a namespace of its own,
// which it removes, and dry runs.
//
// It is not a conformance test. What it finds can change before the run begins,
// and a burst still judges itself (framework/validity).
package preflight
