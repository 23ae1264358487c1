package openmetrics_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/golden"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/internal/specimen"
	"github.com/podburst/podburst/reports/openmetrics"
)

func written(t testing.TB, r *reports.Report) string {
	t.Helper()
	return specimen.Text(t, r, openmetrics.Write)
}

func TestGolden(t *testing.T) {
	golden.Check(t, filepath.Join("testdata", "metrics.txt"), written(t, specimen.Golden(t)))
}

// The parts of the specification's grammar that the file uses. (No lightweight module
// parses OpenMetrics; the golden file was once checked with Prometheus' own
// model/textparse.)
var (
	metadataLine = regexp.MustCompile(`^# (TYPE|UNIT|HELP) ([a-z_]+) (.+)$`)
	sampleLine   = regexp.MustCompile(`^([a-z_]+)\{((?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)*)\} (-?[0-9]+(?:\.[0-9]+)?)$`)
	labelPair    = regexp.MustCompile(`([a-z]+)="((?:[^"\\\n]|\\["\\n])*)"(,|$)`)
)

// suffixes are those of the samples of each metric type.
var suffixes = map[string][]string{"gauge": {""}, "info": {"_info"}, "summary": {"", "_count", "_sum"}}

// parse is strict: anything that the grammar or the rules of metric families do not allow
// is an error. It returns the samples by metric and labels.
func parse(text string) (map[string]float64, error) {
	if !utf8.ValidString(text) {
		return nil, errors.New("no UTF-8")
	}
	body, ok := strings.CutSuffix(text, "# EOF\n")
	if !ok {
		return nil, errors.New("no # EOF at the end")
	}
	samples, types := map[string]float64{}, map[string]string{}
	family := ""
	for number, line := range strings.Split(strings.TrimSuffix(body, "\n"), "\n") {
		if m := metadataLine.FindStringSubmatch(line); m != nil {
			switch m[1] {
			case "TYPE":
				if types[m[2]] != "" || suffixes[m[3]] == nil {
					return nil, fmt.Errorf("line %d: type of %s", number+1, m[2])
				}
				family, types[m[2]] = m[2], m[3]
			case "UNIT":
				if !strings.HasSuffix(family, "_"+m[3]) {
					return nil, fmt.Errorf("line %d: %s does not end in its unit", number+1, family)
				}
			}
			if m[2] != family {
				return nil, fmt.Errorf("line %d: metadata of %s among those of %s", number+1, m[2], family)
			}
			continue
		}
		m := sampleLine.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("line %d is no sample: %q", number+1, line)
		}
		known := false
		for _, suffix := range suffixes[types[family]] {
			known = known || m[1] == family+suffix
		}
		if !known {
			return nil, fmt.Errorf("line %d: %s within the family %s", number+1, m[1], family)
		}
		labels, length := map[string]bool{}, 0
		for _, pair := range labelPair.FindAllStringSubmatch(m[2], -1) {
			if labels[pair[1]] {
				return nil, fmt.Errorf("line %d: two labels %s", number+1, pair[1])
			}
			labels[pair[1]] = true
			length += len(pair[0])
		}
		if length != len(m[2]) {
			return nil, fmt.Errorf("line %d: labels %q", number+1, m[2])
		}
		key := m[1] + "{" + m[2] + "}"
		if _, twice := samples[key]; twice {
			return nil, fmt.Errorf("line %d: %s again", number+1, key)
		}
		value, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			return nil, err
		}
		samples[key] = value
	}
	return samples, nil
}

func TestExtremesParse(t *testing.T) {
	for name, r := range specimen.Extremes(t) {
		t.Run(name, func(t *testing.T) {
			text := written(t, r)
			samples, err := parse(text)
			if err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			phases := 0
			for key := range samples {
				if strings.HasPrefix(key, "podburst_phase_seconds{") {
					phases++
				}
			}
			if (r.Profiles[0].ValidBursts > 0) != (phases > 0) {
				t.Errorf("%d quantiles of phases for %d valid bursts", phases, r.Profiles[0].ValidBursts)
			}
			if strings.ContainsAny(text, "\x1b\u202e\x00\r") {
				t.Error("control characters in the file")
			}
		})
	}
}

