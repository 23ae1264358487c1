package reports

import (
	"testing"

	"github.com/podburst/podburst/framework/recording"
)

func TestSentencesTakeTheirWordsFromWhatWasSent(t *testing.T) {
	observed := Burst{Passive: &Passive{}}
	set := Burst{Workload: recording.Workload{Kind: "StatefulSet", Controller: "StatefulSet controller"}}
	for name, c := range map[string]struct {
		bursts []Burst
		want   string
	}{
		"recorded":                     {[]Burst{set}, "StatefulSet"},
		"pods of others before":        {[]Burst{observed, set}, "StatefulSet"},
		"report.json, which is silent": {[]Burst{{}}, "Job"},
	} {
		if got := (&Report{Bursts: c.bursts}).Workload().Kind; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
