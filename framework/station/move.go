package station

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/humanize"
)

// Arm is a profile's part of a comparison.
type Arm struct {
	Name      string
	Effective clusters.Effective
	// Phases are the p99 of the phases of MovePhases and "makespan", as medians
	// over the profile's valid bursts. A phase that is not known is absent.
	Phases map[string]stats.Seconds
	// First is what accounts for most of the burst with the median makespan; nil where no
	// burst has one.
	First *First
	// Analyses are those of all valid bursts.
	Analyses []*Analysis
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
	// IdleLimits are the processes among ChangedLimits whose limiter held next to nothing
	// up in any valid burst of the base: less than 50 ms and a twentieth of the makespan.
	// No improvement that a reader would see can come from such a limit.
	IdleLimits []string `json:"idleLimits"`
	// UnknownLimits are the processes among ChangedLimits of whose limiter it is not known
	// what it held up in the base.
	UnknownLimits []string `json:"unknownLimits"`
	// Fell are the phases that became shorter.
	Fell []Change `json:"fell"`
	// Rose are the phases that became longer.
	Rose []Change `json:"rose"`
	// From is what accounts for most of the makespan in the base's median burst; null where
	// that is not known.
	From *First `json:"mostFrom"`
	// To is the same for the head; null where that is not known.
	To *First `json:"mostTo"`
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

// What counts as a change: more than a tenth of the larger value, and 50 ms.
const (
	leastChange      stats.Seconds = 0.05
	leastChangeShare stats.Seconds = 0.1
)

// leastHeld is the part of the makespan from which on a limiter is not called idle.
const leastHeld stats.Seconds = 0.05

// Between says what fell and what rose from base to head, what took most of the makespan
// in each, and which of the changed limits cannot have made a difference. ok is false when
// an arm has no phases.
func Between(base, head Arm) (m Move, ok bool) {
	if len(base.Phases) == 0 || len(head.Phases) == 0 {
		return Move{}, false
	}
	m = Move{
		Base: base.Name, Head: head.Name, From: base.First, To: head.First,
		ChangedLimits: []string{}, IdleLimits: []string{}, UnknownLimits: []string{}, Fell: []Change{}, Rose: []Change{},
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
	most := stats.Seconds(0)
	for _, name := range slices.Sorted(maps.Keys(base.Effective)) {
		before, after := base.Effective[name], head.Effective[name]
		if before.KubeAPIQPS == after.KubeAPIQPS && before.KubeAPIBurst == after.KubeAPIBurst {
			continue
		}
		m.ChangedLimits = append(m.ChangedLimits, name)
		switch held, idle, known := base.held(clusters.ParseInstance(name).Component); {
		case !known:
			m.UnknownLimits = append(m.UnknownLimits, name)
		case idle:
			m.IdleLimits = append(m.IdleLimits, name)
			most = max(most, held)
		}
	}
	m.Sentence = m.sentence(most)
	return m, true
}

// held is the most that the component's limiter held its phase up in any burst; idle tells
// whether that is next to nothing in all of them. It is not known where it is not in one.
func (arm *Arm) held(c clusters.Component) (most stats.Seconds, idle, known bool) {
	idle = true
	for _, a := range arm.Analyses {
		st := a.find(id{ClientLimiter, c})
		if st == nil || !st.Known {
			return 0, false, false
		}
		limit := leastChange
		if a.MakespanSeconds != nil {
			limit = min(limit, leastHeld**a.MakespanSeconds)
		}
		most = max(most, st.Held.HighSeconds)
		idle = idle && st.Held.HighSeconds < limit
	}
	return most, idle, len(arm.Analyses) > 0
}

// sentence says it for people; held is the most that an idle limiter held up.
func (m *Move) sentence(held stats.Seconds) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s against %s: ", m.Head, m.Base)
	if len(m.Fell)+len(m.Rose) == 0 {
		out.WriteString("no phase changed by more than a tenth")
	}
	out.WriteString(changes("fell", m.Fell))
	if len(m.Fell) > 0 && len(m.Rose) > 0 {
		out.WriteString("; ")
	}
	out.WriteString(changes("rose", m.Rose))
	out.WriteString("." + m.most())
	if len(m.UnknownLimits) > 0 {
		fmt.Fprintf(&out, " It is not known what the limits of %s held up in %s.", list(m.UnknownLimits), m.Base)
	}
	if len(m.IdleLimits) > 0 {
		up := "nothing up"
		if held >= shortest {
			up = fmt.Sprintf("no more than %s up", held)
		}
		which := "The changed limits of " + list(m.IdleLimits)
		if len(m.IdleLimits) == len(m.ChangedLimits) {
			which = fmt.Sprintf("The changed limits (%s)", list(m.IdleLimits))
		}
		fmt.Fprintf(&out, " %s held %s in %s, so no improvement can come from them.", which, up, m.Base)
		if len(m.Fell) > 0 && len(m.IdleLimits) == len(m.ChangedLimits) {
			out.WriteString(" What fell, fell for another reason.")
		}
	}
	return out.String()
}

// most compares what took most of the makespan.
func (m *Move) most() string {
	switch {
	case m.From == nil && m.To == nil:
		return ""
	case m.From == nil:
		return fmt.Sprintf(" Most of the makespan in %s: %s. In %s that is not known.", m.Head, m.To, m.Base)
	case m.To == nil:
		return fmt.Sprintf(" Most of the makespan in %s: %s. In %s that is not known.", m.Base, m.From, m.Head)
	case m.From.Same(*m.To) && m.From.Through == m.To.Through:
		return fmt.Sprintf(" Most of the makespan stays with the same: %s, %s in %s and %s in %s.", m.To.Name(), m.From.Of(), m.Base, m.To.Of(), m.Head)
	}
	return fmt.Sprintf(" Most of the makespan: in %s %s; in %s %s.", m.Base, m.From, m.Head, m.To)
}

func changes(verb string, all []Change) string {
	var parts []string
	for _, c := range all {
		name := c.Phase
		if name != Makespan {
			name += " p99"
		}
		parts = append(parts, fmt.Sprintf("%s %s from %s to %s", name, verb, c.FromSeconds, c.ToSeconds))
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
	return humanize.And(parts)
}
