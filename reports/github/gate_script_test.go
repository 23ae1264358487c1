package github

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/eventually"
)

// gateScript is hack/gate.sh.
var gateScript, _ = filepath.Abs("../../hack/gate.sh")

// A fake podburst that records its arguments and obeys a line "fake: CODE VERDICT" in the
// head's profile: like the real one, it tells the runner and exits with CODE.
const fakePodburst = `#!/bin/bash
printf '%s\n' "$*" >>"$FAKE_CALLS"
while [ $# -gt 0 ]; do case $1 in --head) head=$2 ;; --artifacts) artifacts=$2 ;; esac; shift; done
read -r _ code verdict more < <(grep '^fake: ' "$head")
if [ "$verdict" = hang ]; then
  trap 'exit 130' TERM
  echo hanging >"$FAKE_CALLS.hangs"
  while :; do sleep 0.05; done
fi
if [ -n "$verdict" ]; then
  printf '## details of %s %s\n' "$verdict" "$more" >>"$GITHUB_STEP_SUMMARY"
  printf 'verdict<<end\n%s\nend\nreport<<end\n%s/run-%s/report.json\nend\n' "$verdict" "$artifacts" "$verdict" >>"$GITHUB_OUTPUT"
fi
exit "$code"
`

// gated is two folders, one of which the script compares with the other.
type gated struct {
	t               *testing.T
	dir, base, head string
	env             []string
}

func newGated(t *testing.T) *gated {
	t.Helper()
	if testing.Short() {
		t.Skip("runs a script many times")
	}
	g := &gated{t: t, dir: t.TempDir()}
	g.base, g.head = filepath.Join(g.dir, "base"), filepath.Join(g.dir, "head")
	for _, dir := range []string{g.base, g.head} {
		g.write(filepath.Join(dir, "profiles", "same.yaml"), "same")
	}
	g.write(filepath.Join(g.dir, "podburst"), fakePodburst)
	if err := os.Chmod(filepath.Join(g.dir, "podburst"), 0o700); err != nil {
		t.Fatal(err)
	}
	g.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + g.dir, "TMPDIR=" + t.TempDir(), "PODBURST=" + filepath.Join(g.dir, "podburst"),
		"FAKE_CALLS=" + filepath.Join(g.dir, "calls"), "GITHUB_STEP_SUMMARY=" + filepath.Join(g.dir, "summary"), "GITHUB_OUTPUT=" + filepath.Join(g.dir, "output")}
	return g
}

func (g *gated) write(path, text string) {
	g.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		g.t.Fatal(err)
	}
}

func (g *gated) command(args ...string) *exec.Cmd {
	cmd := exec.Command(gateScript, args...)
	cmd.Dir, cmd.Env = g.dir, g.env
	return cmd
}

func (g *gated) run(args ...string) (code int, output string) {
	g.t.Helper()
	out, err := g.command(args...).CombinedOutput()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		g.t.Fatal(err)
	}
	if err != nil {
		var exit *exec.ExitError
		errors.As(err, &exit)
		code = exit.ExitCode()
	}
	return code, string(out)
}

// folders compares the profiles in the two folders.
func (g *gated) folders(args ...string) (code int, output string) {
	g.t.Helper()
	return g.run(append([]string{"--base-dir", "base", "--head-dir", "head", "--profile", "profiles"}, args...)...)
}

