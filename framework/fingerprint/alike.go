package fingerprint

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// ErrUnlike says that two results come from different environments, so a difference
// between them could be due to the machines.
var ErrUnlike = errors.New("results of unlike environments cannot be compared")

// Origin is where a result comes from.
type Origin struct {
	// Provider is the cluster provider's name ("embedded", "kind", "existing").
	Provider    string
	Environment Environment
	// Images are those of the run's clusters (ImagesOf); nil if they are not known.
	Images Images
}

// CheckAlike refuses to compare results of unlike origins, unless forced; the error
// wraps ErrUnlike and names the differences.
func CheckAlike(a, b Origin, force bool) error {
	var differ []string
	if a.Provider != b.Provider {
		differ = append(differ, fmt.Sprintf("provider: %s and %s", orUnknown(a.Provider), orUnknown(b.Provider)))
	}
	differ = append(differ, Differences(a.Environment, b.Environment)...)
	differ = append(differ, a.Images.differences(b.Images)...)
	if len(differ) == 0 || force {
		return nil
	}
	return fmt.Errorf("%w (force it if you must): %s", ErrUnlike, strings.Join(differ, "; "))
}

// memoryTolerance is the share by which machines of the same size may differ, because
// their kernels reserve different amounts.
const memoryTolerance = 0.05

// Differences lists what makes two environments unlike, as "timerHz: 250 and 1000". A
// value that is unknown in only one of them counts as a difference; one unknown in
// both does not. The load does not count, since it is a state and not a property.
// Neither does podburst's commit: comparing across commits is what baselines are for.
func Differences(a, b Environment) []string {
	var differ []string
	for _, f := range []struct {
		name string
		a, b string
	}{
		{"os", a.OS, b.OS},
		{"arch", a.Arch, b.Arch},
		{"kernel", a.Kernel, b.Kernel},
		{"timerHz", number(a.TimerHz), number(b.TimerHz)},
		{"cpuModel", a.CPUModel, b.CPUModel},
		{"cpus", number(a.CPUs), number(b.CPUs)},
		{"cgroupVersion", a.CgroupVersion, b.CgroupVersion},
		{"goVersion", a.GoVersion, b.GoVersion},
	} {
		if f.a != f.b {
			differ = append(differ, fmt.Sprintf("%s: %s and %s", f.name, orUnknown(f.a), orUnknown(f.b)))
		}
	}
	larger := math.Max(float64(a.MemoryBytes), float64(b.MemoryBytes))
	if math.Abs(float64(a.MemoryBytes)-float64(b.MemoryBytes)) > memoryTolerance*larger {
		differ = append(differ, fmt.Sprintf("memoryBytes: %s and %s", orUnknown(number(a.MemoryBytes)), orUnknown(number(b.MemoryBytes))))
	}
	return differ
}

func number[T int | int64](n T) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}
