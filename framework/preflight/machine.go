package preflight

import (
	"fmt"

	"github.com/podburst/podburst/clusters"
)

// Facts describe a machine, for the provider that runs a control plane on it. Zero
// numbers are unknown.
type Facts struct {
	OS   string
	CPUs int
	// MemoryBytes is all memory; FreeBytes is how much can be written to Folder,
	// where clusters live.
	MemoryBytes, FreeBytes int64
	Folder                 string
	// Ready is what the provider itself checks: compiling the control plane first
	// takes more memory.
	Ready clusters.Readiness
	// LeftBehind counts clusters whose owner has died.
	LeftBehind int
}

// What a run needs. Two hollow nodes and a control plane take 600 MB of memory and
// write about 100 MB; compiling peaks at 3.3 GB of memory and keeps 4 GB of files.
const (
	leastCPUs        = 2
	memoryToRun      = 2 << 30
	memoryToCompile  = 4 << 30
	spaceToRun       = 1 << 30
	gibibyte         = 1 << 30
	adviceOtherPlace = "use a larger machine, or PROVIDER=existing"
)

// Machine judges the facts.
func Machine(f Facts) []Check {
	l := &listing{}
	if f.OS != "linux" {
		l.add(Fail, "system", "use Linux, or PROVIDER=existing", "%s: the embedded provider needs Linux", f.OS)
		return l.checks
	}
	l.add(OK, "system", "", "%s", f.OS)
	l.checks = append(l.checks, Readiness(f.Ready))
	status := OK
	if f.CPUs < leastCPUs {
		status = Warn
	}
	l.add(status, "processors", adviceOtherPlace, "%d", f.CPUs)
	need := int64(memoryToRun)
	if !f.Ready.Ready {
		need = memoryToCompile
	}
	l.enough("memory", f.MemoryBytes, need)
	l.enough("space in "+f.Folder, f.FreeBytes, spaceToRun)
	if f.LeftBehind > 0 {
		l.add(Warn, "left behind", "podburst clusters clean", "%d clusters of runs that were killed", f.LeftBehind)
	}
	return l.checks
}

// Readiness judges what a provider checked before anything is started.
func Readiness(r clusters.Readiness) Check {
	switch {
	case r.Err != nil:
		return Check{Fail, r.Subject, r.Err.Error(), r.Advice}
	case !r.Ready:
		return Check{Warn, r.Subject, r.Detail, r.Advice}
	}
	return Check{Status: OK, Name: r.Subject, Detail: r.Detail}
}

func (l *listing) enough(name string, has, need int64) {
	detail := fmt.Sprintf("%.1f GiB", float64(has)/gibibyte)
	switch {
	case has == 0:
		l.add(Warn, name, "", "not known")
	case has < need:
		l.add(Fail, name, adviceOtherPlace, "%s, and %.1f GiB are needed", detail, float64(need)/gibibyte)
	default:
		l.add(OK, name, "", "%s", detail)
	}
}
