package fingerprint

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func machine() Environment {
	return Environment{
		OS: "linux", Arch: "amd64", Kernel: "6.1.0", TimerHz: 250, CPUModel: "A CPU", CPUs: 2, MemoryBytes: 8 << 30,
		CgroupVersion: "v2", GoVersion: "go1.26.8", Commit: "abc", Load: Load{OneMinute: 1},
	}
}

func TestDifferencesAreNamedWithBothValues(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Environment)
		want   []string
	}{
		"nothing":                       {func(*Environment) {}, nil},
		"load and commit are no matter": {func(e *Environment) { e.Load.OneMinute, e.Commit = 30, "def" }, nil},
		"the published experiment's":    {func(e *Environment) { e.TimerHz = 1000 }, []string{"timerHz: 250 and 1000"}},
		"a kernel that says less":       {func(e *Environment) { e.TimerHz = 0 }, []string{"timerHz: 250 and unknown"}},
		"memory reserved by the kernel": {func(e *Environment) { e.MemoryBytes -= 200 << 20 }, nil},
		"half the memory":               {func(e *Environment) { e.MemoryBytes /= 2 }, []string{"memoryBytes: 8589934592 and 4294967296"}},
		"another machine": {func(e *Environment) { e.CPUModel, e.CPUs, e.Kernel = "B CPU", 4, "6.18" },
			[]string{"kernel: 6.1.0 and 6.18", "cpuModel: A CPU and B CPU", "cpus: 2 and 4"}},
	} {
		t.Run(name, func(t *testing.T) {
			other := machine()
			c.change(&other)
			if got := Differences(machine(), other); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	if got := Differences(Environment{}, Environment{}); len(got) != 0 {
		t.Errorf("unknown on both sides: %q", got)
	}
}

func TestUnlikeOriginsAreRefusedUnlessForced(t *testing.T) {
	a, b := Origin{Provider: "embedded", Environment: machine()}, Origin{Provider: "kind", Environment: machine()}
	b.Environment.CPUs = 16
	err := CheckAlike(a, b, false)
	if !errors.Is(err, ErrUnlike) || !strings.Contains(err.Error(), "provider: embedded and kind; cpus: 2 and 16") {
		t.Errorf("%v", err)
	}
	if err := CheckAlike(a, b, true); err != nil {
		t.Errorf("forced: %v", err)
	}
	if err := CheckAlike(a, a, false); err != nil {
		t.Errorf("alike: %v", err)
	}
}
