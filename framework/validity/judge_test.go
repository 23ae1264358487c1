package validity_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/framework/validity"
)

func judge(b recording.Burst, o validity.Options) []recording.Problem {
	return validity.Judge(b, timeline.Build(b), o)
}

func TestAWholeBurstIsValid(t *testing.T) {
	for name, o := range map[string]synthetic.Options{
		"one pod": {Pods: 1, Index: 1}, "with audit log": {Pods: 100, Index: 1},
		"without": {Pods: 100, Index: 1, NoAudit: true}, "a warm-up": {Pods: 5},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(20) {
				o.Seed = seed
				if got := judge(synthetic.Burst(o), validity.Options{}); len(got) != 0 {
					t.Fatalf("seed %d: problems %v, want none", seed, got)
				}
			}
		})
	}
}

// podOf changes one pod's observations.
func podOf(b *recording.Burst, name string, change func(o *recording.Observation)) {
	b.Watch = slices.Clone(b.Watch)
	for i := range b.Watch {
		if b.Watch[i].Name == name {
			change(&b.Watch[i])
		}
	}
}

// last adds another, changed sighting of the pod right before the burst's end.
func last(b *recording.Burst, name string, change func(o *recording.Observation)) {
	for i := len(b.Watch) - 1; i >= 0; i-- {
		if o := b.Watch[i]; o.Name == name {
			o.At = b.End.Add(-time.Millisecond)
			change(&o)
			b.Watch = append(b.Watch, o)
			return
		}
	}
}

func drop(b *recording.Burst, watch func(o *recording.Observation) bool, audit func(e *recording.AuditEvent) bool) {
	b.Watch = slices.DeleteFunc(slices.Clone(b.Watch), func(o recording.Observation) bool { return watch != nil && watch(&o) })
	b.Audit = slices.DeleteFunc(slices.Clone(b.Audit), func(e recording.AuditEvent) bool { return audit != nil && audit(&e) })
}

const pod = "burst-00003"

