package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
)

// swept is a report with one profile per setting, and whether it met the objective.
func swept(points ...struct {
	qps  float64
	meet bool
}) reports.Report {
	var r reports.Report
	for _, p := range points {
		name := string(rune('a' + len(r.Profiles)))
		r.Profiles = append(r.Profiles, reports.Profile{Name: name, ValidBursts: 1, Effective: clusters.Effective{
			string(clusters.KubeControllerManager): {KubeAPIQPS: p.qps, KubeAPIBurst: 30, Source: "configz"},
		}})
		check := slo.Result{Name: "meet-1", Profile: name, Verdict: verdict.Fail, Message: "too slow"}
		if p.meet {
			check.Verdict = verdict.Pass
		}
		r.SLO = append(r.SLO, check)
	}
	return r
}

// Profiling slows every setting, so that the answer is not the one without it.
func TestASweepOfProfiledBurstsSaysSo(t *testing.T) {
	type point = struct {
		qps  float64
		meet bool
	}
	for _, profiled := range []bool{true, false} {
		r := swept(point{20, false}, point{40, true})
		r.Bursts = []reports.Burst{{Profile: "a", Index: 1, Profiled: profiled}}
		var out bytes.Buffer
		if err := reports.WriteSweep(&out, reports.SweepOf(r, clusters.KubeControllerManager)); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(out.String(), "The components were profiled"); got != profiled {
			t.Errorf("profiled %t: it says so: %t", profiled, got)
		}
	}
}

func TestTheSmallestSettingThatMeetsIsFoundAndALargerOneThatMissesIsTold(t *testing.T) {
	type point = struct {
		qps  float64
		meet bool
	}
	for name, c := range map[string]struct {
		points []point
		want   float64 // 0: none
		says   string
	}{
		"as expected":         {[]point{{80, true}, {20, false}, {40, true}}, 40, "kube-controller-manager 40/30"},
		"a larger one misses": {[]point{{20, false}, {80, true}, {150, false}}, 80, "150/30 is larger and misses them"},
		"none":                {[]point{{20, false}, {40, false}}, 0, "No setting meets the objectives."},
		"nothing measured":    {nil, 0, "No setting meets the objectives."},
	} {
		t.Run(name, func(t *testing.T) {
			s := reports.SweepOf(swept(c.points...), clusters.KubeControllerManager)
			if (s.Smallest == nil) != (c.want == 0) || s.Smallest != nil && s.Smallest.QPS != c.want {
				t.Errorf("smallest %+v, want QPS %g", s.Smallest, c.want)
			}
			var out bytes.Buffer
			if err := reports.WriteSweep(&out, s); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(out.String(), c.says) {
				t.Errorf("lacks %q:\n%s", c.says, out.String())
			}
		})
	}
}

func TestASettingThatIsNotInForceOrNotJudgedMeetsNothing(t *testing.T) {
	r := swept(struct {
		qps  float64
		meet bool
	}{20, true})
	r.Profiles[0].Effective = clusters.Effective{}
	if s := reports.SweepOf(r, clusters.KubeControllerManager); s.Points[0].Meets {
		t.Error("its limits are not known")
	}
	r = swept(struct {
		qps  float64
		meet bool
	}{20, true})
	r.SLO = nil
	if s := reports.SweepOf(r, clusters.KubeControllerManager); s.Points[0].Meets {
		t.Error("no objective judged it")
	}
}
