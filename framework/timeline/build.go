package timeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/podburst/podburst/framework/recording"
)

// Build turns a recorded burst into its timeline.
//
// Pods are told apart by UID. Pods that the burst's workload controls are its own; others
// that carry its label or run in its namespace are foreign. In a passive burst all watched
// pods are its own, because the recorder chose them. What was observed after the burst's
// end (its cleanup) does not count: Build ignores watch events received and requests begun
// after b.End.
func Build(b recording.Burst) Timeline {
	// Only a capacity hint: a recording may claim any number of pods.
	pods := max(0, min(b.Pods, len(b.Watch)+len(b.Audit)))
	bld := &builder{
		burst: &b, owner: b.Workload.UID,
		lives: make([]life, 0, pods), byUID: make(map[string]int, pods), foreign: make(map[string]string),
	}
	bld.readSubmit()
	bld.readWatch()
	bld.readAudit()
	bld.readEvents()
	bld.readLogs()
	return bld.timeline()
}

// builder collects what the streams say about each pod.
type builder struct {
	burst *recording.Burst
	// owner is the UID of the burst's workload.
	owner string
	// submit holds the readings of Submit, best first.
	submit []Stamp
	lives  []life
	byUID  map[string]int
	// foreign maps the UIDs of foreign pods to names.
	foreign map[string]string
	// sandboxKnown: some pod had the condition PodReadyToStartContainers, whether true or
	// false.
	sandboxKnown bool
}

func (bld *builder) readSubmit() {
	if bld.burst.Passive != nil {
		return // nobody knows
	}
	if at, ok := bld.auditedSubmit(); ok {
		bld.submit = append(bld.submit, stamp(fromAudit, reading{at: at}))
	}
	if at := bld.burst.Submit; !at.IsZero() {
		bld.submit = append(bld.submit, stamp(fromWatch, reading{at: at}))
	}
}

// life returns the pod with that UID, creating it if necessary.
func (bld *builder) life(uid, namespace, name string) *life {
	i, known := bld.byUID[uid]
	if !known {
		i = len(bld.lives)
		bld.lives = append(bld.lives, life{uid: uid, namespace: namespace, name: name})
		bld.byUID[uid] = i
	}
	return &bld.lives[i]
}

// afterEnd tells whether t is after the burst was observed.
func (bld *builder) afterEnd(t time.Time) bool {
	return !bld.burst.End.IsZero() && t.After(bld.burst.End)
}

// owns tells whether a pod belongs to the workload, by its controller or by its label.
func (bld *builder) owns(controllerUID, burstID string) bool {
	b := bld.burst
	return controllerUID != "" && controllerUID == bld.owner || b.Workload.ByLabel && burstID != "" && burstID == b.BurstID
}

// isForeign tells whether a pod that the workload does not control counts against the burst.
func (bld *builder) isForeign(burstID, namespace string) bool {
	b := bld.burst
	return burstID != "" && burstID == b.BurstID || namespace != "" && namespace == b.Namespace
}

func (bld *builder) timeline() Timeline {
	t := Timeline{Pods: bld.pods()}
	if len(bld.submit) > 0 {
		t.Submit = bld.submit[0]
	}
	t.account(bld.burst.Pods)
	for _, name := range bld.foreign {
		t.Foreign = append(t.Foreign, name)
	}
	slices.Sort(t.Foreign)
	t.Accounting.Foreign = len(t.Foreign)
	t.complete()
	t.Unavailable = bld.unavailable(t.Pods)
	return t
}

// pods returns the lives as pods, in the timeline's order.
func (bld *builder) pods() []Pod {
	stamps := 0
	order := make([]*life, len(bld.lives))
	for i := range bld.lives {
		order[i] = &bld.lives[i]
		stamps += order[i].count()
	}
	slices.SortFunc(order, func(a, b *life) int {
		atA, okA := a.primary(Create)
		atB, okB := b.primary(Create)
		switch {
		case okA && okB:
			if c := atA.Compare(atB); c != 0 {
				return c
			}
		case okA:
			return -1
		case okB:
			return 1
		}
		return cmp.Compare(a.uid, b.uid)
	})
	// One array holds the stamps of all pods; each mark is a slice of it.
	arena := make([]Stamp, 0, stamps)
	pods := make([]Pod, len(order))
	for i, l := range order {
		arena = l.pod(&pods[i], bld.submit, arena)
	}
	return pods
}

// account counts the outcomes of the first expected pods. All others are replacements.
func (t *Timeline) account(expected int) {
	a := Accounting{Expected: expected}
	for i := range t.Pods {
		p := &t.Pods[i]
		if i >= expected {
			p.Replacement = true
			a.Replaced++
			continue
		}
		switch p.Outcome {
		case OutcomeReady:
			a.Ready++
		case OutcomeFailed:
			a.Failed++
		case OutcomePending:
			a.Pending++
		case OutcomeLost:
			a.Lost++
		}
	}
	if unseen := expected - len(t.Pods); unseen > 0 {
		a.Lost += unseen
	}
	t.Accounting = a
}

// complete fills the completion curve.
func (t *Timeline) complete() {
	if t.Submit.At.IsZero() {
		return
	}
	for i := range t.Pods {
		p := &t.Pods[i]
		if p.Replacement || p.Outcome != OutcomeReady {
			continue
		}
		if ready, ok := p.Primary(Ready); ok {
			t.Completion = append(t.Completion, ready.At.Sub(t.Submit.At))
		}
	}
	slices.Sort(t.Completion)
}

// unavailable lists the marks that no source of this recording can give. The list is narrow
// on purpose, because a mark in it is not held against a burst. It can hold only Created
// (component logs are not recorded), Sandbox (a cluster may lack the condition) and, for a
// passive burst, Submit. All other marks can be read from the watch.
func (bld *builder) unavailable(pods []Pod) []Mark {
	anyHas := func(m Mark) bool {
		for i := range pods {
			if _, ok := pods[i].Primary(m); ok {
				return true
			}
		}
		return false
	}
	var marks []Mark
	if bld.burst.Passive != nil {
		marks = append(marks, Submit)
	}
	// A pod that ran has passed its sandbox. If none ran, nothing is known about the
	// condition.
	if !bld.sandboxKnown && (anyHas(Run) || anyHas(Observed)) {
		marks = append(marks, Sandbox)
	}
	if !anyHas(Created) {
		marks = append(marks, Created)
	}
	return marks
}
