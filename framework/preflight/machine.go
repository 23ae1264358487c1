package preflight

import "fmt"

// Facts are what a machine has, for the provider that runs a control plane on it.
// Zero numbers are unknown.
type Facts struct {
	OS   string
	CPUs int
	// MemoryBytes is all memory; FreeBytes is what may be written to Folder,
	// where clusters live.
	MemoryBytes, FreeBytes int64
	Folder                 string
	// Built says that the control plane need not be compiled; BuildStatus is that
	// in words, and BuildError is why it cannot be found out (no Go, no sources).
	Built       bool
	BuildStatus string
	BuildError  error
	// LeftBehind counts clusters whose owner has died.
	LeftBehind int
}

// What a run needs: two hollow nodes and a control plane reside in 600 MB and
// write some 100 MB; compiling peaks at 3.3 GB of memory and keeps 4 GB of files.
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
	switch {
	case f.BuildError != nil:
		l.add(Fail, "control plane", "run it in a checkout of podburst, with Go on PATH", "%v", f.BuildError)
	case f.Built:
		l.add(OK, "control plane", "", "%s", f.BuildStatus)
	default:
		l.add(Warn, "control plane", "podburst controlplane build", "%s", f.BuildStatus)
	}
	status := OK
	if f.CPUs < leastCPUs {
		status = Warn
	}
	l.add(status, "processors", adviceOtherPlace, "%d", f.CPUs)
	need := int64(memoryToRun)
	if !f.Built {
		need = memoryToCompile
	}
	l.enough("memory", f.MemoryBytes, need)
	l.enough("space in "+f.Folder, f.FreeBytes, spaceToRun)
	if f.LeftBehind > 0 {
		l.add(Warn, "left behind", "podburst clusters clean", "%d clusters of runs that were killed", f.LeftBehind)
	}
	return l.checks
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
