package cpuprofile

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/humanize"
)

const (
	// Shown is how many functions and packages are listed, each way.
	Shown = 10
	// maxName is how many letters of a name are kept.
	maxName = 200
)

// Breakdown is what one process used the processor for during a burst.
type Breakdown struct {
	// Component is the process, as "kube-scheduler" or "kubelet-node-1".
	Component string `json:"component"`
	// Unavailable says why there is no profile, or why it does not cover the whole burst.
	// Absent where it does.
	Unavailable string `json:"unavailable,omitempty"`
	// ProfiledSeconds is for how long the process was profiled, from shortly before the
	// submission until the end of the stretch in which the burst ended, without the gaps
	// between stretches.
	ProfiledSeconds stats.Seconds `json:"profiledSeconds"`
	// SampledSeconds is the processor time of all samples; null without a profile.
	SampledSeconds *stats.Seconds `json:"sampledSeconds"`
	// Samples is how many samples there are.
	Samples int `json:"samples"`
	// FunctionsByFlat are the ten functions whose own code used most.
	FunctionsByFlat []Share `json:"functionsByFlat"`
	// FunctionsByCumulative are the ten functions that used most together with all that
	// they called.
	FunctionsByCumulative []Share `json:"functionsByCumulative"`
	// PackagesByFlat are the ten packages whose own code used most.
	PackagesByFlat []Share `json:"packagesByFlat"`
	// PackagesByCumulative are the ten packages that used most together with all that they
	// called.
	PackagesByCumulative []Share `json:"packagesByCumulative"`
}

// Share is the processor time of a function or a package.
type Share struct {
	// Name is the name of the function or package.
	Name string `json:"name"`
	// FlatSeconds is the time in its own code.
	FlatSeconds stats.Seconds `json:"flatSeconds"`
	// CumulativeSeconds is the time in its own code and in what that called. A package or
	// function that occurs several times in a call chain counts once.
	CumulativeSeconds stats.Seconds `json:"cumulativeSeconds"`
}

// Read says what the process used the processor for, by its pprof file.
func Read(component string, data []byte) (Breakdown, error) {
	c := Breakdown{Component: component}
	p, err := parse(data)
	if err != nil {
		return c.empty(), err
	}
	value := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == sampleType && t.Unit == unit })
	if value < 0 {
		return c.empty(), fmt.Errorf("read CPU profile: it has no values of %s in %s", sampleType, unit)
	}
	count := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == "samples" })
	if p.DurationNanos < 0 {
		return c.empty(), errors.New("read CPU profile: its duration is negative")
	}
	functions, packages := shares{}, shares{}
	var sampled, samples float64
	for _, s := range p.Sample {
		v := s.Value[value]
		if v < 0 || count >= 0 && s.Value[count] < 0 {
			return c.empty(), errors.New("read CPU profile: a sample has a negative value")
		}
		seconds := float64(v) / 1e9
		sampled += seconds
		if count >= 0 {
			samples += float64(s.Value[count])
		}
		stack := stackOf(s)
		functions.add(stack, seconds)
		for i, name := range stack {
			stack[i] = packageOf(name)
		}
		packages.add(stack, seconds)
	}
	c.ProfiledSeconds, c.SampledSeconds = stats.Seconds(float64(p.DurationNanos)/1e9), new(stats.Seconds(sampled))
	c.Samples = int(min(samples, 1e15))
	c.FunctionsByFlat, c.FunctionsByCumulative = functions.top(flat), functions.top(cumulative)
	c.PackagesByFlat, c.PackagesByCumulative = packages.top(flat), packages.top(cumulative)
	return c, nil
}

// Missing is a process without a profile.
func Missing(component, why string) Breakdown {
	return Breakdown{Component: component, Unavailable: why}.empty()
}

func (c Breakdown) empty() Breakdown {
	c.FunctionsByFlat, c.FunctionsByCumulative, c.PackagesByFlat, c.PackagesByCumulative = []Share{}, []Share{}, []Share{}, []Share{}
	return c
}

// unnamed stands for code without a name.
const unnamed = "(unknown)"

// stackOf lists the functions of a call chain, the one that ran first.
func stackOf(s *profile.Sample) []string {
	var names []string
	for _, location := range s.Location {
		if len(location.Line) == 0 {
			names = append(names, unnamed)
		}
		for _, line := range location.Line { // inlined calls, innermost first
			name := unnamed
			if line.Function != nil && line.Function.Name != "" {
				name = humanize.Shorten(humanize.Printable(strings.ToValidUTF8(line.Function.Name, "�")), maxName)
			}
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		names = []string{unnamed}
	}
	return names
}

// packageOf is the package of a function of Go: what is before the first dot after the
// last slash of the path. Type arguments may have slashes and dots of their own.
func packageOf(function string) string {
	path, _, _ := strings.Cut(function, "[")
	slash := strings.LastIndex(path, "/") + 1
	name, _, ok := strings.Cut(path[slash:], ".")
	if !ok {
		if function == unnamed {
			return unnamed
		}
		return "(no package)" // assembly, C
	}
	return strings.ReplaceAll(path[:slash]+name, "%2e", ".")
}

// shares are by name.
type shares map[string]*Share

// add counts seconds of a call chain.
func (s shares) add(stack []string, seconds float64) {
	seen := make(map[string]bool, len(stack))
	for i, name := range stack {
		share := s[name]
		if share == nil {
			share = &Share{Name: name}
			s[name] = share
		}
		if i == 0 {
			share.FlatSeconds += stats.Seconds(seconds)
		}
		if !seen[name] {
			seen[name] = true
			share.CumulativeSeconds += stats.Seconds(seconds)
		}
	}
}

func flat(s Share) stats.Seconds       { return s.FlatSeconds }
func cumulative(s Share) stats.Seconds { return s.CumulativeSeconds }

// top lists the largest, equal ones by name; those of nothing are left out.
func (s shares) top(by func(Share) stats.Seconds) []Share {
	all := []Share{}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if by(*s[name]) > 0 {
			all = append(all, *s[name])
		}
	}
	slices.SortStableFunc(all, func(a, b Share) int { return cmp.Compare(by(b), by(a)) })
	return slices.Clip(all[:min(len(all), Shown)])
}
