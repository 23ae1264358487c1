package gate

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/stats"
)

func TestSuggestMargins(t *testing.T) {
	// Normal quantiles give log ratios of 12 blocks with exactly the given noise.
	endpoint := func(noise, offset float64) Endpoint {
		e := Endpoint{Name: "makespan"}
		for i := range 12 {
			base := 4 * math.Exp(0.1*math.Sin(float64(i)))
			e.Pairs = append(e.Pairs, Pair{Block: i, BaseSeconds: stats.Seconds(base), HeadSeconds: stats.Seconds(base * math.Exp(offset+noise*normalQuantile((float64(i)+0.5)/12)))})
		}
		return e
	}
	for _, test := range []struct {
		name     string
		endpoint Endpoint
		low      float64
		high     float64
		message  string
	}{
		{"a quiet machine has the least margin", endpoint(0.005, 0), MinMargin, MinMargin, "12 A/A blocks"},
		{"identical bursts", endpoint(0, 0), MinMargin, MinMargin, "12 A/A blocks"},
		// The upper bound of the noise is 1.25·0.07, and (1.96 + 1.28)²·1.047/(16 - 1.92)
		// is 0.78, so the margin's logarithm is 0.88 times that bound.
		{"an ordinary one", endpoint(0.07, 0), 0.07, 0.10, "standard deviation of"},
		{"a noisy one", endpoint(0.3, 0), 0.3, 0.5, "standard deviation of"},
		{"a hopeless one", endpoint(2, 0), MaxMargin, MaxMargin, "too much for any margin"},
		{"arms that differ", endpoint(0.02, 0.08), 0.11, 0.14, "before relying on the gate"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := SuggestMargins([]Endpoint{test.endpoint}, DefaultCriteria())
			if err != nil {
				t.Fatal(err)
			}
			s := got[0]
			if s.Margin < test.low || s.Margin > test.high || !strings.Contains(s.Message, test.message) || s.Reached != (test.name != "a hopeless one") {
				t.Errorf("got %+v", s)
			}
			if cents := s.Margin * 100; math.Abs(cents-math.Round(cents)) > 1e-9 {
				t.Errorf("%v is no multiple of 1 %%", s.Margin)
			}
		})
	}
}

func TestCalibratedCriteriaAreWrittenWithTheirEvidence(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	plan := DefaultCriteria()
	suggestions, err := SuggestMargins(ordinary.run(random, 10), plan)
	if err != nil {
		t.Fatal(err)
	}
	when := time.Date(2026, 11, 29, 18, 0, 0, 0, time.UTC)
	calibrated := plan.Calibrated(suggestions, Evidence{Provider: "embedded", When: when, Run: "r", Blocks: 10, Pods: 100})
	roundTrip(t, calibrated)
	if plan.Spec.Evidence != nil || plan.Spec.Endpoints[0].Margin != 0.1 {
		t.Error("the plan itself changed")
	}
	for i, of := range calibrated.Spec.Evidence.Endpoints {
		if of.Endpoint != calibrated.Spec.Endpoints[i].Name() || of.Low == nil || *of.Low > of.Ratio || of.Noise <= 0 || of.CV <= 0 {
			t.Errorf("evidence %+v", of)
		}
	}
}

func TestSuggestMarginsNeedsBlocks(t *testing.T) {
	_, err := SuggestMargins([]Endpoint{{Name: "makespan", Pairs: pairs(1, around(5, 1, 0.1)...)}}, DefaultCriteria())
	if err == nil || err.Error() != "suggest margins: makespan has 5 valid blocks; run at least 6" {
		t.Errorf("got %v", err)
	}
}
