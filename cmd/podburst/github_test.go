package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/podburst/podburst/reports"
)

func TestAStepOfAWorkflowIsToldAndStandardOutputStaysParseable(t *testing.T) {
	summary, output := filepath.Join(t.TempDir(), "summary"), filepath.Join(t.TempDir(), "output")
	t.Setenv("GITHUB_ACTIONS", "true")
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	t.Setenv("GITHUB_OUTPUT", output)
	// Too few blocks to decide anything: what is not pass is annotated.
	code, out, errs := podburst(t, "compare", "--base-run", recorded, "--head-run", recorded, "--format", "json", "--strict")
	var report reports.Report
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatalf("%v; stdout:\n%s\nstderr:\n%s", err, out, errs)
	}
	if code != report.Verdict.ExitCode(true) || code == reports.ExitPass {
		t.Errorf("exit code %d of verdict %s", code, report.Verdict)
	}
	if !strings.HasPrefix(errs, "::error title=podburst%3A "+string(report.Verdict)+"::") {
		t.Errorf("stderr:\n%s", errs)
	}
	for path, want := range map[string]string{summary: "## podburst: " + strings.ToUpper(string(report.Verdict)), output: "\n" + string(report.Verdict) + "\n"} {
		data, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%v; want %q in:\n%s", err, want, data)
		}
	}

	t.Setenv("GITHUB_STEP_SUMMARY", t.TempDir())
	code2, out2, errs := podburst(t, "compare", "--base-run", recorded, "--head-run", recorded, "--format", "json", "--strict")
	if code2 != code || out2 != out || !strings.Contains(errs, "podburst: write the step summary (GITHUB_STEP_SUMMARY)") {
		t.Errorf("a summary that cannot be written changed the run: exit code %d, stderr:\n%s", code2, errs)
	}
}
