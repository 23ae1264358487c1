package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	utiltrace "k8s.io/utils/trace"

	"github.com/podburst/podburst/framework/listcost"
	"github.com/podburst/podburst/framework/verdict"
)

const recordedListCost = "../../framework/listcost/testdata/run"

func TestARecordedListCostIsRenderedAgainInEveryFormat(t *testing.T) {
	for _, f := range listcost.Formats() {
		code, out, errs := podburst(t, "list-cost", "--from", recordedListCost, "--format", f.Name)
		if code != verdict.ExitPass || errs != "" || !strings.Contains(out, "cached-limit") {
			t.Errorf("%s: exit code %d, %d bytes: %s", f.Name, code, len(out), errs)
		}
	}
}

func TestBadInputOfListCostIsRefusedBeforeAClusterIsStarted(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"descending":             {[]string{"--pods", "100,50"}, "each larger than the one before"},
		"no number":              {[]string{"--pods", "x"}, "--pods"},
		"no pods":                {[]string{"--pods", "0"}, "from 1 to 100000"},
		"no rounds":              {[]string{"--rounds", "0"}, "0 rounds"},
		"no limit":               {[]string{"--limit", "-1"}, "limit -1"},
		"unknown provider":       {[]string{"--provider", "embeded"}, "embedded"},
		"unknown profile":        {[]string{"--profile", "tunned"}, "tuned"},
		"unknown format":         {[]string{"--format", "marktown"}, "markdown"},
		"unknown progress":       {[]string{"--progress", "qiet"}, "quiet"},
		"a plan and a record":    {[]string{"--from", recordedListCost, "--pods", "10"}, "from pods"},
		"a run of bursts":        {[]string{"--from", recorded}, "podburst list-cost wrote"},
		"a folder not there":     {[]string{"--from", "absent"}, "absent"},
		"no such kubeconfig":     {[]string{"--provider", "existing", "--kubeconfig", "absent"}, "absent"},
		"artifacts is no folder": {[]string{"--from", "main.go"}, "main.go"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("KUBECONFIG", "")
			code, _, errs := podburst(t, append([]string{"list-cost"}, c.args...)...)
			if code != verdict.ExitUsage || !strings.Contains(errs, c.says) {
				t.Errorf("exit code %d, want %d; stderr lacks %q:\n%s", code, verdict.ExitUsage, c.says, errs)
			}
		})
	}
}

func TestSlowListsAreTracedAndNothingElseIs(t *testing.T) {
	var out bytes.Buffer
	restore, err := traceSlowLists(&out)
	if err != nil {
		t.Fatal(err)
	}
	slow := func() {
		utiltrace.New("List", utiltrace.Field{Key: "strategy", Value: "full"}).LogIfLong(time.Duration(0))
	}
	slow()
	restore()
	if !strings.Contains(out.String(), `"List" strategy:full`) {
		t.Errorf("no trace: %q", out.String())
	}
	before := out.Len()
	slow()
	if out.Len() != before {
		t.Error("it goes on after it was undone")
	}
}

// make turns variables into flags: every variable that the target reads is a flag of
// the command.
func TestTheFlagsOfMakeListCostExist(t *testing.T) {
	text, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	_, recipe, found := strings.Cut(string(text), "\nlist-cost:")
	recipe, _, _ = strings.Cut(recipe, "\n\n")
	flags := 0
	for _, word := range strings.Fields(recipe) {
		_, name, isFlag := strings.Cut(word, ":+--")
		if !isFlag {
			continue
		}
		flags++
		if listCostCommand().Flags().Lookup(name) == nil {
			t.Errorf("make list-cost gives --%s, which the command does not have", name)
		}
	}
	if !found || flags < 8 {
		t.Errorf("%d flags found in %q: the test does not read the Makefile as it should", flags, recipe)
	}
}
