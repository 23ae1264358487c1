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

// worthASentence is the part of the makespan that a station must account for to be
// named as a reason: what the gate could not see would be noise.
const worthASentence = 0.05

// shortest is what cannot be told from nothing, in seconds: requests and clocks are
// audited by the microsecond.
const shortest = 1e-6

// noticed is the part of a station's account that a follower must have to be listed.
const noticed = 0.01

// sentences say for people where the makespan went: the main reason first, then what else
// took a part, then what is not explained and what could not be looked at.
func (a *Analysis) sentences(s *scene, v *views, p *processorsView) []string {
	var all []string
	if a.MakespanSeconds == nil {
		all = append(all, "Where the burst's time went is not said: "+s.incomplete()+".")
		return append(append(all, a.limiters()...), a.unknowns()...)
	}
	account := a.accounts()
	for i := range a.Stations {
		st := &a.Stations[i]
		if st.Follows != "" || stats.SecondsOf(account[st.id]) < worthASentence**a.MakespanSeconds {
			continue
		}
		all = append(all, a.sentenceOf(st, s, v, p))
	}
	if rest := a.NotExplainedSeconds; rest >= worthASentence**a.MakespanSeconds {
		all = append(all, fmt.Sprintf("%s of the makespan of %s are not explained.", rest, *a.MakespanSeconds))
	}
	all = append(all, a.limiters()...)
	all = append(all, a.late()...)
	return append(all, a.unknowns()...)
}

// late says if the observer saw pods run so late that what it saw is not what happened.
func (a *Analysis) late() []string {
	for i := range a.Stations {
		if st := &a.Stations[i]; st.Station == ObserverWatch && st.Held.LowSeconds >= worthASentence**a.MakespanSeconds {
			return []string{fmt.Sprintf("The observer's watch showed pods running %s after they did: what is read from the watch is late by as much. The makespan is read from the audit log and is not.", st.Held)}
		}
	}
	return nil
}

// incomplete says why there is no makespan.
func (s *scene) incomplete() string {
	switch {
	case s.burst.Passive != nil:
		return "nobody knows when its pods were asked for"
	case len(s.courses) == 0:
		return "no pod became ready"
	}
	return fmt.Sprintf("%d of %d pods became ready", s.line.Accounting.Ready, s.line.Accounting.Expected)
}

// sentenceOf is for a station that accounts for a part of the makespan by itself.
func (a *Analysis) sentenceOf(st *Station, s *scene, v *views, p *processorsView) string {
	account := stats.SecondsOf(a.accounts()[st.id])
	of := fmt.Sprintf("%s of the makespan of %s", account, *a.MakespanSeconds)
	var out strings.Builder
	switch st.Station {
	case Processors:
		leads := a.followers(st)
		// What most of the time went into is the reason; the processors are why it took so long.
		if len(leads) > 0 && 2*leads[0].Part.Seconds >= account {
			fmt.Fprintf(&out, "%s on %s", humanize.UpperFirst(a.doing(leads[0], v)), processorsOf(s.cpus))
		} else {
			out.WriteString(humanize.UpperFirst(processorsOf(s.cpus)))
		}
		fmt.Fprintf(&out, ": %s went into what the processors do", of)
		var each []string
		for _, l := range leads {
			if l.Part.Seconds >= noticed*account {
				each = append(each, fmt.Sprintf("%s %s", l.title(), l.Part.Seconds))
			}
		}
		if len(leads) > 1 {
			fmt.Fprintf(&out, " (%s)", humanize.And(each))
		}
		fmt.Fprintf(&out, ". They had no time left: %s", strings.Join(p.says, "; "))
		out.WriteString(".")
		if st.Advice != "" {
			out.WriteString(" " + humanize.UpperFirst(st.Advice) + ".")
		}
		return out.String()
	case ContainerRuntime:
		fmt.Fprintf(&out, "%s: %s", humanize.UpperFirst(a.doing(st, v)), st.between(of))
		a.evidence(&out, st)
	case ClientLimiter:
		fmt.Fprintf(&out, "%s's client-side limiter%s: %s, and %s for %s", st.Component, a.limits(s, st), st.between(of), st.Phase, st.Held)
		a.evidence(&out, st)
	default:
		fmt.Fprintf(&out, "%s: %s", humanize.UpperFirst(st.title()), st.between(of))
		a.evidence(&out, st)
	}
	if leads := a.followers(st); len(leads) > 0 {
		var names []string
		for _, l := range leads {
			names = append(names, l.title())
		}
		fmt.Fprintf(&out, "; because of it alone pods wait at %s", humanize.And(names))
	}
	out.WriteString(".")
	if st.Advice != "" {
		out.WriteString(" " + humanize.UpperFirst(st.Advice) + ".")
	}
	return out.String()
}

