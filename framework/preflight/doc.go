// Package preflight says before a run whether a cluster can be measured and how much
// of it: rights, room, clocks, versions, readable metrics, and whether admission
// changes the pods. It only looks: all it creates is a namespace of its own, which it
// removes, and dry runs.
//
// It is not a conformance test. What it finds can change before the run begins, and
// each burst is still judged by itself (framework/validity).
package preflight
