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

// sentenceOf is for a station that accounts for a part of the makespan by itself: what it
// took, with bounds, in the first sentence; what was seen, and the advice, in further ones.
func (a *Analysis) sentenceOf(st *Station, s *scene, v *views, p *processorsView) string {
	account := stats.SecondsOf(a.accounts()[st.id])
	makespan := *a.MakespanSeconds
	followers := a.followers(st)
	var text []string
	switch {
	// What most of the time went into is the reason; the processors are why it took so long.
	case st.Station == Processors && len(followers) > 0 && 2*followers[0].Part.Seconds >= account:
		most := followers[0]
		text = append(text, fmt.Sprintf("%s on %s: %s", humanize.UpperFirst(most.doing()), processorsOf(s.cpus), most.of(most.Part.Seconds, makespan)))
		if did := v.runtime.did(); most.Station == ContainerRuntime {
			text = append(text, did)
		}
		text = append(text, "The processors had no time left: "+strings.Join(p.says, "; "))
		if also := listed(followers[1:], noticed*account); also != "" {
			text = append(text, fmt.Sprintf("Also slow because of them: %s", also))
		}
	case st.Station == Processors:
		text = append(text, fmt.Sprintf("%s: %s of the makespan of %s went into what they do (%s)", humanize.UpperFirst(processorsOf(s.cpus)), account, makespan, listed(followers, noticed*account)),
			"They had no time left: "+strings.Join(p.says, "; "))
	case st.Station == ClientLimiter:
		text = append(text, fmt.Sprintf("%s%s: %s", begin(st.title()), a.limits(s, st), st.of(account, makespan)),
			fmt.Sprintf("It held %s up for %s", st.Phase, st.Held))
	default:
		does := st.doing()
		if st.Station == Admission && v.writes.hooked {
			does = "admission webhooks"
		}
		text = append(text, fmt.Sprintf("%s: %s", humanize.UpperFirst(does), st.of(account, makespan)))
		if did := v.runtime.did(); st.Station == ContainerRuntime {
			text = append(text, did)
		}
	}
	if st.Station != Processors {
		if len(st.Evidence) > 0 {
			text = append(text, begin(st.Evidence[0]))
		}
		if also := listed(followers, 0); also != "" {
			text = append(text, "Pods wait only because of it at: "+also)
		}
	}
	if st.Advice != "" {
		text = append(text, humanize.UpperFirst(st.Advice))
	}
	return strings.Join(text, ". ") + "."
}

// begin makes a text the beginning of a sentence. Components keep their names.
func begin(text string) string {
	if strings.HasPrefix(text, "kube") {
		return text
	}
	return humanize.UpperFirst(text)
}

// of is a part of the makespan with the bounds that it lies in.
func (st *Station) of(part, makespan stats.Seconds) string {
	return fmt.Sprintf("%s of the makespan of %s (at least %s, at most %s)", part, makespan, st.Part.LowSeconds, max(part, st.Part.HighSeconds))
}

// listed are stations with their parts, those with a smaller part than least left out.
func listed(stations []*Station, least stats.Seconds) string {
	var each []string
	for _, st := range stations {
		if st.Part.Seconds >= least {
			each = append(each, fmt.Sprintf("%s %s", st.title(), st.Part.Seconds))
		}
	}
	return humanize.And(each)
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

// doing says what a station does, as people call it.
func (st *Station) doing() string {
	if st.Station == ContainerRuntime {
		return "container creation"
	}
	return st.title()
}

// did says what the container runtime did for each pod.
func (v *runtimeView) did() string {
	var operations []string
	for _, op := range runtimeOperations {
		if d := v.each[op]; d > 0 {
			operations = append(operations, op+" "+humanize.Duration(d))
		}
	}
	if len(operations) == 0 {
		return fmt.Sprintf("That is %s of the container runtime", humanize.And(runtimeOperations))
	}
	return "That is the container runtime: for each pod " + humanize.And(operations)
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
	var text, none, nothing []string
	account := a.accounts()
	for i := range a.Stations {
		st := &a.Stations[i]
		if st.Station != ClientLimiter || !st.Known {
			continue
		}
		whose := st.Component + "'s"
		if st.Component == string(clusters.Kubelet) {
			whose = "the kubelets'"
		}
		held := fmt.Sprintf("%s held %s up for %s", whose, st.Phase, st.Held)
		switch {
		case st.Absent:
			none = append(none, strings.TrimSuffix(strings.TrimSuffix(whose, "'s"), "'"))
		case st.Follows != "":
			text = append(text, fmt.Sprintf("%s, and only follows the pace of %s", held, a.root(st).title()))
		case a.MakespanSeconds != nil && stats.SecondsOf(account[st.id]) >= worthASentence**a.MakespanSeconds:
			continue // it has a sentence of its own
		case st.Held.HighSeconds < shortest:
			nothing = append(nothing, whose)
		case a.MakespanSeconds != nil && st.Part.HighSeconds < st.Held.HighSeconds:
			text = append(text, fmt.Sprintf("%s, and the makespan for at most %s", held, st.Part.HighSeconds))
		default:
			text = append(text, held)
		}
	}
	if len(nothing) > 0 {
		text = append(text, humanize.And(nothing)+" held nothing up")
	}
	if len(none) > 0 {
		text = append(text, "there is none in "+humanize.And(none))
	}
	if len(text) == 0 {
		return nil
	}
	for i := range text[1:] {
		text[1+i] = begin(text[1+i])
	}
	return []string{"Client-side limiters: " + strings.Join(text, ". ") + "."}
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
	var all []string
	for _, reason := range order {
		all = append(all, fmt.Sprintf("Not known, and so not ruled out: %s (%s).", humanize.And(why[reason]), humanize.Printable(reason)))
	}
	return all
}
