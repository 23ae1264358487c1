//go:build integration

package process_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/podburst/podburst/reports/progress"
	"github.com/podburst/podburst/test/internal/suite"
)

// checkEvents: programs read the suite's events on standard error, people its report
// on standard output.
func checkEvents(t *testing.T, s *suite.Process) {
	var told []string
	var last progress.Event
	for line := range strings.Lines(s.Stderr()) {
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
	// A warm-up and two bursts on each of two clusters.
	profile := " cluster-ready" + strings.Repeat(" burst-start burst-progress burst-end", 3)
	want := "run-start" + strings.Repeat(profile, 2) + " run-end"
	if got := strings.Join(told, " "); got != want {
		t.Errorf("events\n%s\nwant\n%s", got, want)
	}
	if last.Verdict != "pass" || last.ExitCode == nil || *last.ExitCode != 0 {
		t.Errorf("the last event is %+v", last)
	}
	// The report's own first line is "podburst: pass"; any other that begins so is progress.
	if strings.Count(s.Stdout(), "podburst: ") != 1 || !strings.Contains(s.Stdout(), "\npodburst: pass\n") || !strings.Contains(s.Stdout(), "SUCCESS") {
		t.Errorf("standard output has progress, or not what Ginkgo says:\n%s", s.Stdout())
	}
}
