package reports

import (
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/timeline"
)

func TestImagePullsAreReadFromTheKubeletsEvents(t *testing.T) {
	for message, want := range map[string]time.Duration{
		`Successfully pulled image "a:1" in 2.5s (4.25s including waiting). Image size: 12 bytes.`: 4250 * time.Millisecond,
		`Successfully pulled image "a:1" in 812ms (812ms including waiting). Image size: 1 bytes.`: 812 * time.Millisecond,
		`Successfully pulled image "a:1" in 1m2.5s`:                                                62500 * time.Millisecond,
		`Successfully pulled image "a:1"`:                                                          0,
		`Container image "a:1" already present on machine`:                                         0,
	} {
		b := recording.Burst{Events: []recording.KubeEvent{
			{Reason: "Pulled", Kind: "Pod", UID: "u", Message: message},
			{Reason: "Pulling", Kind: "Pod", UID: "u", Message: message},
		}}
		if got := pulls(&b)["u"]; got != want {
			t.Errorf("%s: %v, want %v", message, got, want)
		}
	}
}

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
