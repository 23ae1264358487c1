//go:build integration

package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/podburst/podburst/reports/progress"
)

// Programs read the suite's events on standard error, and people its report on
// standard output.
func TestTheSuiteTellsEventsApartFromItsReport(t *testing.T) {
	binary, err := suiteBinary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), binary, "-test.run", "^TestE2E$")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "PROVIDER=embedded", "PROFILES=default", "PODS=40", "BURSTS=1", "WARMUP=5",
		"ARTIFACTS="+t.TempDir(), "TMPDIR="+t.TempDir(), "PROGRESS=json", "GITHUB_ACTIONS=")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, out.String(), errs.String())
	}
	var told []string
	var last progress.Event
	for line := range strings.Lines(errs.String()) {
		var e progress.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if e.Event != "step" && (e.Event != "burst-progress" || last.Event != "burst-progress") {
			told = append(told, e.Event)
		}
		if e.Event == "burst-end" && (e.Pods.Ready != e.Pods.Wanted || e.EndReason != "all-ready" || e.FloorSeconds == nil) {
			t.Errorf("not the end of a whole burst: %s", line)
		}
		last = e
	}
	want := "run-start cluster-ready burst-start burst-progress burst-end burst-start burst-progress burst-end run-end"
	if got := strings.Join(told, " "); got != want {
		t.Errorf("events\n%s\nwant\n%s", got, want)
	}
	if last.Verdict != "pass" || last.ExitCode == nil || *last.ExitCode != 0 {
		t.Errorf("the last event is %+v", last)
	}
	if strings.Contains(out.String(), "podburst: ") || !strings.Contains(out.String(), "SUCCESS") {
		t.Errorf("standard output has progress, or not what Ginkgo says:\n%s", out.String())
	}
}
