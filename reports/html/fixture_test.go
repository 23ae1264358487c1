package html_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/html"
	"github.com/podburst/podburst/reports/internal/specimen"
)

func render(t testing.TB, r *reports.Report) string {
	t.Helper()
	return specimen.Text(t, r, html.Write)
}

// compared is a recorded run of two profiles in blocks; "tuned" has ten times the rate of
// "default".
func compared(blocks, pods int) recording.Run {
	start := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	finished := start.Add(time.Hour)
	run := recording.Run{Manifest: recording.Manifest{
		ID: "compared", StartedAt: start, FinishedAt: &finished, Provider: "embedded", Profiles: []string{"default", "tuned"},
		BurstsPerProfile: blocks, PodsPerBurst: pods, Environment: []byte(`{"cpus": 2, "memoryBytes": 25276502016, "load": {"oneMinute": 0.5}}`),
		Comparison: &recording.ComparisonPlan{Base: "default", Blocks: blocks, MaxBlocks: blocks, Looks: 1, Layout: recording.SideBySide},
	}}
	limits := []clusters.Limits{{KubeAPIQPS: 20, KubeAPIBurst: 30, Source: "configz"}, {KubeAPIQPS: 150, KubeAPIBurst: 200, Source: "configz"}}
	for arm, name := range run.Manifest.Profiles {
		run.Profiles = append(run.Profiles, recording.Profile{
			Name: name, Provider: "embedded", KubernetesVersion: "v1.37.2", Nodes: []string{"node-1", "node-2"},
			Effective: clusters.Effective{"kube-controller-manager": limits[arm]},
		})
	}
	for block := range blocks + 1 { // 0 is the warm-up
		for k := range run.Manifest.Profiles {
			arm := (k + block) % 2
			b := synthetic.Burst(synthetic.Options{
				Profile: run.Manifest.Profiles[arm], Index: block, Pods: pods, Seed: uint64(10*block + arm),
				JobController: limits[arm], Start: start.Add(time.Duration(2*block+k) * time.Minute),
			})
			b.Block = block
			run.Bursts = append(run.Bursts, b)
		}
	}
	return run
}

// judged is a comparison of 6 blocks with made-up results, one of each kind.
func judged(t testing.TB) *reports.Report {
	t.Helper()
	r := specimen.Build(t, compared(6, 8))
	number := func(x float64) *float64 { return &x }
	took := func(s stats.Seconds) *stats.Seconds { return &s }
	of := func(endpoint string, v verdict.Verdict, ratio, low, high float64) gate.Result {
		c := gate.Result{
			Base: "default", Head: "tuned", Endpoint: endpoint, Gated: true, Paired: true, Blocks: 6, Ratio: number(ratio), Low: number(low), High: number(high),
			LowConfidence: 0.95, HighConfidence: 0.95, Margin: 0.1, FloorSeconds: 0.02, BaseSeconds: took(4), HeadSeconds: took(stats.Seconds(4 * ratio)),
			ChangeSeconds: took(stats.Seconds(4*ratio - 4)), PValue: number(0.0156), Noise: number(0.03), Verdict: v, Message: endpoint + ": head is " + string(v) + " (made up)",
		}
		for block := range 6 {
			c.Pairs = append(c.Pairs, gate.Pair{Block: block + 1, BaseSeconds: 4, HeadSeconds: stats.Seconds(4 * (low + (high-low)*float64(block)/5))})
		}
		return c
	}
	r.Comparisons = []gate.Result{
		of("makespan", verdict.Improved, 0.55, 0.5, 0.61),
		of("submit_to_ready/p50", verdict.Pass, 1.01, 0.97, 1.05),
		of("submit_to_ready/p90", verdict.Inconclusive, 1.08, 0.98, 1.2),
		of("pod_startup/p50", verdict.Regressed, 1.4, 1.25, 1.6),
	}
	// Too few blocks for bounds, and a different head.
	few := of("makespan", verdict.Inconclusive, 0.9, 0, 0)
	few.Head, few.Low, few.High, few.PValue, few.Pairs, few.Blocks = "tuned-scheduler", nil, nil, nil, nil, 2
	r.Comparisons = append(r.Comparisons, few)
	r.Comparisons[1].Gated = false
	r.Conclude()
	return r
}

const hostile = "a<b>&\"'`|\x1b[31m\u202ereversed\r\n</style></script><script>alert(1)</script> {{.}} ::: onload=x\x00\xff"

// named has name wherever a name comes from outside, and an invalid burst whose reasons
// quote it.
func named(t testing.TB, name string) *reports.Report {
	t.Helper()
	run := specimen.Named(name)
	run.Bursts[0].Problems = []recording.Problem{{Code: name, Detail: name}, {Code: "other", Detail: name}}
	run.Bursts[0].AuditUnavailable = name
	run.Manifest.ProviderReason = name
	run.Manifest.Environment = []byte(`{"cpuModel": ` + quote(name) + `, ` + quote(name) + `: {"x": [1, null, true]}}`)
	p := &run.Profiles[0]
	p.EffectiveUnavailable, p.NodeInfo = name, []recording.NodeInfo{{Name: name, ContainerRuntime: name}}
	p.Effective = clusters.Effective{"kube-scheduler": {KubeAPIQPS: 50, KubeAPIBurst: 100, Source: name}}
	r := specimen.Build(t, run)
	ratio := 1.2
	r.Comparisons = []gate.Result{
		{Base: name, Head: name, Endpoint: name, Gated: true, Verdict: verdict.Verdict(name), Message: name, Ratio: &ratio, Margin: 0.1},
		{Base: "x", Head: name, Endpoint: "makespan", Gated: true, Verdict: verdict.Inconclusive, Message: name},
	}
	r.Moves = []station.Move{{Base: name, Head: name, Sentence: name}}
	return r
}

// quote returns the part of name that may be in a JSON string, as such a string.
func quote(name string) string {
	return `"` + strings.Map(func(r rune) rune {
		if r == '"' || r == '\\' || r < ' ' || r == '\uFFFD' {
			return '_'
		}
		return r
	}, name) + `"`
}

// extremes returns reports that push the page to its limits.
func extremes(t testing.TB) map[string]*reports.Report {
	t.Helper()
	all := specimen.Extremes(t)
	all["judged"] = judged(t)
	all["nothing at all"] = &reports.Report{}
	all["markup everywhere"] = named(t, hostile)
	all["253 characters everywhere"] = named(t, strings.Repeat("x", 253))
	all["right to left everywhere"] = named(t, "פרופיל-عربي")
	all["colons"] = named(t, "a:b::c://d")
	var stored bytes.Buffer
	if err := reports.WriteJSON(&stored, *specimen.Golden(t)); err != nil {
		t.Fatal(err)
	}
	read, err := reports.ReadJSON(&stored)
	if err != nil {
		t.Fatal(err)
	}
	all["read from report.json"] = &read
	var bursts []recording.Burst
	for i := range 300 {
		bursts = append(bursts, synthetic.Burst(synthetic.Options{Profile: fmt.Sprintf("p%d", i/10), Index: i%10 + 1, Pods: 4}))
	}
	all["30 profiles"] = specimen.Build(t, specimen.Run(bursts...))
	return all
}
