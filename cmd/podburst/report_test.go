package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports/formats"
)

// record writes a run of one valid burst and returns its folder.
func record(t *testing.T, id string) string {
	t.Helper()
	w, err := recording.Create(t.TempDir(), recording.Manifest{ID: id, Provider: "embedded", Profiles: []string{"default"}, BurstsPerProfile: 1, PodsPerBurst: 8})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteProfile(recording.Profile{Name: "default", Provider: "embedded"}); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteBurst(synthetic.Burst(synthetic.Options{Index: 1})); err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	return w.Dir()
}

func TestEveryFormatThatCanBePrintedIs(t *testing.T) {
	for _, name := range formatNames() {
		code, out, errs := podburst(t, "report", "--format", name, recorded)
		if code != verdict.ExitInvalid || out == "" || errs != "" {
			t.Errorf("%s: exit code %d, %d bytes, %q", name, code, len(out), errs)
		}
	}
}

func TestSeveralFormatsAreWrittenIntoTheRunsOwnFolder(t *testing.T) {
	run := record(t, "one")
	code, out, errs := podburst(t, "report", "--format", "trace,bench", "--format", "perfdata,bench", run)
	if code != verdict.ExitPass || errs != "" {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	want := []string{
		filepath.Join(run, "trace.json"), filepath.Join(run, "bench.txt"), filepath.Join(run, "perfdata", "PodStartupLatency_podburst_default_.json"),
	}
	if got := strings.Fields(out); !slices.Equal(got, want) {
		t.Errorf("paths are %q, want %q", got, want)
	}
	for _, path := range want {
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestAllFormatsOfSeveralRunsAreWrittenToAFolderEach(t *testing.T) {
	to := filepath.Join(t.TempDir(), "new")
	code, out, errs := podburst(t, "report", "--format", strings.Join(formats.Names(), ","), "--out", to, record(t, "one"), record(t, "two"))
	if code != verdict.ExitPass || errs != "" {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	for _, path := range strings.Fields(out) {
		if _, err := os.Stat(path); err != nil || !strings.HasPrefix(path, to) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if got, want := len(strings.Fields(out)), 2*len(formats.All()); got != want {
		t.Errorf("%d files, want %d:\n%s", got, want, out)
	}
	for _, id := range []string{"one", "two"} {
		if data, err := os.ReadFile(filepath.Join(to, id, "bench.txt")); err != nil || !strings.Contains(string(data), "run "+id) {
			t.Errorf("bench.txt of %s: %v", id, err)
		}
	}
}

func TestOneFormatIsWrittenWithOut(t *testing.T) {
	to := t.TempDir()
	code, out, _ := podburst(t, "report", "--out", to, record(t, "one"))
	if path := filepath.Join(to, "table.txt"); code != verdict.ExitPass || strings.TrimSpace(out) != path {
		t.Errorf("exit code %d, path %q", code, out)
	}
}

func TestTheExitCodeIsThatOfTheGravestRun(t *testing.T) {
	good := record(t, "good")
	if code, _, _ := podburst(t, "report", "--out", t.TempDir(), good, recorded); code != verdict.ExitInvalid {
		t.Errorf("exit code %d, want that of an invalid run", code)
	}
	if code, _, _ := podburst(t, "report", "--out", t.TempDir(), good); code != verdict.ExitPass {
		t.Errorf("exit code %d, want that of a run that passed", code)
	}
}

func TestReportRefuses(t *testing.T) {
	run := record(t, "one")
	twin := record(t, "one")
	version := func(from, to string) string {
		dir := record(t, "other")
		path := filepath.Join(dir, "raw", "run.json")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(data), from, to, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"an unknown format among known ones": {[]string{"--format", "table,trac", run}, `unknown --format "trac"`},
		"no format":                          {[]string{"--format", "", run}, "names no format"},
		"a folder to the standard output":    {[]string{"--format", "perfdata", run}, "add --out DIR"},
		"two runs to the standard output":    {[]string{run, recorded}, "add --out DIR, or name one run"},
		"two runs of one name":               {[]string{"--out", t.TempDir(), run, twin}, "are both run one"},
		"an output folder that is a file":    {[]string{"--out", file, run}, "--out"},
		"a recording of a later podburst":    {[]string{version("recording/v2", "recording/v3")}, `is of format "podburst.dev/recording/v3" and this podburst reads only ["podburst.dev/recording/v2" "podburst.dev/recording/v1"]; use the podburst that recorded it`},
		"a recording without a version":      {[]string{version("podburst.dev/recording/v2", "")}, `is of format "" and this podburst reads only`},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := podburst(t, append([]string{"report"}, c.args...)...)
			if code != verdict.ExitUsage || !strings.Contains(errs, c.says) {
				t.Errorf("exit code %d, stdout %q; stderr lacks %q:\n%s", code, out, c.says, errs)
			}
		})
	}
}

func TestTheHelpListsEveryFormat(t *testing.T) {
	_, out, _ := podburst(t, "report", "--help")
	for _, f := range formats.All() {
		if !strings.Contains(out, f.Name) || !strings.Contains(out, f.Help) {
			t.Errorf("%s is not in\n%s", f.Name, out)
		}
	}
}
