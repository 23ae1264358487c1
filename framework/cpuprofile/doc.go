// Package cpuprofile reads CPU profiles of components: pprof files, as Go programs serve
// them at /debug/pprof/profile. It joins those of consecutive stretches of time into one,
// and says which functions and packages used the processor.
//
// A profile is a sample: a hundred times in a second of processor time it notes what code
// runs. Less than a few samples say nothing. Profiling itself takes some percent of the
// processor, which is why a profiled burst is never compared with any other.
//
// The files come from processes that podburst does not control, so sizes are bounded and
// everything in them is data.
package cpuprofile
