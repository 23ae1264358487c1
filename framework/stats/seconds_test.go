package stats

import (
	"encoding/json"
	"math"
	"testing"
	"time"
)

func TestSecondsKeepADurationToTheNanosecond(t *testing.T) {
	for _, d := range []time.Duration{0, 1, 290 * time.Millisecond, 4350 * time.Millisecond, -time.Second - 1, 24*time.Hour + 1, math.MaxInt64} {
		if got := SecondsOf(d).Duration(); got != d {
			t.Errorf("%v became %v", d, got)
		}
	}
	// 4.35 · 10⁹ is 4349999999.999999 in floating point.
	if got := Seconds(4.35).Duration(); got != 4350*time.Millisecond {
		t.Errorf("4.35 s became %v", got)
	}
	if Seconds(1e300).Duration() != math.MaxInt64 || Seconds(-1e300).Duration() != math.MinInt64 {
		t.Error("a time beyond every Duration is not the longest one")
	}
}

func TestSecondsAreANumberInFilesAndShortForPeople(t *testing.T) {
	text, err := json.Marshal(Seconds(0.0035))
	if err != nil || string(text) != "0.0035" {
		t.Errorf("%s, %v", text, err)
	}
	if got := Seconds(0.0035).String(); got != "3.5 ms" {
		t.Error(got)
	}
}

func TestAPhaseWithoutSamplesHasNullsWhereAZeroWouldLookFast(t *testing.T) {
	text, err := json.Marshal(Summary{Missing: 3})
	if want := `{"count":0,"missing":3,"min":null,"mean":null,"p50":null,"p90":null,"p95":null,"p99":null,"max":null}`; err != nil || string(text) != want {
		t.Fatalf("got %s, %v, want %s", text, err, want)
	}
	got := Summary{}
	if err := json.Unmarshal(text, &got); err != nil || got != (Summary{Missing: 3}) {
		t.Errorf("read back as %+v, %v", got, err)
	}
	text, err = json.Marshal(Summary{Count: 1, Min: 2, Mean: 2, P50: 2, P90: 2, P95: 2, P99: 2, Max: 2, Source: "audit"})
	if want := `{"count":1,"missing":0,"min":2,"mean":2,"p50":2,"p90":2,"p95":2,"p99":2,"max":2,"source":"audit"}`; err != nil || string(text) != want {
		t.Errorf("got %s, %v, want %s", text, err, want)
	}
}