func TestValuesAreThoseOfTheReport(t *testing.T) {
	r := specimen.Golden(t)
	samples, err := parse(written(t, r))
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Bursts {
		b := &r.Bursts[i]
		if b.Warmup || !b.Valid {
			continue
		}
		p := b.Phases["pod_startup"]
		burst := fmt.Sprintf(`{profile=%q,burst="%d"`, b.Profile, b.Index)
		limiter := `,station="client-limiter",component="kube-controller-manager"}`
		st := b.Stations[slices.IndexFunc(b.Stations, func(st station.Station) bool {
			return st.Component == "kube-controller-manager" && st.Station == station.ClientLimiter
		})]
		for key, want := range map[string]float64{
			"podburst_makespan_seconds" + burst + "}":                                 float64(*b.MakespanSeconds),
			"podburst_phase_seconds" + burst + `,phase="pod_startup",quantile="0.5"}`: p.P50,
			"podburst_phase_seconds" + burst + `,phase="pod_startup",quantile="1.0"}`: p.Max,
			"podburst_phase_seconds_count" + burst + `,phase="pod_startup"}`:          8,
			"podburst_phase_seconds_sum" + burst + `,phase="pod_startup"}`:            p.Mean * 8,
			"podburst_burst_pods" + burst + `,outcome="ready"}`:                       8,
			"podburst_burst_valid" + burst + `}`:                                      1,
			"podburst_not_explained_seconds" + burst + `}`:                            float64(b.NotExplainedSeconds),
			"podburst_station_held_high_seconds" + burst + limiter:                    float64(st.Held.HighSeconds),
			"podburst_station_part_seconds" + burst + limiter:                         float64(st.Part.Seconds),
			"podburst_station_known" + burst + `,station="etcd",component="etcd"}`:    0,
		} {
			if got, ok := samples[key]; !ok || math.Abs(got-want) > 1e-9 {
				t.Errorf("%s is %g (%t), want %g", key, got, ok, want)
			}
		}
	}
	if samples[`podburst_burst_valid{profile="tuned",burst="2"}`] != 0 {
		t.Error("the invalid burst is valid")
	}
	if _, ok := samples[`podburst_makespan_seconds{profile="tuned",burst="2"}`]; ok {
		t.Error("the invalid burst has a makespan")
	}
}

func TestWhatTheParserOfTheTestRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no end":              "# TYPE a gauge\na{} 1\n",
		"a quote in a label":  "# TYPE a gauge\na{x=\"\"\"} 1\n# EOF\n",
		"a sample twice":      "# TYPE a gauge\na{x=\"1\"} 1\na{x=\"1\"} 2\n# EOF\n",
		"another unit":        "# TYPE a_ms gauge\n# UNIT a_ms seconds\n# EOF\n",
		"NaN":                 "# TYPE a gauge\na{x=\"1\"} NaN\n# EOF\n",
		"families that mix":   "# TYPE a gauge\n# TYPE b gauge\na{x=\"1\"} 1\n# EOF\n",
		"something after EOF": "# EOF\na{x=\"1\"} 1\n",
	} {
		if _, err := parse(text); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

func TestANumberThatIsNotFiniteIsRefused(t *testing.T) {
	for _, bad := range []stats.Seconds{stats.Seconds(math.NaN()), stats.Seconds(math.Inf(1))} {
		r := specimen.Golden(t)
		for i := range r.Bursts {
			r.Bursts[i].MakespanSeconds = &bad
		}
		if err := openmetrics.Write(io.Discard, r); err == nil {
			t.Errorf("%g was written", float64(bad))
		}
	}
}