func TestEveryReasonIsProvoked(t *testing.T) {
	type reason struct{ code, detail string }
	for name, c := range map[string]struct {
		damage  func(b *recording.Burst)
		options validity.Options
		// want are the problems, exactly and in order.
		want []reason
	}{
		"a pod that was never seen": {func(b *recording.Burst) {
			drop(b, func(o *recording.Observation) bool { return o.Name == pod }, func(e *recording.AuditEvent) bool { return e.Name == pod })
		}, validity.Options{}, []reason{{recording.ProblemPodLost, "1 pod of 8 never seen"}}},
		"a pod that was deleted": {func(b *recording.Burst) {
			last(b, pod, func(o *recording.Observation) { o.Type = "deleted" })
		}, validity.Options{}, []reason{
			{recording.ProblemPodLost, "1 pod of 8 vanished: " + pod},
			{recording.ProblemPodDeleted, "1 pod deleted while the burst was observed: " + pod},
		}},
		"one never seen and one deleted": {func(b *recording.Burst) {
			b.Pods = 9
			last(b, pod, func(o *recording.Observation) { o.Deleting = true })
		}, validity.Options{}, []reason{
			{recording.ProblemPodLost, "1 pod of 9 never seen, and vanished: " + pod},
			{recording.ProblemPodDeleted, "1 pod deleted while the burst was observed: " + pod},
		}},
		"a pod that failed": {func(b *recording.Burst) {
			last(b, pod, func(o *recording.Observation) { o.Phase = "Failed" })
		}, validity.Options{}, []reason{{recording.ProblemPodFailed, "1 pod failed: " + pod}}},
		"a pod that is pending at the deadline": {func(b *recording.Burst) {
			b.EndReason = recording.EndDeadline
			drop(b, nil, func(e *recording.AuditEvent) bool { return e.Name == pod && e.Subresource == "status" })
			podOf(b, pod, func(o *recording.Observation) {
				o.Phase, o.Conditions, o.Containers = "Pending", nil, recording.Containers{Total: 1, Waiting: "ErrImageNeverPull"}
			})
		}, validity.Options{}, []reason{
			{recording.ProblemPodPending, "1 pod not ready when the burst ended (deadline): " + pod + "; containers wait for ErrImageNeverPull"},
		}},
		"a pod beyond those asked for": {func(b *recording.Burst) { b.Pods = 7 }, validity.Options{},
			[]reason{{recording.ProblemPodReplaced, "1 pod made beyond those asked for: burst-00007"}}},
		"a pod that restarted": {func(b *recording.Burst) {
			last(b, pod, func(o *recording.Observation) { o.Containers.Restarts = 1 })
		}, validity.Options{}, []reason{{recording.ProblemPodRestarted, "1 pod restarted: " + pod}}},
		"a pod first seen bound": {func(b *recording.Burst) {
			drop(b, func(o *recording.Observation) bool { return o.Name == pod && o.Type == "added" }, nil)
		}, validity.Options{}, []reason{{recording.ProblemPodLate, "1 pod first seen already past a mark: " + pod}}},
		"late pods that the streams do not show": {func(b *recording.Burst) { b.Health.Late = 2 }, validity.Options{},
			[]reason{{recording.ProblemPodLate, "2 pods first seen already past a mark"}}},
		"another owner's pod": {func(b *recording.Burst) {
			o := b.Watch[0]
			o.UID, o.Name, o.OwnerUID = "x", "stranger", "other"
			b.Watch = append(b.Watch, o)
		}, validity.Options{}, []reason{{recording.ProblemForeignPod, "1 pod not of the burst's Job: stranger"}}},
		"a ready pod without its run mark": {func(b *recording.Burst) {
			b.Audit = slices.Clone(b.Audit)
			for i := range b.Audit {
				if e := &b.Audit[i]; e.Name == pod && e.Status != nil {
					s := *e.Status
					s.Phase, e.Status = "", &s
				}
			}
			podOf(b, pod, func(o *recording.Observation) { o.Phase = "Pending" })
		}, validity.Options{}, []reason{
			{recording.ProblemMarkMissing, "1 pod ready without the mark run: " + pod},
			{recording.ProblemMarkMissing, "1 pod ready without the mark observed: " + pod},
		}},
		"a phase that ends before it begins": {func(b *recording.Burst) {
			b.Audit = slices.Clone(b.Audit)
			for i := range b.Audit {
				if e := &b.Audit[i]; e.Name == pod && e.Subresource == "binding" {
					e.Received, e.Completed = b.Submit, b.Submit.Add(5*time.Millisecond)
				}
			}
		}, validity.Options{}, []reason{{recording.ProblemNegativeDuration, "create_to_schedule of 1 pod is negative beyond its clocks' error, down to "}}},
		"a watcher that listed anew": {func(b *recording.Burst) { b.Health.Relists, b.Health.WatchErrors = 1, 3 }, validity.Options{},
			[]reason{{recording.ProblemWatchGap, "the watcher listed anew 1 times (after 3 watch errors): it may have missed events"}}},
		// What happened while the watch was down was stamped when the watch came back.
		"a watch that broke off and was resumed": {func(b *recording.Burst) { b.Health.WatchErrors = 1 }, validity.Options{},
			[]reason{{recording.ProblemWatchGap, "the watch broke off or could not be opened 1 times: events were seen late"}}},
		// The watch's stamp replaced the lost one, and nobody was told.
		"an audit log that lacks one request": {func(b *recording.Burst) {
			drop(b, nil, func(e *recording.AuditEvent) bool { return e.Name == pod && e.Subresource == "binding" })
		}, validity.Options{}, []reason{{recording.ProblemAuditGap, "the audit log lacks the request that is the mark schedule of 1 pod: " + pod}}},
		"a watcher that dropped events": {func(b *recording.Burst) { b.Health.Dropped = 4 }, validity.Options{},
			[]reason{{recording.ProblemWatchDropped, "the watcher could not keep 4 events"}}},
		"an observer answered 429": {func(b *recording.Burst) { b.Health.Throttled = 2 }, validity.Options{},
			[]reason{{recording.ProblemObserverThrottled, "the API server answered 2 of the observer's requests with 429"}}},
		"an audit log that is empty": {func(b *recording.Burst) { b.Audit = nil }, validity.Options{},
			[]reason{{recording.ProblemAuditGap, "the audit log holds nothing of the burst"}}},
		"an interruption": {func(b *recording.Burst) { b.EndReason = recording.EndInterrupted }, validity.Options{},
			[]reason{{recording.ProblemInterrupted, "the run was interrupted while the burst was observed"}}},
		"an interruption that was recorded": {func(b *recording.Burst) {
			b.EndReason = recording.EndInterrupted
			b.Problems = []recording.Problem{{Code: recording.ProblemInterrupted, Detail: "signal: terminated"}}
		}, validity.Options{}, []reason{{recording.ProblemInterrupted, "signal: terminated"}}},
		"a Job that failed, and no pod was seen to": {func(b *recording.Burst) { b.EndReason = recording.EndPodFailed }, validity.Options{},
			[]reason{{recording.ProblemPodFailed, "the Job failed"}}},
		"a component that exited": {func(b *recording.Burst) { b.EndReason = recording.EndAborted }, validity.Options{},
			[]reason{{recording.ProblemComponentExited, "observing was given up, for a component had exited"}}},
		"an end that the recording does not tell": {func(b *recording.Burst) { b.EndReason = "" }, validity.Options{},
			[]reason{{recording.ProblemTruncatedRecording, `the recording does not say how the burst ended ("")`}}},
		"a Job that was refused": {func(b *recording.Burst) {
			b.EndReason, b.Watch, b.Audit = recording.EndRefused, nil, nil
		}, validity.Options{}, []reason{
			{recording.ProblemRefused, "the API server refused the Job"},
			{recording.ProblemPodLost, "8 pods of 8 never seen"},
			{recording.ProblemNoSamples, "no pod of the burst can be measured from submit to ready"},
		}},
		"a burst of no pods": {func(b *recording.Burst) { b.Pods, b.Watch, b.Audit, b.AuditUnavailable = 0, nil, nil, "no" }, validity.Options{},
			[]reason{{recording.ProblemNoSamples, "no pod of the burst can be measured from submit to ready"}}},
		"an image that was pulled": {func(b *recording.Burst) {
			b.Events = []recording.KubeEvent{
				{Reason: "Pulled", Kind: "Pod", Name: "burst-00001", Message: "Container image already present on machine"},
				{Reason: "Pulling", Kind: "Pod", Name: pod},
				{Reason: "Pulled", Kind: "Pod", Name: pod, Message: "Successfully pulled image in 2s"},
			}
		}, validity.Options{}, []reason{{recording.ProblemImagePulled, "an image was pulled for 1 pod: " + pod + "; load it into the nodes before the run"}}},
		"what was recorded, the profile's first, none twice": {func(b *recording.Burst) {
			node := recording.Problem{Code: recording.ProblemNodeNotReady, Detail: "node-1"}
			b.Problems = []recording.Problem{node, node}
		}, validity.Options{Profile: []recording.Problem{{Code: recording.ProblemSettingsMismatch, Detail: "kube-scheduler 50/100, asked for 150/200"}}}, []reason{
			{recording.ProblemSettingsMismatch, "kube-scheduler 50/100, asked for 150/200"}, {recording.ProblemNodeNotReady, "node-1"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			b := synthetic.Burst(synthetic.Options{Index: 1, Seed: 1})
			c.damage(&b)
			got := judge(b, c.options)
			ok := len(got) == len(c.want)
			for i := range c.want {
				ok = ok && got[i].Code == c.want[i].code && strings.HasPrefix(got[i].Detail, c.want[i].detail)
			}
			if !ok {
				t.Errorf("problems are\n%v\nwant\n%v", got, c.want)
			}
			if again := judge(b, c.options); !reflect.DeepEqual(got, again) {
				t.Errorf("judged again, problems are %v", again)
			}
		})
	}
}

func TestAnIdentityThatDoesNotHoldIsAReason(t *testing.T) {
	b := synthetic.Burst(synthetic.Options{Index: 1})
	tl := timeline.Build(b)
	tl.Accounting.Ready--
	got := validity.Judge(b, tl, validity.Options{})
	if len(got) != 1 || got[0].Code != recording.ProblemAccounting {
		t.Errorf("problems are %v, want the accounting", got)
	}
}

func TestDetailsNameFivePods(t *testing.T) {
	b := synthetic.Burst(synthetic.Options{Index: 1, Pods: 17})
	for _, o := range slices.Clone(b.Watch) {
		if o.Type == "added" {
			last(&b, o.Name, func(o *recording.Observation) { o.Containers.Restarts = 2 })
		}
	}
	got := judge(b, validity.Options{})
	var first []string
	for _, p := range timeline.Build(b).Pods[:5] {
		first = append(first, p.Name)
	}
	want := "17 pods restarted: " + strings.Join(first, ", ") + " and 12 more"
	if len(got) != 1 || got[0].Detail != want {
		t.Errorf("problems are %v, want %q", got, want)
	}
}

// A negative phase is a reason only if no true order of the marks explains it.
func TestNegativeDurationsAreHeldAgainstTheStampsUncertainty(t *testing.T) {
	at := func(ms float64) time.Time {
		return time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC).Add(time.Duration(ms * float64(time.Millisecond)))
	}
	audit := func(ms, since float64) timeline.Stamp {
		return timeline.Stamp{At: at(ms), Source: timeline.Audit, Resolution: time.Microsecond, Since: at(since).Sub(at(0))}
	}
	watch := func(ms float64) timeline.Stamp {
		return timeline.Stamp{At: at(ms), Source: timeline.Watch, Resolution: time.Nanosecond}
	}
	for name, c := range map[string]struct {
		run, observed timeline.Stamp
		offset        *recording.ClockOffset
		invalid       bool
	}{
		"equal stamps":                              {audit(10, 0), watch(10), nil, false},
		"seen before the answer was stamped":        {audit(10, 5), watch(6), nil, false},
		"seen before the request, in clock error":   {audit(10, 5), watch(3.5), nil, false},
		"seen long before the request":              {audit(10, 5), watch(2.9), nil, true},
		"explained by the measured clock offset":    {audit(10, 5), watch(2.9), &recording.ClockOffset{LowSeconds: 0.001, HighSeconds: 0.003}, false},
		"an offset the other way explains nothing":  {audit(10, 5), watch(2.9), &recording.ClockOffset{LowSeconds: -0.01, HighSeconds: -0.005}, true},
		"one clock, overlapping requests":           {audit(10, 5), audit(6, 5), nil, false},
		"one clock, the second's Since is no help":  {audit(10, 1), audit(8, 5), nil, true},
		"watch to audit, clock error only":          {watch(10), audit(8.5, 0), nil, false},
		"watch to audit, server behind":             {watch(10), audit(5, 0), &recording.ClockOffset{LowSeconds: -0.006, HighSeconds: -0.004}, false},
		"watch to audit, no measurement":            {watch(10), audit(5, 0), nil, true},
		"whole microseconds may be rounded the odd": {audit(10, 0), audit(9.999, 0), nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := timeline.Pod{UID: "u", Name: "p", Outcome: timeline.OutcomeReady}
			for _, m := range timeline.Marks() {
				p.Marks[m] = []timeline.Stamp{c.run}
			}
			p.Marks[timeline.Observed] = []timeline.Stamp{c.observed}
			tl := timeline.Timeline{Pods: []timeline.Pod{p}, Accounting: timeline.Accounting{Expected: 1, Ready: 1}, Completion: []time.Duration{1}}
			b := recording.Burst{Pods: 1, EndReason: recording.EndAllReady, AuditUnavailable: "no", ClockOffset: c.offset}
			got := validity.Judge(b, tl, validity.Options{})
			if (len(got) > 0) != c.invalid || c.invalid && got[0].Code != recording.ProblemNegativeDuration {
				t.Errorf("problems are %v, want invalid: %v", got, c.invalid)
			}
		})
	}
}
