package station

import (
	"errors"
	"fmt"
	"time"

	"github.com/podburst/podburst/framework/station/evidence"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/internal/span"
)

// runtimeMetric is how long the kubelet's calls to its container runtime took.
const runtimeMetric = "kubelet_runtime_operations_duration_seconds"

// runtimeOperations make a pod, in this order.
var runtimeOperations = []string{"run_podsandbox", "create_container", "start_container"}

// runtimeView is what is known of the container runtime: by the kubelets' metrics, which
// tell how long each kind of operation took on average, or by their logs, which tell
// when each pod's last container was created and started.
type runtimeView struct {
	known  bool
	err    error
	served int
	// each is the mean of each operation; perPod what all of one pod take.
	each   map[string]time.Duration
	perPod time.Duration
	// share is what part of a pod's time between accept and started the operations
	// take, by the means; from 0 to 1.
	share float64
	// started is when the kubelet logged each pod's last container as started, by UID.
	started map[string]time.Time
	created map[string]time.Time
	says    []string
}

// bounded is a part and the most that it can have been.
type bounded struct{ part, most time.Duration }

func (s *scene) runtimeView() runtimeView {
	v := runtimeView{each: map[string]time.Duration{}, started: map[string]time.Time{}, created: map[string]time.Time{}}
	sum, count := map[string]float64{}, map[string]float64{}
	for _, name := range s.kubelets() {
		rose, err := evidence.ProcessOf(s.burst, name).Histograms(runtimeMetric, "operation_type")
		if err != nil {
			v.err = errors.Join(v.err, fmt.Errorf("%s: %w", name, err))
			continue
		}
		for _, op := range runtimeOperations {
			sum[op] += rose[op].Sum
			count[op] += rose[op].Count
		}
	}
	for _, op := range runtimeOperations {
		if count[op] <= 0 {
			continue
		}
		v.each[op] = toDuration(sum[op] / count[op])
		v.perPod += v.each[op]
		v.served += int(min(count[op], 1e9))
		v.says = append(v.says, fmt.Sprintf("%s{operation_type=%q}: %.0f, %s each", runtimeMetric, op, count[op], humanize.Duration(v.each[op])))
	}
	v.logs(s)
	var phase time.Duration
	n := 0
	for i := range s.courses {
		if leg := s.courses[i].inKubelet(); leg.Length() > 0 {
			phase += leg.Length()
			n++
		}
	}
	if n > 0 && v.err == nil && v.perPod > 0 {
		v.share = min(1, v.perPod.Seconds()/(phase.Seconds()/float64(n)))
	}
	v.known = v.err == nil && v.perPod > 0 || len(v.started) > 0 && len(v.started) == len(s.courses)
	if v.known {
		v.err = nil
	} else if v.err == nil && len(s.courses) > 0 {
		v.err = fmt.Errorf("%w: the kubelets counted no operation of the runtime", evidence.ErrNotRecorded)
	}
	return v
}

// logs takes when pods' last containers were created and started.
func (v *runtimeView) logs(s *scene) {
	var starting time.Duration
	for i := range s.courses {
		c := &s.courses[i]
		for _, m := range []timeline.Mark{timeline.Created, timeline.Started} {
			for _, stamp := range c.pod.Marks[m] {
				if stamp.Source != timeline.ComponentLog {
					continue
				}
				if m == timeline.Created {
					v.created[c.pod.UID] = stamp.At
				} else {
					v.started[c.pod.UID] = stamp.At
				}
			}
		}
		if created, ok := v.created[c.pod.UID]; ok && v.started[c.pod.UID].After(created) {
			starting += v.started[c.pod.UID].Sub(created)
		}
	}
	if n := len(v.started); n > 0 {
		v.served = max(v.served, n)
		v.says = append(v.says, fmt.Sprintf("kubelet logs: %d pods' containers created and started, start_container took %s of a pod's time on average",
			n, humanize.Seconds(starting.Seconds()/float64(n))))
	}
}

// inKubelet is from the pod's binding until the status manager began its last write.
func (c *course) inKubelet() span.Span {
	from, ok := c.mark(timeline.Schedule)
	if !ok {
		return span.Span{}
	}
	if n := len(c.writes); n > 0 {
		return span.Span{From: from, To: c.writes[n-1].from}
	}
	return span.Span{From: from, To: c.ready}
}

// inside is how much of a leg of the pod's way the runtime took.
//
// By the logs it is all from the kubelet's acceptance of the pod (status.startTime, of
// whole seconds, or the first status written, whichever is earlier) until its last
// container was started: in between the pod's worker calls the runtime, volumes and
// pulls apart; what is known of its pulls is taken off. By the metrics it is the mean
// share of such a leg.
func (v *runtimeView) inside(c *course, leg span.Span, pulling time.Duration) bounded {
	if !v.known {
		return bounded{}
	}
	from, until := leg.From, leg.To
	if at, ok := v.started[c.pod.UID]; ok {
		until = at
	} else if at, ok := c.mark(timeline.Started); ok && at.Before(until) {
		until = at
	}
	legs := span.Set{leg}
	most := legs.Within(span.Span{From: from, To: until})
	if _, logged := v.started[c.pod.UID]; !logged {
		return bounded{time.Duration(v.share * float64(leg.Length())), most}
	}
	if accept, ok := c.mark(timeline.Accept); ok {
		from = accept
	}
	for _, stamp := range c.pod.Marks[timeline.Accept] {
		if at := stamp.At.Add(stamp.Resolution); stamp.Source == timeline.API && at.Before(from) {
			from = at
		}
	}
	if created, ok := v.created[c.pod.UID]; ok && created.Before(from) {
		// On a busy machine the first status is written when containers have long been made.
		from = created
	}
	return bounded{max(0, legs.Within(span.Span{From: from, To: until})-pulling), most}
}

// least is what the logs alone put to the runtime: from created to started.
func (v *runtimeView) least(c *course) time.Duration {
	created, ok := v.created[c.pod.UID]
	if !ok {
		return 0
	}
	return max(0, v.started[c.pod.UID].Sub(created))
}
