package bench_test

import (
	"bytes"
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/golden"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/bench"
	"github.com/podburst/podburst/reports/internal/specimen"
)

func written(t testing.TB, r *reports.Report) string {
	t.Helper()
	return specimen.Text(t, r, bench.Write)
}

func TestGolden(t *testing.T) {
	golden.Check(t, filepath.Join("testdata", "bench.txt"), written(t, specimen.Golden(t)))
}

// The command from the README, with the benchstat that go.mod pins.
func TestBenchstatComparesTheProfilesOfARun(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "tool", "benchstat", "-col", "/profile", "bench.txt")
	cmd.Dir = "testdata"
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, errs.Bytes())
	}
	golden.Check(t, filepath.Join("testdata", "benchstat.txt"), out.String())
	// The medians of bench.txt: (1.611416 + 1.599572) / 2 and 0.139939 seconds.
	for _, want := range []string{"provider: embedded", "│     slow      │", "makespan-sec", "pod_startup-p99-sec", "Burst/pods=8-2   1605.5m ± ∞ ¹   139.9m"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, &out)
		}
	}
}

// read parses text as benchstat does. Anything benchstat objects to fails the test.
func read(t testing.TB, text string) (results []*benchfmt.Result, units benchfmt.UnitMetadataMap) {
	t.Helper()
	in := benchfmt.NewReader(strings.NewReader(text), "bench.txt")
	for in.Scan() {
		switch rec := in.Result().(type) {
		case *benchfmt.Result:
			results = append(results, rec.Clone())
		case *benchfmt.SyntaxError:
			t.Errorf("%v in\n%s", rec, text)
		}
	}
	if in.Err() != nil {
		t.Error(in.Err())
	}
	return results, in.Units()
}

func TestValuesAreThoseOfTheReport(t *testing.T) {
	r := specimen.Golden(t)
	results, units := read(t, written(t, r))
	var valid []*reports.Burst
	for i := range r.Bursts {
		if b := &r.Bursts[i]; b.Valid && !b.Warmup {
			valid = append(valid, b)
		}
	}
	if len(valid) == 0 || len(results) != len(valid) {
		t.Fatalf("%d lines for %d valid bursts", len(results), len(valid))
	}
	for i, b := range valid {
		name := results[i].Name
		if got, want := name.String(), "Burst/profile="+b.Profile+"/pods=8-2"; got != want {
			t.Errorf("burst is named %q, want %q", got, want)
		}
		p := b.Phases["pod_startup"]
		for unit, want := range map[string]float64{
			"makespan-sec": float64(*b.MakespanSeconds), "pod_startup-p50-sec": p.P50, "pod_startup-p90-sec": p.P90, "pod_startup-p99-sec": p.P99,
		} {
			if got, ok := results[i].Value(unit); !ok || got != want {
				t.Errorf("%s of %s is %g (%t), want %g", unit, name, got, ok, want)
			}
			if units.GetBetter(unit) != -1 {
				t.Errorf("less %s is not said to be better", unit)
			}
		}
		if got := results[i].GetConfig("kubernetes"); got != "v1.37.2" {
			t.Errorf("kubernetes is %q", got)
		}
	}
}

func TestExtremesParse(t *testing.T) {
	lines := map[string]int{"golden": 3, "real pods": 1, "pods of others": 1, "one pod": 1, "5,000 pods": 1, "no audit log": 1, "hostile names": 1, "253 characters": 1, "right to left": 1}
	for name, r := range specimen.Extremes(t) {
		t.Run(name, func(t *testing.T) {
			results, _ := read(t, written(t, r))
			if len(results) != lines[name] {
				t.Errorf("%d results, want %d", len(results), lines[name])
			}
			for _, result := range results {
				base, parts := result.Name.Parts()
				if string(base) != "Burst" || len(parts) < 2 || !bytes.HasPrefix(parts[0], []byte("/profile=")) {
					t.Errorf("name %q has the parts %q", result.Name, parts)
				}
			}
		})
	}
}

func TestTheMachineIsFileConfiguration(t *testing.T) {
	r := specimen.Golden(t)
	r.Environment = []byte(`{"os":"linux","arch":"amd64","cpuModel":"A\nCPU","cpus":1}`)
	results, _ := read(t, written(t, r))
	for key, want := range map[string]string{"goos": "linux", "goarch": "amd64", "cpu": "A\ufffdCPU", "provider": "embedded"} {
		if got := results[0].GetConfig(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	if got, want := results[0].Name.String(), "Burst/profile=slow/pods=8"; got != want {
		t.Errorf("on one CPU the burst is named %q, want %q", got, want)
	}
}

// Profiles with indistinguishable names would be compared with themselves.
func TestUnlikeProfilesHaveUnlikeNames(t *testing.T) {
	seen := map[string]string{}
	for _, name := range []string{"a", "A", "a/b", "a=b", "a b", "a\nb", "a-2", "א", strings.Repeat("x", 253), strings.Repeat("x", 254)} {
		results, _ := read(t, written(t, specimen.Build(t, specimen.Named(name))))
		if len(results) != 1 {
			t.Fatalf("%q: %d results", name, len(results))
		}
		full := results[0].Name.String()
		if other, twice := seen[full]; twice {
			t.Errorf("%q and %q are both %s", name, other, full)
		}
		seen[full] = name
	}
}

func TestANumberThatIsNotFiniteIsNotWritten(t *testing.T) {
	r := specimen.Golden(t)
	nan := stats.Seconds(math.NaN())
	for i := range r.Bursts {
		r.Bursts[i].MakespanSeconds = &nan
	}
	results, _ := read(t, written(t, r))
	if len(results) == 0 {
		t.Fatal("no results")
	}
	for _, result := range results {
		if v, ok := result.Value("makespan-sec"); ok {
			t.Errorf("a makespan of %g was written", v)
		}
	}
}
