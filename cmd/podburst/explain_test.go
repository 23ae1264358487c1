package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
)

// realPods is a recording of 100 real pods on two processors.
var realPods = filepath.Join("..", "..", "reports", "testdata", "kind")

func explained(t *testing.T, args ...string) reports.Explained {
	t.Helper()
	code, out, errs := podburst(t, append([]string{"explain", "--format", "json"}, args...)...)
	var e reports.Explained
	if code != verdict.ExitPass || errs != "" || json.Unmarshal([]byte(out), &e) != nil {
		t.Fatalf("exit code %d, %q: %s", code, errs, out)
	}
	return e
}

func TestExplainNamesContainerCreationOnTwoProcessors(t *testing.T) {
	for _, format := range []string{"table", "markdown"} {
		code, out, errs := podburst(t, "explain", "--format", format, realPods)
		if code != verdict.ExitPass || errs != "" {
			t.Fatalf("exit code %d: %s", code, errs)
		}
		words := strings.Join(strings.Fields(strings.ReplaceAll(out, "\\", "")), " ")
		for _, want := range []string{"Container creation", "on two processors", "not explained", "not known", "makespan"} {
			if !strings.Contains(words, want) {
				t.Errorf("%s does not say %q:\n%s", format, want, out)
			}
		}
		if strings.Contains(words, "Raise kubeAPIQPS") {
			t.Errorf("%s gives advice that helps nothing", format)
		}
	}
}

func TestTheExplainedPartsAddUpToTheMakespan(t *testing.T) {
	e := explained(t, recorded)
	if len(e.Bursts) == 0 {
		t.Fatal("no burst")
	}
	for _, b := range append(e.Bursts, explained(t, realPods).Bursts...) {
		sum := float64(b.NotExplainedSeconds)
		for _, st := range b.Stations {
			sum += float64(st.Part.Seconds)
		}
		if b.MakespanSeconds == nil || math.Abs(sum-float64(*b.MakespanSeconds)) > 1e-6 {
			t.Errorf("%s %d: %g of %v", b.Profile, b.Burst, sum, b.MakespanSeconds)
		}
	}
}

func TestWhatIfPredictsInBothDirections(t *testing.T) {
	wider := explained(t, "--profile", "slow", "--burst", "1", "--what-if", "kubeControllerManager=unlimited", recorded).Bursts[0].WhatIf
	narrower := explained(t, "--profile", "slow", "--burst", "1", "--what-if", "kubeControllerManager.kubeAPIQPS=1,kubeAPIBurst=1", recorded).Bursts[0].WhatIf
	if wider == nil || narrower == nil || !wider.Known || wider.GainLowSeconds <= 0 || narrower.GainHighSeconds >= 0 {
		t.Errorf("wider %+v, narrower %+v", wider, narrower)
	}
	code, out, _ := podburst(t, "explain", "--profile", "slow", "--what-if", "kubeControllerManager.kubeAPIQPS=1,kubeAPIBurst=1", recorded)
	if code != verdict.ExitPass || !strings.Contains(out, "s longer.") || strings.Contains(out, "That is 1.") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	if e := explained(t, "--profile", "slow", recorded); e.Bursts[0].WhatIf != nil {
		t.Errorf("nobody asked: %+v", e.Bursts[0].WhatIf)
	}
}

func TestExplainRefusesWhatItCannotAnswer(t *testing.T) {
	for want, args := range map[string][]string{
		"did you mean tuned?":                 {"--profile", "tund", recorded},
		"has no burst 9; it has 1, 2":         {"--profile", "slow", "--burst", "9", recorded},
		"bursts are numbered from 1":          {"--burst", "0", recorded},
		"did you mean kubeControllerManager?": {"--what-if", "kubeControlerManager.kubeAPIQPS=3", recorded},
		"did you mean etcd?":                  {"--without", "etdc", recorded},
		"did you mean json?":                  {"--format", "jsn", recorded},
		"no such file":                        {filepath.Join(t.TempDir(), "none")},
	} {
		if code, out, errs := podburst(t, append([]string{"explain"}, args...)...); code != verdict.ExitUsage || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%q: exit code %d, %q, %q", args, code, out, errs)
		}
	}
}
