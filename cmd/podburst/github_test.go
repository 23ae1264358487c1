package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
)

func TestAStepOfAWorkflowIsToldAndStandardOutputStaysParseable(t *testing.T) {
	summary, output := filepath.Join(t.TempDir(), "summary"), filepath.Join(t.TempDir(), "output")
	t.Setenv("GITHUB_ACTIONS", "true")
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	t.Setenv("GITHUB_OUTPUT", output)
	// Too few blocks to decide anything: whatever does not pass is annotated.
	code, out, errs := podburst(t, "compare", "--base-run", recorded, "--head-run", recorded, "--format", "json", "--strict")
	var report reports.Report
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatalf("%v; stdout:\n%s\nstderr:\n%s", err, out, errs)
	}
	if code != report.Verdict.ExitCode(true) || code == verdict.ExitPass {
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

// Options of hack/gate.sh that podburst compare does not know; the script passes on
// the others.
var gateOptions = map[string]int{"--base": 2, "--base-dir": 2, "--head-dir": 2, "--profile": 2, "--base-profile": 2, "--head-profile": 2, "--all": 1}

func TestCommandsOfWorkflowsAndOfTheirPageHaveTheFlagsTheyUse(t *testing.T) {
	files, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^[^#|\n]*?\b(podburst|hack/gate\.sh"?) +((?:--|(?:calibrate|sweep|self-test|compare|gate|clusters) )[^#\n]*)`)
	found := 0
	for _, file := range append(files, "../../docs/ci.md") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := regexp.MustCompile(`\\\n\s*`).ReplaceAllString(string(data), "")
		for _, m := range line.FindAllStringSubmatch(text, -1) {
			code, _, _ := strings.Cut(m[2], "`") // the rest of a sentence
			words := regexp.MustCompile(`'[^']*'|[^\s')]+`).FindAllString(code, -1)
			if m[1] != "podburst" {
				left := []string{"compare"}
				for i := 0; i < len(words); i++ {
					if n := gateOptions[words[i]]; n > 0 {
						i += n - 1
						continue
					}
					left = append(left, words[i])
				}
				words = left
			}
			command, rest, err := rootCommand(send).Find(words)
			if err == nil {
				err = command.ParseFlags(rest)
			}
			if err == nil && command.Args != nil {
				err = command.ValidateArgs(command.Flags().Args())
			}
			if err != nil {
				t.Errorf("%s: %s: %v", filepath.Base(file), m[0], err)
			}
			found++
		}
	}
	if found < 9 {
		t.Errorf("only %d commands were found", found)
	}
}
