package station

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/span"
)

// Analyze says where a burst's pods waited: every station of DESIGN §8 with bounds, or
// with the reason why it is not known. It is a pure function of the recording. cpus is
// how many processors the machine has, 0 where nobody knows.
//
// The ideas are those of operational analysis (Denning & Buzen 1978): what is measured is
// what happened, utilization is busy time over time, and a station that is always busy
// bounds the throughput of all.
func Analyze(b recording.Burst, t timeline.Timeline, p recording.Profile, cpus int) Analysis {
	s := newScene(&b, &t, &p, cpus)
	a := Analysis{parts: map[id]time.Duration{}, bounds: map[id]interval{}, held: map[id]interval{}}
	v := s.views()
	processors := s.processorsView()
	s.sampled, s.full = processors.sampled, processors.full(s.cpus)
	for i := range s.courses {
		s.ways = append(s.ways, s.wayOf(&s.courses[i], &v))
	}
	if makespan, ok := t.Makespan(); ok && makespan > 0 && len(s.courses) > 0 {
		seconds := stats.SecondsOf(makespan)
		a.MakespanSeconds = &seconds
		a.split(s, &v, makespan)
		a.model = s.newModel(&a, &v, &processors, makespan)
	}
	a.hold(s, &v)
	a.Stations = a.stations(s, &v, &processors)
	a.disown()
	a.NotExplainedSeconds = stats.SecondsOf(a.rest)
	a.follow(s, &v, &processors)
	a.gains(&processors)
	a.rank()
	if a.MakespanSeconds != nil {
		a.loads = s.newLoads(&a, &v, &processors)
	}
	a.Sentences = a.sentences(s, &v, &processors)
	return a
}

// views asks every station.
func (s *scene) views() views {
	v := views{kubelets: map[string]*limiterView{}, writes: s.readWrites(), place: s.placeView()}
	v.creator = s.limiterOf(clusters.Instance{Component: clusters.KubeControllerManager})
	v.scheduler = s.limiterOf(clusters.Instance{Component: clusters.KubeScheduler})
	for _, node := range s.nodes {
		k := s.limiterOf(clusters.Instance{Component: clusters.Kubelet, Node: node})
		v.kubelets[node] = &k
	}
	v.jobs, v.loop = s.jobController(), s.schedulingLoop()
	v.managers = s.statusManagers(v.kubelets, &v.writes)
	v.runtime, v.pulls = s.runtimeView(), s.pullsView()
	var posts []span.Span
	for i := range s.courses {
		if e := s.courses[i].create; e != nil {
			posts = append(posts, span.Span{From: e.Received, To: e.Completed})
		}
	}
	v.posts = span.Union(posts, 0)
	if v.creator.err == nil {
		v.posts = v.posts.Minus(v.creator.bucket.possible)
	}
	return v
}

// split divides the makespan among the stations by the ways of its last pods. Each part is
// their mean; what the last pod took beyond the mean is not explained, as is what no
// station accounts for, so that the parts add up to the makespan exactly.
func (a *Analysis) split(s *scene, v *views, makespan time.Duration) {
	tail := s.last()
	a.TailPods = len(tail)
	n := time.Duration(len(tail))
	for _, i := range tail {
		for k, d := range s.ways[i].parts {
			a.parts[k] += d
		}
	}
	a.rest = makespan
	for k, d := range a.parts {
		a.parts[k] = d / n
		a.rest -= d / n
	}
	a.bounds = s.bounds(v, tail)
	for k, h := range a.bounds {
		a.bounds[k] = interval{min(h.low, a.parts[k]), max(h.high, a.parts[k])}
	}
}

// bounds are what each station held of some pods' ways, as a mean.
func (s *scene) bounds(v *views, pods []int) map[id]interval {
	sum := map[id]interval{}
	for _, i := range pods {
		w := s.ways[i]
		for k, d := range w.most {
			sum[k] = sum[k].plus(interval{0, d})
		}
		for k, d := range s.least(&s.courses[i], v, w) {
			sum[k] = sum[k].plus(interval{d, 0})
		}
	}
	for k, h := range sum {
		h = interval{h.low / time.Duration(len(pods)), h.high / time.Duration(len(pods))}
		sum[k] = interval{min(h.low, h.high), h.high}
	}
	return sum
}

