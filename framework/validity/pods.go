package validity

import (
	"strings"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/timeline"
)

// named lists the names of the pods for which is returns true, in the timeline's order.
func (j *judge) named(is func(p *timeline.Pod) bool) []string {
	var names []string
	for i := range j.t.Pods {
		if p := &j.t.Pods[i]; is(p) {
			names = append(names, p.Name)
		}
	}
	return names
}

// pods judges what became of each pod.
func (j *judge) pods() {
	a := j.t.Accounting
	expected := func(outcome timeline.Outcome) func(p *timeline.Pod) bool {
		return func(p *timeline.Pod) bool { return p.Outcome == outcome && !p.Replacement }
	}
	if a.Lost > 0 {
		gone := j.named(expected(timeline.OutcomeLost))
		switch unseen := a.Lost - len(gone); {
		case unseen <= 0:
			j.add(recording.ProblemPodLost, "%s of %d vanished: %s", count(a.Lost), a.Expected, list(gone))
		case len(gone) == 0:
			j.add(recording.ProblemPodLost, "%s of %d never seen", count(unseen), a.Expected)
		default:
			j.add(recording.ProblemPodLost, "%s of %d never seen, and vanished: %s", count(unseen), a.Expected, list(gone))
		}
	}
	j.podProblem(recording.ProblemPodFailed, "failed", expected(timeline.OutcomeFailed))
	if j.b.EndReason == recording.EndPodFailed {
		j.addOnce(recording.ProblemPodFailed, "the %s failed", j.b.Workload.Kind)
	}
	j.pending(expected(timeline.OutcomePending))
	j.podProblem(recording.ProblemPodDeleted, "deleted while the burst was observed", func(p *timeline.Pod) bool { return p.Deleted })
	j.podProblem(recording.ProblemPodReplaced, "made beyond those asked for", func(p *timeline.Pod) bool { return p.Replacement })
	j.podProblem(recording.ProblemPodRestarted, "restarted", func(p *timeline.Pod) bool { return p.Restarts > 0 })

	late := j.named(func(p *timeline.Pod) bool { return p.Late })
	switch {
	case len(late) > 0:
		j.add(recording.ProblemPodLate, "%s first seen already past a mark: %s", count(len(late)), list(late))
	case j.b.Health.Late > 0:
		j.add(recording.ProblemPodLate, "%s first seen already past a mark", count(j.b.Health.Late))
	}
	if n := a.Foreign; n > 0 {
		j.add(recording.ProblemForeignPod, "%s not of the burst's %s: %s", count(n), j.b.Workload.Kind, list(j.t.Foreign))
	}
}

func (j *judge) podProblem(code, what string, is func(p *timeline.Pod) bool) {
	if names := j.named(is); len(names) > 0 {
		j.add(code, "%s %s: %s", count(len(names)), what, list(names))
	}
}

// pending adds why the containers wait, if known.
func (j *judge) pending(is func(p *timeline.Pod) bool) {
	names := j.named(is)
	if len(names) == 0 {
		return
	}
	var reasons []string
	seen := map[string]bool{"": true}
	for i := range j.t.Pods {
		if p := &j.t.Pods[i]; is(p) && !seen[p.Waiting] {
			seen[p.Waiting] = true
			reasons = append(reasons, p.Waiting)
		}
	}
	why := ""
	if len(reasons) > 0 {
		why = "; containers wait for " + strings.Join(reasons, ", ")
	}
	j.add(recording.ProblemPodPending, "%s not ready when the burst ended (%s): %s%s", count(len(names)), j.b.EndReason, list(names), why)
}

// images looks for image pulls: a burst measures starts with images already present.
// Senders of a passive burst may want pulls; pod_startup excludes them.
func (j *judge) images() {
	if j.b.Passive != nil {
		return
	}
	var pods []string
	seen := map[string]bool{}
	for i := range j.b.Events {
		e := &j.b.Events[i]
		// "Pulled" is also reported for an image that was present.
		pulled := e.Reason == "Pulling" || e.Reason == "Pulled" && strings.HasPrefix(e.Message, "Successfully pulled")
		if e.Kind == "Pod" && pulled && !seen[e.Name] {
			seen[e.Name] = true
			pods = append(pods, e.Name)
		}
	}
	if len(pods) > 0 {
		j.addOnce(recording.ProblemImagePulled, "an image was pulled for %s: %s; load it into the nodes before the run", count(len(pods)), list(pods))
	}
}
