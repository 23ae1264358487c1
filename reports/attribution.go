package reports

import (
	"slices"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
)

// Throttle is what one process's client-side limiters did during a burst; see
// framework/station for how each number comes about.
type Throttle struct {
	// Component is the process, as "kube-scheduler" or "kubelet-node-1";
	// "observer" is podburst itself, whose client has no limiter: it never waits.
	Component string `json:"component"`
	// Requests passed the limiters; Waited of them waited longer than 5 ms.
	Requests int `json:"requests"`
	Waited   int `json:"waited"`
	// WaitSeconds sums up all waits; MaxWaitSeconds bounds the longest from
	// above, by a bucket of the metric.
	WaitSeconds    float64 `json:"waitSeconds"`
	MaxWaitSeconds float64 `json:"maxWaitSeconds"`
	// LoggedWaits are those that the process logged (more than 1 s at -v=2, one a
	// second at most; more than 50 ms at higher levels); the longest of them
	// bounds the longest wait from below.
	LoggedWaits          int     `json:"loggedWaits"`
	LongestLoggedSeconds float64 `json:"longestLoggedSeconds"`
	// Phase is the one that the process can hold up, PhaseP99Seconds its p99 (of
	// a kubelet's own pods); empty and 0 where it has no part in a pod's start.
	Phase           string  `json:"phase,omitempty"`
	PhaseP99Seconds float64 `json:"phaseP99Seconds"`
	// PassedRequests are those of the one limiter that did the burst's work,
	// until the last one that the pods needed; NeededRequests of them are
	// indispensable. RequestsSource is "audit" where they were counted in the
	// audit log, and "pods" where they follow from the number of pods.
	PassedRequests int    `json:"passedRequests"`
	NeededRequests int    `json:"neededRequests"`
	RequestsSource string `json:"requestsSource" jsonschema:"enum=audit,enum=pods"`
	// FloorSeconds is the least time in which the limiter lets PassedRequests
	// through, (requests - burst) / QPS; TookSeconds is what they took, and
	// HeldSeconds for how long of it the next one waited for a token.
	FloorSeconds float64 `json:"floorSeconds"`
	TookSeconds  float64 `json:"tookSeconds"`
	HeldSeconds  float64 `json:"heldSeconds"`
	// HeldUp: the limiter is a reason for the phase's length.
	HeldUp bool `json:"heldUp"`
	// Regime is "idle", "bursty", "pacing" or "queueing".
	Regime string `json:"regime" jsonschema:"enum=idle,enum=bursty,enum=pacing,enum=queueing"`
}

// Queue is another queue in which the burst's work may have waited; see
// station.Queue.
type Queue struct {
	Component string `json:"component"`
	// Kind is "apf" (API Priority and Fairness), "workqueue" or "scheduling";
	// Name the priority level's, the controller's, or "scheduling".
	Kind string `json:"kind" jsonschema:"enum=apf,enum=workqueue,enum=scheduling"`
	Name string `json:"name"`
	// Items went through; WaitSeconds sums up their waits; MaxWaitSeconds
	// bounds the longest from above, 0 where the metrics do not tell.
	Items          int     `json:"items"`
	WaitSeconds    float64 `json:"waitSeconds"`
	MaxWaitSeconds float64 `json:"maxWaitSeconds"`
	Rejected       int     `json:"rejected"`
	// Depth is how many were left right after the burst.
	Depth int `json:"depth"`
}

// Move is what differs between the run's first profile and another: medians
// over valid bursts, described and not tested.
type Move struct {
	Base string `json:"base"`
	Head string `json:"head"`
	// ChangedLimits are instances whose limits differ; IdleLimits those of them
	// that held nothing up in the base.
	ChangedLimits []string   `json:"changedLimits"`
	IdleLimits    []string   `json:"idleLimits"`
	Fell          []Change   `json:"fell"`
	Rose          []Change   `json:"rose"`
	From          Bottleneck `json:"bottleneckFrom"`
	To            Bottleneck `json:"bottleneckTo"`
	Sentence      string     `json:"sentence"`
}

// Change is a phase's p99 (or the makespan) in both profiles.
type Change struct {
	Phase       string  `json:"phase"`
	FromSeconds float64 `json:"fromSeconds"`
	ToSeconds   float64 `json:"toSeconds"`
}

// Bottleneck is a profile's longest phase, and the process whose limiter held it
// up; empty where none did.
type Bottleneck struct {
	Phase      string  `json:"phase"`
	P99Seconds float64 `json:"p99Seconds"`
	Component  string  `json:"component,omitempty"`
}

// observer is the row of podburst's own client.
const observer = "observer"

// throttles are the limiters as the report has them, and the observer's own.
func throttles(b *recording.Burst, limiters []station.Limiter) []Throttle {
	all := []Throttle{}
	for i := range limiters {
		l := &limiters[i]
		source := "pods"
		if l.Audited {
			source = "audit"
		}
		all = append(all, Throttle{
			Component: l.Instance, Requests: l.Requests, Waited: l.Waited, WaitSeconds: l.Wait.Seconds(), MaxWaitSeconds: l.MaxWait.Seconds(), LoggedWaits: l.Logged, LongestLoggedSeconds: l.LongestLogged.Seconds(),
			Phase: l.Phase, PhaseP99Seconds: l.PhaseP99.Seconds(), PassedRequests: l.Passed, NeededRequests: l.Needed, RequestsSource: source,
			FloorSeconds: l.Floor.Seconds(), TookSeconds: l.Took.Seconds(), HeldSeconds: l.Held.Seconds(), HeldUp: l.HeldUp(), Regime: string(l.Regime),
		})
	}
	return append(all, observed(b))
}

