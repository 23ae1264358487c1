package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/bench"
	"github.com/podburst/podburst/reports/internal/specimen"
	"github.com/podburst/podburst/reports/openmetrics"
	"github.com/podburst/podburst/reports/perfdata"
	"github.com/podburst/podburst/reports/series"
)

// cpuProfile is the file of a process that spent 30 ms in one function.
func cpuProfile(t *testing.T, function string) []byte {
	t.Helper()
	f := &profile.Function{ID: 1, Name: function}
	l := &profile.Location{ID: 1, Line: []profile.Line{{Function: f}}}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1e7, DurationNanos: 2e9,
		Function: []*profile.Function{f}, Location: []*profile.Location{l},
		Sample: []*profile.Sample{{Location: []*profile.Location{l}, Value: []int64{3, 3e7}}},
	}
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func profiled(t *testing.T, b recording.Burst, function string) recording.Burst {
	t.Helper()
	b.Profiled = true
	b.CPUProfiles = map[string][]byte{"kube-apiserver": cpuProfile(t, function), "kube-scheduler": []byte("torn")}
	b.ProfileErrors = map[string]string{"etcd": "it serves none"}
	return b
}

func TestAProfiledBurstIsMarkedAndItsProfilesAreShown(t *testing.T) {
	r := build(t, profiled(t, aBurst(1), "k8s.io/apiserver/pkg/server.serve"), lenient...)
	if r.Verdict != verdict.Pass || !r.Bursts[0].Profiled || r.Bursts[0].Comparable() {
		t.Fatalf("verdict %s, profiled %t", r.Verdict, r.Bursts[0].Profiled)
	}
	all := says(t, r)
	for format, wants := range map[string][]string{
		"JSON":     {`"profiled": true`, `"name": "k8s.io/apiserver/pkg/server"`, `"unavailable": "it serves none"`},
		"table":    {"valid, profiled", "The components were profiled during every burst, which slows them"},
		"markdown": {"valid, profiled"},
		"page":     {"What the processors were used for", "k8s.io/apiserver/pkg/server.serve", "30 ms", "it serves none", "read CPU profile"},
	} {
		for _, want := range wants {
			if !strings.Contains(all[format], want) {
				t.Errorf("the %s lacks %q", format, want)
			}
		}
	}
	for format, text := range says(t, build(t, aBurst(1), lenient...)) {
		if strings.Contains(text, "profiled") {
			t.Errorf("the %s says that a burst was profiled", format)
		}
	}
}

// A function's name is whatever a process says.
func TestAHostileFunctionNameIsText(t *testing.T) {
	page := says(t, build(t, profiled(t, aBurst(1), specimen.Hostile+"<script>alert(1)</script>.f"), lenient...))["page"]
	for _, bad := range []string{"<script", "\x1b", "\u202e"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q in it", bad)
		}
	}
	if !strings.Contains(page, "&lt;script&gt;") {
		t.Error("the page does not have the name at all")
	}
}

// Both bursts of every block were profiled: they are no more alike for that.
func TestARunOfProfiledBlocksComparesNothing(t *testing.T) {
	for _, c := range []struct {
		profiled bool
		want     verdict.Verdict
	}{{true, verdict.Invalid}, {false, verdict.Pass}} {
		base, head := build(t, aBurst(1), lenient...), build(t, aBurst(1), lenient...)
		for _, r := range []*reports.Report{base, head} {
			for i := 2; i <= 6; i++ {
				r.Bursts = append(r.Bursts, r.Bursts[0])
				r.Bursts[i-1].Index = i
			}
			for i := range r.Bursts {
				r.Bursts[i].Profiled = c.profiled
			}
		}
		if err := head.Against(*base, map[string]string{"default": "default"}, gate.DefaultCriteria(), ""); err != nil {
			t.Fatal(err)
		}
		for _, result := range head.Comparisons {
			if result.Verdict != c.want || c.profiled != strings.Contains(result.Message, "profiled bursts are never compared") {
				t.Errorf("profiled %t: %s: %s", c.profiled, result.Verdict, result.Message)
			}
		}
		if head.Verdict != c.want {
			t.Errorf("profiled %t: the run is %s", c.profiled, head.Verdict)
		}
	}
}

// Formats that others compare do not have numbers of profiled bursts.
func TestFormatsForComparingLeaveProfiledBurstsOut(t *testing.T) {
	numbers := func(r *reports.Report) (n [4]int) {
		entries, err := series.Entries(r)
		if err != nil {
			t.Fatal(err)
		}
		return [4]int{
			strings.Count(specimen.Text(t, r, bench.Write), "BenchmarkBurst"), len(entries), len(perfdata.Of(r, &r.Profiles[0]).DataItems),
			strings.Count(specimen.Text(t, r, openmetrics.Write), "podburst_makespan_seconds{"),
		}
	}
	if got := numbers(build(t, profiled(t, aBurst(1), "a.b"), lenient...)); got != [4]int{} {
		t.Errorf("bench, series, perfdata, openmetrics have %v numbers of a profiled burst", got)
	}
	for i, n := range numbers(build(t, aBurst(1), lenient...)) {
		if n == 0 {
			t.Errorf("format %d has no number of a burst that was not profiled", i)
		}
	}
}
