package station

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/stats"
)

// Arm is a profile's part of a comparison.
type Arm struct {
	Name      string
	Effective clusters.Effective
	// Phases are the p99 of the phases of MovePhases and "makespan", as medians
	// over the profile's valid bursts. A phase that is not known is absent.
	Phases map[string]stats.Seconds
	// Limiters are those of the median burst; see Median.
	Limiters []Limiter
}

// MovePhases are the consecutive phases among which the bottleneck is looked for.
func MovePhases() []string {
	return []string{"submit_to_create", "create_to_schedule", "schedule_to_run", "run_to_observed"}
}

// Makespan is the name under which Arm.Phases has it.
const Makespan = "makespan"

// Move is what differs between the run's first profile and another one. The numbers are
// medians over valid bursts; they describe and are not tested. Whether a difference is
// more than chance is for framework/gate to say.
type Move struct {
	// Base is the name of the run's first profile.
	Base string `json:"base"`
	// Head is the name of the other profile.
	Head string `json:"head"`
	// ChangedLimits are the processes whose limits differ.
	ChangedLimits []string `json:"changedLimits"`
	// IdleLimits are the processes among ChangedLimits whose limiter held nothing up in
	// the base. Raising such a limit gains nothing.
	IdleLimits []string `json:"idleLimits"`
	// Fell are the phases that became shorter.
	Fell []Change `json:"fell"`
	// Rose are the phases that became longer.
	Rose []Change `json:"rose"`
	// From is where the base spends most of its time.
	From Bottleneck `json:"bottleneckFrom"`
	// To is where the head spends most of its time.
	To Bottleneck `json:"bottleneckTo"`
	// Sentence says for people what changed.
	Sentence string `json:"sentence"`
}

// Change is the p99 of a phase, or the makespan, in both profiles.
type Change struct {
	// Phase is the name of the phase, or "makespan".
	Phase string `json:"phase"`
	// FromSeconds is the value in the base.
	FromSeconds stats.Seconds `json:"fromSeconds"`
	// ToSeconds is the value in the head.
	ToSeconds stats.Seconds `json:"toSeconds"`
}

// Bottleneck is the longest phase of a profile.
type Bottleneck struct {
	// Phase is the name of the phase.
	Phase string `json:"phase"`
	// P99Seconds is the p99 of the phase.
	P99Seconds stats.Seconds `json:"p99Seconds"`
	// Component is the process whose limiter held the phase up. Absent where none did.
	Component string `json:"component,omitempty"`
}

// What counts as a change: more than a tenth of the larger value, and 50 ms.
const (
	leastChange      stats.Seconds = 0.05
	leastChangeShare stats.Seconds = 0.1
)

// Between says what fell and what rose from base to head, and where the
// bottleneck moved. ok is false when an arm has no phases.
func Between(base, head Arm) (m Move, ok bool) {
	if len(base.Phases) == 0 || len(head.Phases) == 0 {
		return Move{}, false
	}
	m = Move{
		Base: base.Name, Head: head.Name, From: bottleneck(base), To: bottleneck(head),
		ChangedLimits: []string{}, IdleLimits: []string{}, Fell: []Change{}, Rose: []Change{},
	}
	for _, phase := range append(MovePhases(), Makespan) {
		from, knownFrom := base.Phases[phase]
		to, knownTo := head.Phases[phase]
		switch d := to - from; {
		case !knownFrom || !knownTo || max(d, -d) < max(leastChange, leastChangeShare*max(from, to)):
		case d < 0:
			m.Fell = append(m.Fell, Change{phase, from, to})
		default:
			m.Rose = append(m.Rose, Change{phase, from, to})
		}
	}
	innocent := map[string]bool{}
	for _, l := range base.Limiters {
		innocent[l.Component] = !l.HeldUp && (l.Regime == Idle || l.Regime == Bursty)
	}
	for _, name := range slices.Sorted(maps.Keys(base.Effective)) {
		before, after := base.Effective[name], head.Effective[name]
		if before.KubeAPIQPS == after.KubeAPIQPS && before.KubeAPIBurst == after.KubeAPIBurst {
			continue
		}
		m.ChangedLimits = append(m.ChangedLimits, name)
		if innocent[name] {
			m.IdleLimits = append(m.IdleLimits, name)
		}
	}
	m.Sentence = m.sentence()
	return m, true
}

func bottleneck(a Arm) Bottleneck {
	var b Bottleneck
	for _, phase := range MovePhases() {
		if p99, known := a.Phases[phase]; known && p99 > b.P99Seconds {
			b = Bottleneck{Phase: phase, P99Seconds: p99}
		}
	}
	most := stats.Seconds(0)
	for i := range a.Limiters {
		if l := &a.Limiters[i]; l.Phase == b.Phase && l.HeldUp && l.HeldSeconds > most {
			b.Component, most = l.Component, l.HeldSeconds
		}
	}
	return b
}

func (m *Move) sentence() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s against %s: ", m.Head, m.Base)
	switch {
	case len(m.Fell)+len(m.Rose) == 0:
		out.WriteString("no phase changed by more than a tenth")
	default:
		var parts []string
		if s := changes("fell", m.Fell); s != "" {
			parts = append(parts, s)
		}
		if s := changes("rose", m.Rose); s != "" {
			parts = append(parts, s)
		}
		out.WriteString(strings.Join(parts, "; "))
	}
	switch {
	case m.From.Phase == m.To.Phase && m.From.Component == m.To.Component:
		fmt.Fprintf(&out, ". The longest phase stays %s", m.To)
	case m.From.Phase == m.To.Phase:
		fmt.Fprintf(&out, ". The longest phase stays %s, now %s instead of %s", m.To.Phase, m.To.cause(), m.From.cause())
	default:
		fmt.Fprintf(&out, ". The bottleneck moved from %s to %s", m.From, m.To)
	}
	if len(m.ChangedLimits) > 0 && len(m.ChangedLimits) == len(m.IdleLimits) {
		fmt.Fprintf(&out, ". The changed limits (%s) held nothing up in %s, so no improvement can come from them", list(m.ChangedLimits), m.Base)
		if len(m.Fell) > 0 {
			out.WriteString(": what fell, fell for another reason")
		}
	}
	out.WriteString(".")
	return out.String()
}

func (b Bottleneck) String() string { return b.Phase + " (" + b.cause() + ")" }

func (b Bottleneck) cause() string {
	if b.Component == "" {
		return "held up by no limiter"
	}
	return "held up by " + b.Component + "'s limiter"
}

func changes(verb string, all []Change) string {
	var parts []string
	for _, c := range all {
		name := c.Phase
		if name != Makespan {
			name += " p99"
		}
		parts = append(parts, fmt.Sprintf("%s %s from %s to %s", name, verb, short(c.FromSeconds), short(c.ToSeconds)))
	}
	return strings.Join(parts, ", ")
}

// list names instances, kubelets only by number when there are several.
func list(names []string) string {
	var parts []string
	kubelets := 0
	for _, name := range names {
		if clusters.ParseInstance(name).Component == clusters.Kubelet {
			if kubelets++; kubelets > 1 {
				continue
			}
		}
		parts = append(parts, name)
	}
	if kubelets > 1 {
		parts[len(parts)-1] = fmt.Sprintf("%d kubelets", kubelets)
	}
	return strings.Join(parts, ", ")
}
