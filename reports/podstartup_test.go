package reports

import (
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/timeline"
)

func TestImagePullsAreNoPartOfPodStartupAlone(t *testing.T) {
	for _, ph := range timeline.Phases() {
		want := 5 * time.Second
		if ph.Name == "pod_startup" {
			want = 3 * time.Second
		}
		if got := startup(ph, 5*time.Second, 2*time.Second); got != want {
			t.Errorf("%s: %v, want %v", ph.Name, got, want)
		}
	}
	if got := startup(timeline.Phase{Name: "pod_startup"}, time.Second, time.Minute); got != 0 {
		t.Errorf("%v, want no negative time", got)
	}
}

func TestAPulledEventThatIsRecordedTwiceIsSubtractedOnce(t *testing.T) {
	b := synthetic.Burst(synthetic.Options{Index: 1, Pods: 1})
	pull := recording.KubeEvent{Reason: "Pulled", Kind: "Pod", UID: b.Watch[0].UID, Message: `Successfully pulled image "x" in 60ms`}
	of := func(events ...recording.KubeEvent) float64 {
		b.Events = events
		mb, err := measure(b, recording.Profile{Name: b.Profile}, 2)
		if err != nil {
			t.Fatal(err)
		}
		return mb.report.Phases["pod_startup"].Max
	}
	if once, twice := of(pull), of(pull, pull); once != twice || once <= 0 {
		t.Errorf("pod_startup is %g s, and %g s with the Event twice", once, twice)
	}
}