// observed is podburst's own row. Its client has no limiter (a client with one is
// refused), so only the API server can have put it off, which it says by 429.
// Its requests are those of whoever submitted the Job.
func observed(b *recording.Burst) Throttle {
	if b.Passive != nil {
		// It submitted nothing, and watches are not limited.
		return Throttle{Component: observer, Waited: b.Health.Throttled, RequestsSource: "pods", Regime: regimeOfObserver(b)}
	}
	own := Throttle{Component: observer, Requests: 1, Waited: b.Health.Throttled, RequestsSource: "pods", Regime: regimeOfObserver(b)}
	for i := range b.Audit {
		if e := &b.Audit[i]; e.Resource == "jobs" && e.Verb == "create" && e.UID == b.JobUID {
			own.RequestsSource, own.Requests = "audit", 0
			for k := range b.Audit {
				if b.Audit[k].User == e.User && b.Audit[k].UserAgent == e.UserAgent {
					own.Requests++
				}
			}
			break
		}
	}
	own.PassedRequests, own.NeededRequests = own.Requests, 1
	return own
}

func regimeOfObserver(b *recording.Burst) string {
	if b.Health.Throttled > 0 {
		return string(station.Queueing)
	}
	return string(station.Idle)
}

func queues(b *recording.Burst) []Queue {
	all := []Queue{}
	for _, q := range station.Queues(*b) {
		all = append(all, Queue{
			Component: q.Instance, Kind: q.Kind, Name: q.Name, Items: q.Items, WaitSeconds: q.Wait.Seconds(),
			MaxWaitSeconds: q.MaxWait.Seconds(), Rejected: q.Rejected, Depth: q.Depth,
		})
	}
	return all
}

// attributionLines say why the profile took so long, what changed against the
// run's first profile, and how far the numbers can be trusted.
func attributionLines(r *Report, p *Profile) []string {
	lines := slices.Clone(p.Attribution)
	for _, m := range r.Moves {
		if m.Head == p.Name {
			lines = append(lines, m.Sentence)
		}
	}
	if s := truthLine(r, p.Name); s != "" {
		lines = append(lines, s)
	}
	return lines
}

// validOf are the profile's valid bursts, warm-ups left out.
func validOf(profile string, bursts []measuredBurst) []*measuredBurst {
	var valid []*measuredBurst
	for i := range bursts {
		if b := &bursts[i]; b.report.Profile == profile && !b.report.Warmup && b.report.Valid {
			valid = append(valid, b)
		}
	}
	return valid
}

// medianLimiters are those of the profile's median burst.
func medianLimiters(valid []*measuredBurst) []station.Limiter {
	all := make([][]station.Limiter, 0, len(valid))
	for _, b := range valid {
		all = append(all, b.limiters)
	}
	return station.Median(all)
}

// moves compares the run's first profile with each other one.
func moves(profiles []Profile, bursts []measuredBurst) []Move {
	all := []Move{}
	if len(profiles) == 0 {
		return all
	}
	base := armOf(&profiles[0], bursts)
	for i := 1; i < len(profiles); i++ {
		m, ok := station.Between(base, armOf(&profiles[i], bursts))
		if !ok {
			continue
		}
		all = append(all, Move{
			Base: m.Base, Head: m.Head, ChangedLimits: notNil(m.Changed), IdleLimits: notNil(m.Idle),
			Fell: changes(m.Fell), Rose: changes(m.Rose), From: bottleneckOf(m.From), To: bottleneckOf(m.To), Sentence: m.Sentence,
		})
	}
	return all
}

func changes(all []station.Change) []Change {
	list := []Change{}
	for _, c := range all {
		list = append(list, Change{c.Phase, c.From.Seconds(), c.To.Seconds()})
	}
	return list
}

func bottleneckOf(b station.Bottleneck) Bottleneck {
	return Bottleneck{b.Phase, b.P99.Seconds(), b.Instance}
}

func armOf(p *Profile, bursts []measuredBurst) station.Arm {
	valid := validOf(p.Name, bursts)
	arm := station.Arm{Name: p.Name, Effective: p.Effective, Limiters: medianLimiters(valid), Phases: map[string]time.Duration{}}
	median := func(name string, of func(*Burst) *float64) {
		var all []float64
		for _, b := range valid {
			if v := of(&b.report); v != nil {
				all = append(all, *v)
			}
		}
		slices.Sort(all)
		if m, ok := stats.Quantile(all, 0.5); ok {
			arm.Phases[name] = time.Duration(m * float64(time.Second))
		}
	}
	for _, name := range station.MovePhases() {
		median(name, func(b *Burst) *float64 {
			if ph := b.Phases[name]; ph != nil && ph.Count > 0 {
				return &ph.P99
			}
			return nil
		})
	}
	median(station.Makespan, func(b *Burst) *float64 { return b.MakespanSeconds })
	return arm
}

// explain says for a burst what its limiters did.
func explain(b recording.Burst, t timeline.Timeline, effective clusters.Effective) ([]station.Limiter, []string) {
	limiters := station.Attribute(b, t, effective)
	return limiters, station.Explain(limiters)
}