// hold bounds what each station held of its own phase, by the pods of which that phase
// took longest.
func (a *Analysis) hold(s *scene, v *views) {
	if len(s.courses) == 0 {
		return
	}
	byPhase := map[string]map[id]interval{}
	for _, k := range everyStation() {
		phase := phaseOf(k)
		if byPhase[phase] == nil {
			byPhase[phase] = s.bounds(v, s.longest(phase))
		}
		a.held[k] = byPhase[phase][k]
	}
	a.held[at(ObserverWatch)] = s.watched()
}

// disown puts what is accounted to a station that is not known to what is not explained.
func (a *Analysis) disown() {
	for i := range a.Stations {
		if st := &a.Stations[i]; !st.Known {
			a.rest += a.parts[st.id]
			delete(a.parts, st.id)
			st.Part.Seconds, st.Part.LowSeconds = 0, 0
		}
	}
}

// least is what each station certainly held of a pod's way.
func (s *scene) least(c *course, v *views, w *way) map[id]time.Duration {
	least := map[id]time.Duration{
		at(Place): min(w.parts[at(Place)], v.place.certain[c.pod.UID].Length()), at(ImagePulls): v.pulls.least(c, w),
		at(ContainerRuntime): v.runtime.least(c),
	}
	if c.create != nil {
		least[id{ClientLimiter, clusters.KubeControllerManager}] = v.creator.inside(span.Span{From: s.window.From, To: c.create.Received}).low
		if c.bind != nil {
			least[id{ClientLimiter, clusters.KubeScheduler}] = v.scheduler.inside(span.Span{From: c.create.Completed, To: c.bind.Received}).low
		}
	}
	if k := v.kubelets[c.pod.Node]; k != nil {
		least[id{ClientLimiter, clusters.Kubelet}] = k.inside(c.inKubelet()).low
	}
	if c.create != nil && c.bind != nil {
		least[at(SchedulingLoop)] = v.loop.least(span.Span{From: c.create.Completed, To: c.bind.Received}, s.windowOf(timeline.Create, timeline.Schedule))
	}
	for name, d := range w.timed { // the pod's own requests
		if (name == APIServer || name == Binding || name == StatusManager) && v.writes.parted() != nil {
			continue // what is not known may be among it
		}
		least[at(name)] += d
	}
	if c.create != nil && v.writes.hooked {
		least[at(Admission)] = v.hookedAtLeast(span.Span{From: s.window.From, To: c.create.Completed})
	}
	return least
}

// hookedAtLeast is for how long some creation certainly waited for webhooks in the window:
// while creations were with the API server, less what each batch of them can have taken
// besides.
func (v *views) hookedAtLeast(window span.Span) time.Duration {
	var sum time.Duration
	for _, batch := range v.posts.Clip(window) {
		sum += max(0, batch.Length()-v.writes.longest[writeCreate])
	}
	return sum
}

// rank puts the station first that accounts for most of the makespan, with those that
// follow it; equal ones come in a pod's order.
func (a *Analysis) rank() {
	account := a.accounts()
	slices.SortStableFunc(a.Stations, func(x, y Station) int {
		if c := account[y.id] - account[x.id]; c != 0 {
			return sign(c)
		}
		return sign(a.parts[y.id] - a.parts[x.id])
	})
}

// accounts is what each station accounts for together with those that follow it.
func (a *Analysis) accounts() map[id]time.Duration {
	account := map[id]time.Duration{}
	for i := range a.Stations {
		st := &a.Stations[i]
		account[a.root(st).id] += a.parts[st.id]
	}
	return account
}

func sign(d time.Duration) int {
	switch {
	case d < 0:
		return -1
	case d > 0:
		return 1
	}
	return 0
}

// reason is an error as one line: what several kubelets say alike is said once.
func reason(err error) string {
	if err == nil {
		return ""
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) > 1 {
		return fmt.Sprintf("%s (and %d more)", lines[0], len(lines)-1)
	}
	return lines[0]
}
