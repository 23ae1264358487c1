package timeline_test

import (
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/timeline"
)

var noon = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

func TestImagePullsAreReadFromTheKubeletsEvents(t *testing.T) {
	for message, want := range map[string]time.Duration{
		`Successfully pulled image "a:1" in 2.5s (4.25s including waiting). Image size: 12 bytes.`: 4250 * time.Millisecond,
		`Successfully pulled image "a:1" in 812ms (812ms including waiting). Image size: 1 bytes.`: 812 * time.Millisecond,
		`Successfully pulled image "a:1" in 1m2.5s`:                                                62500 * time.Millisecond,
		`Successfully pulled image "a:1"`:                                                          0,
		`Container image "a:1" already present on machine`:                                         0,
	} {
		b := recording.Burst{Events: []recording.KubeEvent{
			{Reason: "Pulled", Kind: "Pod", UID: "u", Message: message, At: noon},
			{Reason: "Pulling", Kind: "Pod", UID: "u", Message: message, At: noon},
		}}
		if got := timeline.Exclude(&b)["u"].Length(); got != want {
			t.Errorf("%s: %v, want %v", message, got, want)
		}
	}
}

func TestAPulledEventThatIsRecordedTwiceIsOnePull(t *testing.T) {
	e := recording.KubeEvent{Reason: "Pulled", Kind: "Pod", UID: "u", Message: `Successfully pulled image "a" in 2s (2s including waiting).`, At: noon}
	again := e
	again.At, again.Count = noon.Add(3*time.Second), 2
	other := e
	other.Message = `Successfully pulled image "b" in 1s (1s including waiting).`
	b := recording.Burst{Events: []recording.KubeEvent{e, again, other}}
	if got := timeline.Exclude(&b)["u"].Length(); got != 3*time.Second {
		t.Errorf("%v, want 2 s and 1 s", got)
	}
}

// seen is the pod's state as watched, in seconds after noon.
func seen(at int, conditions ...recording.Condition) recording.Observation {
	return recording.Observation{UID: "u", At: noon.Add(time.Duration(at) * time.Second), InitContainers: 1, Conditions: conditions}
}

func having(kind, status, reason string) recording.Condition {
	return recording.Condition{Type: kind, Status: status, Reason: reason}
}

func TestGatesAndInitContainersAreLeftOutOfPodStartup(t *testing.T) {
	b := recording.Burst{
		Watch: []recording.Observation{
			seen(0), seen(1, having("PodScheduled", "False", "SchedulingGated")), seen(6, having("PodScheduled", "True", "")),
			seen(7, having("PodReadyToStartContainers", "True", ""), having("Initialized", "False", "")),
			seen(10, having("PodReadyToStartContainers", "True", ""), having("Initialized", "True", "")),
			seen(12, having("PodReadyToStartContainers", "True", ""), having("Initialized", "True", "")),
		},
		// The init container's image was pulled during initialization, so that time counts
		// once.
		Events: []recording.KubeEvent{{Reason: "Pulled", Kind: "Pod", UID: "u", Message: `Successfully pulled image "a" in 2s`, At: noon.Add(9 * time.Second)}},
	}
	if got := timeline.Exclude(&b)["u"].Length(); got != 8*time.Second { // 1 to 6 and 7 to 10
		t.Errorf("%v, want 8 s", got)
	}
	if got := timeline.Exclude(&recording.Burst{Watch: b.Watch[:1]}); len(got) != 0 {
		t.Errorf("%v is left out of a pod of which nothing is", got)
	}
}

func TestAPhaseBetweenTwoMarksOfOneObservationIsNoMeasurement(t *testing.T) {
	for _, ph := range timeline.Phases() {
		observed := ph.Name == "run_to_observed" || ph.Name == "run_to_watch"
		without := timeline.Build(synthetic.Burst(synthetic.Options{Index: 1, NoAudit: true}))
		if observed && without.Available(ph) {
			t.Errorf("%s is measured without an audit log", ph.Name)
		}
		with := timeline.Build(synthetic.Burst(synthetic.Options{Index: 1}))
		if observed && !with.Available(ph) {
			t.Errorf("%s is not measured with an audit log", ph.Name)
		}
	}
}