func (a *Analysis) evidence(out *strings.Builder, st *Station) {
	if st.BusyShare != nil {
		fmt.Fprintf(out, "; busy for %s of its phase", humanize.Percent(*st.BusyShare))
	}
	if len(st.Evidence) > 0 {
		out.WriteString("; " + strings.Join(st.Evidence, "; "))
	}
}

// limits are the limiter's QPS and burst, in brackets; empty where they are not known or
// differ from kubelet to kubelet.
func (a *Analysis) limits(s *scene, st *Station) string {
	text := ""
	for _, name := range slices.Sorted(maps.Keys(s.profile.Effective)) {
		if !strings.HasPrefix(name, st.Component) {
			continue
		}
		l := s.profile.Effective[name]
		one := fmt.Sprintf(" (%g/%d)", l.KubeAPIQPS, l.KubeAPIBurst)
		if text != "" && text != one {
			return ""
		}
		text = one
	}
	return text
}

// between is a part with the bounds that it lies in.
func (st *Station) between(part string) string {
	return fmt.Sprintf("%s (at least %s, at most %s)", part, st.Part.LowSeconds, st.Part.HighSeconds)
}

// doing says what a station does, as people call it.
func (a *Analysis) doing(st *Station, v *views) string {
	if st.Station != ContainerRuntime {
		return st.title()
	}
	var operations []string
	for _, op := range runtimeOperations {
		if d := v.runtime.each[op]; d > 0 {
			operations = append(operations, op+" "+humanize.Duration(d))
		}
	}
	if len(operations) == 0 {
		operations = []string{"run_podsandbox", "create_container", "start_container"}
	}
	return fmt.Sprintf("container creation (container runtime: %s)", strings.Join(operations, ", "))
}

func processorsOf(cpus int) string {
	numbers := map[int]string{1: "one processor", 2: "two processors", 3: "three processors", 4: "four processors"}
	if text, ok := numbers[cpus]; ok {
		return text
	}
	return humanize.Count(cpus, "processor")
}

// followers are the stations that follow st, the largest part first.
func (a *Analysis) followers(st *Station) []*Station {
	var all []*Station
	for i := range a.Stations {
		if f := &a.Stations[i]; a.root(f) == st && f != st {
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(x, y *Station) int { return sign(a.parts[y.id] - a.parts[x.id]) })
	return all
}

// title names the station in a sentence.
func (st *Station) title() string {
	switch st.Station {
	case ClientLimiter:
		if st.Component == string(clusters.Kubelet) {
			return "the kubelets' client-side limiters"
		}
		return st.Component + "'s client-side limiter"
	case StatusManager, PodWorkers, ImagePulls:
		return "the kubelets' " + titles[st.Station]
	}
	return titles[st.Station]
}

// limiters says of those that are known what they held, where they were not the reason.
func (a *Analysis) limiters() []string {
	var known []string
	account := a.accounts()
	for i := range a.Stations {
		st := &a.Stations[i]
		if st.Station != ClientLimiter || !st.Known {
			continue
		}
		switch {
		case st.Absent:
			known = append(known, st.Component+" has none")
		case st.Follows != "":
			known = append(known, fmt.Sprintf("%s's only follows the pace of what comes before it and held %s up for %s", st.Component, st.Phase, st.Held))
		case a.MakespanSeconds == nil:
			known = append(known, fmt.Sprintf("%s's held %s up for %s", st.Component, st.Phase, st.Held))
		case stats.SecondsOf(account[st.id]) < worthASentence**a.MakespanSeconds:
			text := fmt.Sprintf("%s's held %s up for %s", st.Component, st.Phase, st.Held)
			if st.Part.HighSeconds < st.Held.HighSeconds {
				text += fmt.Sprintf(" and the makespan for at most %s", st.Part.HighSeconds)
			}
			known = append(known, text)
		}
	}
	if len(known) == 0 {
		return nil
	}
	return []string{"Client-side limiters: " + humanize.And(known) + "."}
}

// unknowns says what could not be looked at, so that silence is not taken for innocence.
func (a *Analysis) unknowns() []string {
	why := map[string][]string{}
	var order []string
	for i := range a.Stations {
		st := &a.Stations[i]
		if st.Known || st.Absent {
			continue
		}
		if _, seen := why[st.UnknownReason]; !seen {
			order = append(order, st.UnknownReason)
		}
		why[st.UnknownReason] = append(why[st.UnknownReason], st.title())
	}
	if len(order) == 0 {
		return nil
	}
	var parts []string
	for _, reason := range order {
		parts = append(parts, fmt.Sprintf("%s (%s)", humanize.And(why[reason]), humanize.Printable(reason)))
	}
	return []string{"Not known, and so not ruled out: " + strings.Join(parts, "; ") + "."}
}
