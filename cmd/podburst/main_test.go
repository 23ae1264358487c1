package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/schemas"
)

func podburst(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), args, &out, &errs)
	return code, out.String(), errs.String()
}

const recorded = "../../reports/testdata/run"

func TestReportExitsWithTheVerdictOfTheRecording(t *testing.T) {
	code, out, errs := podburst(t, "report", recorded)
	if code == verdict.ExitUsage || code == verdict.ExitInternal || errs != "" {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	if !strings.Contains(out, "create_to_schedule") {
		t.Errorf("no table:\n%s", out)
	}
	code2, out, _ := podburst(t, "report", "--format", "json", recorded)
	r, err := reports.ReadJSON(strings.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	if want := r.Verdict.ExitCode(false); code != want || code2 != want {
		t.Errorf("exit codes %d and %d for verdict %q, want %d", code, code2, r.Verdict, want)
	}
	if err := reports.Validate([]byte(out)); err != nil {
		t.Error(err)
	}
}

func TestBadInputExitsWithTheUsageCodeAndHelps(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"unknown command": {[]string{"reprot"}, "report"},
		"unknown flag":    {[]string{"report", "--fromat", "json", recorded}, "--fromat"},
		"unknown format":  {[]string{"report", "--format", "jsno", recorded}, "json"},
		"no run":          {[]string{"report"}, "at least 1 arg"},
		"absent run":      {[]string{"report", "absent"}, "absent"},
		"absent SLO file": {[]string{"report", "--slo", "absent.yaml", recorded}, "absent.yaml"},
		"stray argument":  {[]string{"schema", "slo", "x"}, "at most 1 arg"},
		"unknown schema":  {[]string{"schema", "profil"}, "did you mean profile?"},
	} {
		t.Run(name, func(t *testing.T) {
			code, _, errs := podburst(t, c.args...)
			if code != verdict.ExitUsage || !strings.Contains(errs, c.says) {
				t.Errorf("exit code %d, want %d; stderr lacks %q:\n%s", code, verdict.ExitUsage, c.says, errs)
			}
		})
	}
}

func TestSchemaPrintsTheSchemaOfItsName(t *testing.T) {
	for _, name := range schemas.Names() {
		want, err := schemas.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		code, out, _ := podburst(t, "schema", name)
		if code != verdict.ExitPass || out != string(want) {
			t.Errorf("%s: exit code %d, %d bytes", name, code, len(out))
		}
		if _, bare, _ := podburst(t, "schema"); name == "report" && bare != out {
			t.Error("without a name it is not the report's")
		}
	}
}

func TestEveryCommandHasHelpWithAnExample(t *testing.T) {
	for _, c := range rootCommand(send).Commands() {
		leaves := c.Commands()
		if len(leaves) == 0 {
			leaves = append(leaves, c)
		}
		for _, l := range leaves {
			if l.Name() != "help" && (l.Short == "" || !strings.Contains(l.Example, "podburst "+strings.TrimPrefix(l.CommandPath(), "podburst "))) {
				t.Errorf("%s: short %q, example %q", l.CommandPath(), l.Short, l.Example)
			}
		}
	}
}
