package validity_test

import (
	"slices"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/framework/validity"
)

func TestWhatMakesAPassiveBurstInvalid(t *testing.T) {
	for name, c := range map[string]struct {
		change func(b *recording.Burst)
		codes  []string
	}{
		"nothing":                   {func(*recording.Burst) {}, nil},
		"it settled":                {func(b *recording.Burst) { b.EndReason = recording.EndSettled }, nil},
		"it came to its time's end": {func(b *recording.Burst) { b.EndReason = recording.EndDeadline }, nil},
		"no end":                    {func(b *recording.Burst) { b.EndReason = "" }, []string{recording.ProblemTruncatedRecording}},
		"no pod":                    {func(b *recording.Burst) { b.Watch, b.Pods = nil, 0 }, []string{recording.ProblemNoSamples}},
		"a pod fewer than wanted":   {func(b *recording.Burst) { b.Pods++ }, []string{recording.ProblemPodLost}},
		"a pod more than wanted":    {func(b *recording.Burst) { b.Pods-- }, []string{recording.ProblemPodReplaced}},
		"images pulled, as they must": {func(b *recording.Burst) {
			b.Events = []recording.KubeEvent{{Kind: "Pod", Name: "a", Reason: "Pulling"}}
		}, nil},
		"a pod labeled 5 s after it was created": {func(b *recording.Burst) {
			for i := range b.Watch {
				if b.Watch[i].UID == b.Watch[0].UID {
					b.Watch[i].Created = b.Watch[0].At.Add(-5 * time.Second)
				}
			}
		}, []string{recording.ProblemPodLate}},
		"a watch gap": {func(b *recording.Burst) { b.Health.Relists = 1 }, []string{recording.ProblemWatchGap}},
	} {
		t.Run(name, func(t *testing.T) {
			b := synthetic.Burst(synthetic.Options{Pods: 5, Index: 1, NoAudit: true})
			b.Passive = &recording.Passive{Selector: "app=web", Began: b.Submit}
			b.Submit, b.Workload, b.AuditUnavailable = time.Time{}, recording.Workload{}, "not available"
			c.change(&b)
			var codes []string
			for _, p := range validity.Judge(b, timeline.Build(b), validity.Options{}) {
				codes = append(codes, p.Code)
			}
			if !slices.Equal(codes, c.codes) {
				t.Errorf("invalid for %v, want %v", codes, c.codes)
			}
		})
	}
}
