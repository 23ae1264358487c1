//go:build integration

package github

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
)

// End to end: two git worktrees, hack/gate.sh, podburst, an embedded control plane. In the
// head, kube-controller-manager may send half as many requests: 60 pods through a limiter
// of 20/30 are created over (60-30)/20 = 1.5 s, through 10/15 over 4.5 s.
func TestTheGateTripsOnAHalvedQPSAndNotOnEqualWorktrees(t *testing.T) {
	g := newGated(t)
	binary := filepath.Join(t.TempDir(), "podburst")
	if out, err := exec.Command("go", "build", "-o", binary, root+"/cmd/podburst").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// The control plane is in the cache of the user who runs the tests.
	g.env = append(os.Environ(), append(g.env[2:], "PODBURST="+binary, "GITHUB_ACTIONS=true")...)

	const profile = "apiVersion: podburst.dev/v1alpha1\nkind: Profile\nmetadata: {name: ci}\nspec:\n  kubeControllerManager: {kubeAPIQPS: 20, kubeAPIBurst: 30}\n"
	repository, head := filepath.Join(g.dir, "repository"), filepath.Join(g.dir, "worktree")
	g.write(filepath.Join(repository, "clusters/profiles/ci.yaml"), profile)
	g.git(repository, "init", "-q")
	g.git(repository, "add", "-A")
	g.git(repository, "commit", "-qm", "base")
	g.git(repository, "worktree", "add", "-q", "-b", "change", head)
	flags := []string{"--base", "main", "--head-dir", head, "--provider", "embedded"}

	code, out := g.run(append(flags, "--all", "--pods", "20", "--blocks", "6", "--max-blocks", "6")...)
	if code != verdict.ExitPass || g.outputs()["exit-code"] != "0" {
		t.Errorf("equal worktrees: exit code %d, outputs %q:\n%s", code, g.outputs(), out)
	}
	if code, out := g.run(flags...); code != verdict.ExitPass || g.outputs()["verdict"] != "unchanged" {
		t.Errorf("nothing changed: exit code %d, outputs %q:\n%s", code, g.outputs(), out)
	}

	g.write(filepath.Join(head, "clusters/profiles/ci.yaml"), strings.Replace(profile, "20, kubeAPIBurst: 30", "10, kubeAPIBurst: 15", 1))
	g.git(head, "commit", "-qam", "halve it")
	if err := os.Remove(filepath.Join(g.dir, "summary")); err != nil {
		t.Fatal(err)
	}
	code, out = g.run(append(flags, "--pods", "60", "--blocks", "7", "--max-blocks", "7")...)
	got := g.outputs()
	if code != verdict.ExitRegressed || got["verdict"] != "regressed" || got["exit-code"] != "5" {
		t.Errorf("halved: exit code %d, want %d; outputs %q:\n%s", code, verdict.ExitRegressed, got, out)
	}
	if !strings.Contains(out, "\n::error title=podburst%3A regressed::ci-head against ci-base, makespan: head is ") {
		t.Errorf("no annotation carries the message:\n%s", out)
	}
	summary := g.file("summary")
	for _, says := range []string{"# podburst gate: regressed", "| clusters/profiles/ci.yaml | regressed | 5 |", "the merge base with main", "| makespan |"} {
		if !strings.Contains(summary, says) {
			t.Errorf("the summary lacks %q:\n%s", says, summary)
		}
	}
	data, err := os.ReadFile(got["report"])
	if err != nil {
		t.Fatal(err)
	}
	var report reports.Report
	if err := json.Unmarshal(data, &report); err != nil || report.Verdict != verdict.Regressed {
		t.Errorf("%s: verdict %q, %v", got["report"], report.Verdict, err)
	}
}