func (g *gated) git(dir string, args ...string) {
	g.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir, cmd.Env = dir, append(g.env, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		g.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (g *gated) file(name string) string {
	data, _ := os.ReadFile(filepath.Join(g.dir, name)) // an absent file is empty
	return string(data)
}

// outputs returns the last value of each output, as GitHub takes them.
func (g *gated) outputs() map[string]string {
	r := &runner{t: g.t, dir: g.dir}
	return r.outputs()
}

func TestTheGateExitsWithTheGravestCodeAndSaysItOnce(t *testing.T) {
	for name, c := range map[string]struct {
		// heads say what the fake does for each changed profile: "CODE VERDICT".
		heads   []string
		code    int
		verdict string
	}{
		"pass":                             {[]string{"0 pass"}, verdict.ExitPass, "pass"},
		"inconclusive passes":              {[]string{"0 inconclusive", "0 pass"}, verdict.ExitPass, "inconclusive"},
		"inconclusive, strict":             {[]string{"6 inconclusive", "0 pass"}, verdict.ExitInconclusive, "inconclusive"},
		"regressed beside pass":            {[]string{"0 pass", "5 regressed", "6 inconclusive"}, verdict.ExitRegressed, "regressed"},
		"an SLO is graver than a ratio":    {[]string{"5 regressed", "4 fail"}, verdict.ExitFail, "fail"},
		"invalid is graver than both":      {[]string{"5 regressed", "3 invalid", "4 fail"}, verdict.ExitInvalid, "invalid"},
		"bad input is graver than invalid": {[]string{"3 invalid", "2"}, verdict.ExitUsage, "error"},
		"an internal error":                {[]string{"2", "1", "3 invalid"}, verdict.ExitInternal, "error"},
		"killed":                           {[]string{"137", "5 regressed"}, 137, "error"},
		"it says pass and failed":          {[]string{"5 pass"}, verdict.ExitRegressed, "regressed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGated(t)
			g.write(filepath.Join(g.dir, "summary"), "of an earlier step\n")
			for i, does := range c.heads {
				file := fmt.Sprintf("profiles/p%d.yaml", i)
				g.write(filepath.Join(g.base, file), "base")
				g.write(filepath.Join(g.head, file), "fake: "+does+"\n")
			}
			code, out := g.folders("--provider", "embedded", "--blocks=6", "--slo", "limits.yaml")
			if code != c.code {
				t.Errorf("exit code %d, want %d:\n%s", code, c.code, out)
			}
			calls := strings.Split(strings.TrimSpace(g.file("calls")), "\n")
			if len(calls) != len(c.heads) {
				t.Fatalf("%d comparisons, want %d", len(calls), len(c.heads))
			}
			want := fmt.Sprintf("compare --base %s/profiles/p0.yaml --head %s/profiles/p0.yaml --artifacts %s/artifacts --provider embedded --blocks=6 --slo %s/limits.yaml", g.base, g.head, g.dir, g.dir)
			if calls[0] != want {
				t.Errorf("called with\n%s\nwant\n%s", calls[0], want)
			}
			got := g.outputs()
			if len(got) != 4 || got["verdict"] != c.verdict || got["exit-code"] != strconv.Itoa(c.code) || got["artifacts"] != filepath.Join(g.dir, "artifacts") {
				t.Errorf("outputs %q", got)
			}
			if said := strings.Fields(c.heads[0]); len(c.heads) == 1 && got["report"] != filepath.Join(g.dir, "artifacts", "run-"+said[1], "report.json") {
				t.Errorf("report %q", got["report"])
			}
			summary := g.file("summary")
			if !strings.HasPrefix(summary, "of an earlier step\n# podburst gate: "+c.verdict+"\n") || strings.Count(summary, "\n| profiles/p") != len(c.heads) {
				t.Errorf("summary:\n%s", summary)
			}
			for _, does := range c.heads {
				if said := strings.Fields(does); len(said) == 2 && !strings.Contains(summary, "## details of "+said[1]) {
					t.Errorf("the summary lacks podburst's own of %q", does)
				}
			}
			if !strings.Contains(summary, g.file("artifacts/gate.md")) {
				t.Error("gate.md is not the summary")
			}
		})
	}
}

func TestWhatIsNotComparedIsSaid(t *testing.T) {
	g := newGated(t)
	g.write(filepath.Join(g.base, "profiles/removed.yaml"), "x")
	g.write(filepath.Join(g.head, "profiles/new.yml"), "x")
	g.write(filepath.Join(g.head, "profiles/notes.txt"), "x")
	for dir, version := range map[string]string{g.base: "v0.33.0", g.head: "v0.34.0"} {
		g.write(filepath.Join(dir, "go.mod"), "require sigs.k8s.io/kind "+version+"\n")
		g.write(filepath.Join(dir, "clusters/controlplane/go.mod"), "require k8s.io/kubernetes "+version+"\n")
	}
	code, out := g.folders()
	if code != verdict.ExitPass || g.file("calls") != "" {
		t.Errorf("exit code %d, calls %q", code, g.file("calls"))
	}
	for _, says := range []string{"# podburst gate: unchanged", "profiles/new.yml is new", "profiles/removed.yaml was removed", "not compared (--all does): profiles/same.yaml.",
		"Not covered: go.mod changes kind", "Not covered: clusters/controlplane/go.mod changed"} {
		if !strings.Contains(out, says) || !strings.Contains(g.file("summary"), says) {
			t.Errorf("nothing says %q:\n%s", says, out)
		}
	}
	if got := g.outputs(); got["verdict"] != "unchanged" || got["exit-code"] != "0" || got["report"] != "" {
		t.Errorf("outputs %q", got)
	}
}

func TestAChangedNodeImageIsComparedAndSaidToBeKinds(t *testing.T) {
	g := newGated(t)
	g.write(filepath.Join(g.base, "profiles/p.yaml"), "  nodeImage: kindest/node:v1.36.4\n")
	g.write(filepath.Join(g.head, "profiles/p.yaml"), "fake: 5 regressed\n  nodeImage: kindest/node:v1.37.0\n")
	if code, out := g.folders(); code != verdict.ExitRegressed || !strings.Contains(g.file("summary"), "profiles/p.yaml changes its node image") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

func TestUnchangedProfilesAreComparedWhenAsked(t *testing.T) {
	g := newGated(t)
	for _, dir := range []string{g.base, g.head} {
		g.write(filepath.Join(dir, "profiles/same.yaml"), "fake: 0 pass\n")
	}
	if code, out := g.folders("--all"); code != verdict.ExitPass || g.outputs()["verdict"] != "pass" || strings.Count(g.file("calls"), "\n") != 1 {
		t.Errorf("exit code %d, outputs %q, calls %q:\n%s", code, g.outputs(), g.file("calls"), out)
	}
}

func TestTheBaseIsTheMergeBase(t *testing.T) {
	g := newGated(t)
	profile := filepath.Join(g.head, "profiles/ci.yaml")
	g.write(profile, "of the merge base")
	g.git(g.head, "init", "-q")
	g.git(g.head, "add", "-A")
	g.git(g.head, "commit", "-qm", "merge base")
	g.git(g.head, "checkout", "-qb", "change")
	g.write(profile, "fake: 5 regressed")
	g.git(g.head, "commit", "-qam", "change")
	g.git(g.head, "checkout", "-q", "main")
	g.write(profile, "of main, later")
	g.git(g.head, "commit", "-qam", "later")
	g.git(g.head, "checkout", "-q", "change")
	// A podburst that prints the base's file.
	g.write(filepath.Join(g.dir, "podburst"), fakePodburst[:strings.IndexByte(fakePodburst, '\n')+1]+`cat "$3"; exit 5`)
	code, out := g.run("--head-dir", "head", "--profile", "profiles", "--base", "main")
	if code != verdict.ExitRegressed || !strings.Contains(out, "of the merge base") || !strings.Contains(out, "the merge base with main") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	// The default is a pull request's base branch, and the server's copy comes first.
	g.git(g.head, "update-ref", "refs/remotes/origin/release", "main")
	g.git(g.head, "branch", "release", "change")
	g.env = append(g.env, "GITHUB_BASE_REF=release")
	if code, out := g.run("--head-dir", "head", "--profile", "profiles"); code != verdict.ExitRegressed || !strings.Contains(out, "of the merge base") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

func TestTheGateRefusesBadInput(t *testing.T) {
	g := newGated(t)
	g.git(g.head, "init", "-q")
	g.git(g.head, "commit", "-qm", "x", "--allow-empty")
	g.write(filepath.Join(g.base, "linked/p.yaml"), "x")
	if err := errors.Join(os.Mkdir(filepath.Join(g.head, "linked"), 0o700), os.Symlink("/etc/passwd", filepath.Join(g.head, "linked/p.yaml"))); err != nil {
		t.Fatal(err)
	}
	g.write(filepath.Join(g.head, "odd/x\n::error::y.yaml"), "x")
	g.env = append(g.env, "GITHUB_ACTIONS=true")
	folders := []string{"--base-dir", "base", "--head-dir", "head", "--profile"}
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"a value is missing":        {[]string{"--base"}, "--base needs a value"},
		"a value is empty":          {[]string{"--base="}, "--base is empty"},
		"two bases":                 {[]string{"--base", "x", "--base-dir", "base"}, "give one of them"},
		"no such ref":               {[]string{"--base", "absent", "--head-dir", "head"}, "fetch-depth: 0"},
		"a ref that is an option":   {[]string{"--base", "--all", "--head-dir", "head"}, "no branch, tag or commit"},
		"no git":                    {[]string{"--base", "main", "--head-dir", "base"}, "--base-dir"},
		"no such folder":            {[]string{"--base-dir", "absent", "--head-dir", "head"}, "no folder"},
		"no such head":              {[]string{"--base-dir", "base", "--head-dir", "absent"}, "no folder"},
		"no such profile":           {append(folders, "absent.yaml"), "neither in the head nor in the base"},
		"no profile at all":         {[]string{"--base-dir", "base", "--head-dir", "head"}, "--profile"},
		"a path out of the folder":  {append(folders, "../base/profiles"), "below the checkout"},
		"an absolute path":          {append(folders, "/etc"), "below the checkout"},
		"a symbolic link":           {append(folders, "linked"), "symbolic link"},
		"a name that is a command":  {append(folders, "odd"), "letters, digits"},
		"half a pair":               {[]string{"--base-profile", "default"}, "go together"},
		"a pair and folders":        {[]string{"--base-profile", "default", "--head-profile", "tuned", "--all"}, "leave out"},
		"a podburst that is absent": {append(folders, "profiles", "--all"), "is no program"},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "a podburst") {
				g.env = append(g.env, "PODBURST=/absent/podburst")
			}
			code, out := g.run(c.args...)
			annotation := regexp.MustCompile(`(?m)^::.*$`).FindAllString(out, -1)
			if len(annotation) != 1 || !strings.HasPrefix(annotation[0], "::error title=podburst gate::") || !strings.Contains(annotation[0], c.says) {
				t.Errorf("annotations %q, want one that says %q", annotation, c.says)
			}
			if code != verdict.ExitUsage || !strings.Contains(out, c.says) || g.file("calls") != "" {
				t.Errorf("exit code %d, want %d, saying %q:\n%s", code, verdict.ExitUsage, c.says, out)
			}
		})
	}
}

