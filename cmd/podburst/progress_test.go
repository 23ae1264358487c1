package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports/progress"
)

func TestProgressIsToldInTheModeThatIsAskedFor(t *testing.T) {
	for _, command := range []string{"compare --base default --head tuned", "calibrate", "self-test", "sweep --meet makespan<=9s"} {
		for args, want := range map[string]progress.Mode{"": progress.Auto, " --progress json": progress.JSON} {
			t.Chdir(t.TempDir())
			s := &stage{t: t, most: 1}
			var out, errs bytes.Buffer
			execute(t.Context(), rootCommand(s.send), strings.Fields(command+args), &out, &errs)
			if s.sent.Progress != want || s.sent.Out != &errs {
				t.Errorf("%s%s: progress %q to %T\n%s", command, args, s.sent.Progress, s.sent.Out, errs.String())
			}
			if want == progress.JSON {
				events(t, errs.String())
			}
		}
	}
}

func TestAnUnknownModeNamesTheNearest(t *testing.T) {
	for _, command := range []string{"compare --base default --head tuned", "sweep --meet makespan<=2s", "observe --selector app=web"} {
		var out, errs bytes.Buffer
		code := run(t.Context(), append(strings.Fields(command), "--progress", "quite"), &out, &errs)
		if want := `--progress "quite"; did you mean quiet?`; code != verdict.ExitUsage || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: exit code %d, stderr lacks %s:\n%s", command, code, want, errs.String())
		}
	}
}

// A program that follows a run by its events must also be able to read how it failed.
func TestAnErrorIsAnEventWhereEventsAreAskedFor(t *testing.T) {
	for _, command := range []string{"compare --base default --head nosuch", "sweep", "observe --selector app=web --kubeconfig nosuch"} {
		var out, errs bytes.Buffer
		code := run(t.Context(), append(strings.Fields(command), "--progress", "json"), &out, &errs)
		told := events(t, errs.String())
		if code != verdict.ExitUsage || out.Len() != 0 || len(told) != 1 || told[0].Event != "error" || told[0].Message == "" {
			t.Errorf("%s: exit code %d, stdout %q, events %+v", command, code, out.String(), told)
		}
	}
}

func events(t *testing.T, lines string) (all []progress.Event) {
	t.Helper()
	for line := range strings.Lines(lines) {
		var e progress.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		all = append(all, e)
	}
	return all
}