func TestAPairIsComparedByNameOrFile(t *testing.T) {
	g := newGated(t)
	g.write(filepath.Join(g.dir, "mine.yaml"), "fake: 4 fail\n")
	code, out := g.run("--base-profile", "default", "--head-profile", "mine.yaml", "--artifacts", "kept", "--strict")
	want := fmt.Sprintf("compare --base default --head %[1]s/mine.yaml --artifacts %[1]s/kept --strict\n", g.dir)
	if code != verdict.ExitFail || g.file("calls") != want || !strings.Contains(g.file("kept/gate.md"), "| mine.yaml against default | fail | 4 | run-fail |") {
		t.Errorf("exit code %d, called with\n%s:\n%s", code, g.file("calls"), out)
	}
}

func TestARunWithoutAReportIsAnnotated(t *testing.T) {
	g := newGated(t)
	g.env = append(g.env, "GITHUB_ACTIONS=true")
	for i, does := range []string{"2", "5 regressed"} {
		g.write(filepath.Join(g.base, fmt.Sprintf("profiles/p%d.yaml", i)), "base")
		g.write(filepath.Join(g.head, fmt.Sprintf("profiles/p%d.yaml", i)), "fake: "+does+"\n")
	}
	code, out := g.folders()
	if want := "\n::error title=podburst gate::profiles/p0.yaml: podburst ended with exit code 2 and no report; the log says why\n"; code != verdict.ExitUsage ||
		!strings.Contains(out, want) || strings.Count(out, "\n::") != 1 {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

func TestASignalReachesPodburstAndEndsTheGate(t *testing.T) {
	g := newGated(t)
	for i, does := range []string{"130 hang", "0 pass"} {
		g.write(filepath.Join(g.base, fmt.Sprintf("profiles/p%d.yaml", i)), "base")
		g.write(filepath.Join(g.head, fmt.Sprintf("profiles/p%d.yaml", i)), "fake: "+does+"\n")
	}
	cmd := g.command("--base-dir", "base", "--head-dir", "head", "--profile", "profiles")
	var out bytes.Buffer
	cmd.Stdout = &out
	cmd.Cancel, cmd.WaitDelay = nil, 20*time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually.True(t, "podburst hangs", func() bool { return g.file("calls.hangs") != "" })
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != verdict.ExitInterrupted {
		t.Errorf("%v, want exit code %d:\n%s", err, verdict.ExitInterrupted, out.String())
	}
	if strings.Count(g.file("calls"), "\n") != 1 || g.outputs()["verdict"] != "interrupted" || !strings.Contains(g.file("summary"), "not all was compared") {
		t.Errorf("calls %q, outputs %q:\n%s", g.file("calls"), g.outputs(), g.file("summary"))
	}
}

func TestASummaryThatIsNearlyFullGetsTheOverviewOnly(t *testing.T) {
	g := newGated(t)
	before := strings.Repeat("x", 1_040_000)
	g.write(filepath.Join(g.dir, "summary"), before)
	g.write(filepath.Join(g.base, "profiles/p.yaml"), "base")
	g.write(filepath.Join(g.head, "profiles/p.yaml"), "fake: 5 regressed "+strings.Repeat("details", 2000))
	if code, out := g.folders(); code != verdict.ExitRegressed {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	if s := g.file("summary")[len(before):]; !strings.HasPrefix(s, "# podburst gate: regressed") || !strings.Contains(s, "has no room here") || len(s) > 4000 {
		t.Errorf("%d bytes: %.500s", len(s), s)
	}
}
