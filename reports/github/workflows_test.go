package github

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kind/pkg/apis/config/defaults"
	"sigs.k8s.io/yaml"

	"github.com/podburst/podburst/clusters"
)

// root is the repository's root.
const root = "../.."

// workflow is the part of a workflow, or of a composite action (Runs), that actionlint does
// not check.
type workflow struct {
	Permissions map[string]string `json:"permissions"`
	Triggers    map[string]any    `json:"on"`
	Concurrency map[string]any    `json:"concurrency"`
	Jobs        map[string]job    `json:"jobs"`
	Runs        struct {
		Steps []step `json:"steps"`
	} `json:"runs"`
	Inputs, Outputs map[string]map[string]string
}

type job struct {
	RunsOn      any               `json:"runs-on"`
	Timeout     float64           `json:"timeout-minutes"`
	Permissions map[string]string `json:"permissions"`
	Steps       []step            `json:"steps"`
}

type step struct {
	Uses, Run, Shell string
	With             map[string]any
	Env              map[string]string
}

func read(t *testing.T, path string) (workflow, string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var w workflow
	// YAML 1.1 reads an unquoted "on" as true.
	text := regexp.MustCompile(`(?m)^on:`).ReplaceAllString(string(data), `"on":`)
	if err := yaml.Unmarshal([]byte(text), &w); err != nil {
		t.Fatal(err)
	}
	return w, string(data)
}

var pinned = regexp.MustCompile(`^[a-z0-9-]+/[a-z0-9-]+(/[a-z0-9/-]+)?@[0-9a-f]{40}$`)

func checkSteps(t *testing.T, text string, steps []step) {
	t.Helper()
	for i, s := range steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("step %d: an expression in run becomes part of the script: pass it by env", i+1)
		}
		if s.Uses == "" {
			continue
		}
		if !pinned.MatchString(s.Uses) {
			t.Errorf("step %d: %s is not pinned to a commit", i+1, s.Uses)
		}
		if !regexp.MustCompile(regexp.QuoteMeta(s.Uses) + ` # v\d+\.\d+\.\d+\n`).MatchString(text) {
			t.Errorf("step %d: %s has no comment with its version", i+1, s.Uses)
		}
		if strings.HasPrefix(s.Uses, "actions/checkout@") && s.With["persist-credentials"] != false {
			t.Errorf("step %d: the checkout keeps the token where the pull request's code can read it", i+1)
		}
	}
}

func TestWorkflowsGiveAwayNoMoreThanTheyMust(t *testing.T) {
	files, err := filepath.Glob(root + "/.github/workflows/*")
	if err != nil || len(files) < 3 {
		t.Fatalf("%d workflows, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			w, text := read(t, file)
			if w.Permissions == nil || len(w.Permissions) != 0 {
				t.Errorf("permissions are %v: want {} above the jobs", w.Permissions)
			}
			for _, trigger := range []string{"pull_request_target", "workflow_run", "issue_comment"} {
				if _, ok := w.Triggers[trigger]; ok {
					t.Errorf("%s runs with a token that can write, beside code that anybody sent", trigger)
				}
			}
			if len(w.Triggers) == 0 || w.Concurrency["group"] == nil {
				t.Errorf("triggers %v, concurrency %v", w.Triggers, w.Concurrency)
			}
			if strings.Contains(text, "secrets.") {
				t.Error("it uses a secret")
			}
			for name, j := range w.Jobs {
				if j.RunsOn != "ubuntu-24.04" {
					t.Errorf("%s runs on %v", name, j.RunsOn)
				}
				if j.Timeout < 1 || j.Timeout > 340 {
					t.Errorf("%s: timeout-minutes is %v", name, j.Timeout)
				}
				if len(j.Permissions) != 1 || j.Permissions["contents"] != "read" {
					t.Errorf("%s: permissions are %v", name, j.Permissions)
				}
				checkSteps(t, text, j.Steps)
			}
		})
	}
}

func TestTheActionPassesEveryInputAndNothingElse(t *testing.T) {
	w, text := read(t, root+"/.github/actions/podburst/action.yml")
	checkSteps(t, text, w.Runs.Steps)
	var env map[string]string
	for _, s := range w.Runs.Steps {
		if s.Run != "" {
			env = s.Env
			if s.Shell != "bash" {
				t.Errorf("shell %q", s.Shell)
			}
		}
	}
	script, err := os.ReadFile(root + "/.github/actions/podburst/run.sh")
	if err != nil {
		t.Fatal(err)
	}
	for name := range w.Inputs {
		variable := "INPUT_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
		if name == "artifact-name" {
			continue // of the upload
		}
		if env[variable] != "${{ inputs."+name+" }}" || !strings.Contains(string(script), variable) && name != "all" && name != "strict" {
			t.Errorf("input %s does not reach the script as %s", name, variable)
		}
	}
	if len(env) != len(w.Inputs)-1 {
		t.Errorf("%d variables for %d inputs", len(env), len(w.Inputs))
	}
	for _, name := range []string{"verdict", "report", "artifacts", "exit-code"} {
		if w.Outputs[name]["value"] != "${{ steps.gate.outputs."+name+" }}" {
			t.Errorf("output %s is %q", name, w.Outputs[name]["value"])
		}
	}
}

func TestTheNodeImageIsThatOfTheKindReleaseByDigest(t *testing.T) {
	p, err := clusters.Resolve(root + "/.github/profiles/ci-kind.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if p.Spec.NodeImage != defaults.Image {
		t.Errorf("ci-kind names %s, and kind's release %s: take that one, so that the pull request is gated on the change", p.Spec.NodeImage, defaults.Image)
	}
	files, err := filepath.Glob(root + "/.github/profiles/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		p, err := clusters.Resolve(file)
		if err != nil || !regexp.MustCompile(`@sha256:[0-9a-f]{64}$`).MatchString(p.Spec.NodeImage) {
			t.Errorf("%s: %v; its node image %q is not pinned by digest", file, err, p.Spec.NodeImage)
		}
	}
}

func TestTheActionGivesTheScriptItsInputs(t *testing.T) {
	g := newGated(t)
	g.write(filepath.Join(g.dir, "mine.yaml"), "fake: 4 fail\n")
	action := func(inputs ...string) (int, string) {
		cmd := exec.Command(root + "/.github/actions/podburst/run.sh")
		cmd.Path, _ = filepath.Abs(cmd.Path)
		cmd.Dir, cmd.Env = g.dir, append(slices.Clone(g.env), inputs...)
		out, _ := cmd.CombinedOutput() // the exit code says it
		return cmd.ProcessState.ExitCode(), string(out)
	}
	hostile := `$(touch pwned); "x" ` + "`touch pwned`"
	code, out := action("INPUT_BASE=default", "INPUT_HEAD=mine.yaml", "INPUT_BLOCKS=6", "INPUT_MARGIN=0.2", "INPUT_PODS=60", "INPUT_PROVIDER="+hostile, "INPUT_STRICT=true", "INPUT_SLO=slo.yaml", "INPUT_ARTIFACTS=kept")
	want := fmt.Sprintf("compare --base default --head %[1]s/mine.yaml --artifacts %[1]s/kept --slo %[1]s/slo.yaml --provider %[2]s --blocks 6 --pods 60 --margin 0.2 --strict\n", g.dir, hostile)
	if code != 4 || g.file("calls") != want {
		t.Errorf("exit code %d, called with\n%s, want\n%s:\n%s", code, g.file("calls"), want, out)
	}
	if _, err := os.Stat(filepath.Join(g.dir, "pwned")); err == nil {
		t.Error("an input was executed")
	}
	if code, out := action("INPUT_STRICT=yes", "INPUT_BASE=default", "INPUT_HEAD=mine.yaml"); code != 2 || !strings.Contains(out, "want true or false") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	if code, out := action("INPUT_PROFILES=profiles/a.yaml\n  profiles/absent*.yaml\n"); code != 2 || !strings.Contains(out, "no git checkout") && !strings.Contains(out, "below the checkout") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

func TestANightIsAppendedToTheHistoryAndWhatIsNoLineIsDropped(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("needs jq, which GitHub's runners have")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"history.jsonl":         `{"run":"1"}` + "\n" + `{"run":"2"` + "\n[3]\nnull\n" + `{"run":"4"}` + "\n",
		"gate.yaml":             "kind: Gate\n# \"quoted\"\n",
		"calibrate/report.json": `{"verdict":"pass","comparisons":[{"endpoint":"makespan","noise":0.05,"pairs":[1,2]}],"bursts":[]}`,
		"calibrate/bench.txt":   "BenchmarkBurst 1 2.0 s/makespan\n",
		"sweep/report.json":     `{}`,
		"sweep/sweep.json":      `{"component":"kube-controller-manager","points":[]}`,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	night := func(env ...string) []string {
		cmd := exec.Command(root+"/.github/scripts/history.sh", "history.jsonl")
		cmd.Path, _ = filepath.Abs(cmd.Path)
		cmd.Dir, cmd.Env = dir, append([]string{"PATH=" + os.Getenv("PATH"), "GITHUB_SHA=abc", "HISTORY_LINES=3"}, env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		data, err := os.ReadFile(filepath.Join(dir, "history.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	}
	lines := night("GITHUB_RUN_ID=5", "CRITERIA=gate.yaml", "CALIBRATE_REPORT="+filepath.Join(dir, "calibrate/report.json"), "SWEEP_REPORT=sweep/report.json")
	if len(lines) != 3 || lines[0] != `{"run":"1"}` || lines[1] != `{"run":"4"}` {
		t.Fatalf("history:\n%s", strings.Join(lines, "\n"))
	}
	var last struct {
		Commit, Run string
		Calibrate   struct {
			Verdict, Criteria, Bench string
			Comparisons              []map[string]any
		}
		Sweep struct{ Component string }
	}
	if err := json.Unmarshal([]byte(lines[2]), &last); err != nil {
		t.Fatal(err)
	}
	if c := last.Calibrate; last.Commit != "abc" || last.Run != "5" || c.Verdict != "pass" || c.Criteria != "kind: Gate\n# \"quoted\"\n" || !strings.HasPrefix(c.Bench, "BenchmarkBurst") ||
		len(c.Comparisons) != 1 || c.Comparisons[0]["noise"] != 0.05 || c.Comparisons[0]["pairs"] != nil || last.Sweep.Component != "kube-controller-manager" {
		t.Errorf("line %s", lines[2])
	}
	// A night on which nothing worked also counts.
	if lines = night("GITHUB_RUN_ID=6", "CALIBRATE_REPORT=", "SWEEP_REPORT="); len(lines) != 3 || lines[0] != `{"run":"4"}` || !strings.Contains(lines[2], `"criteria":null`) {
		t.Errorf("history:\n%s", strings.Join(lines, "\n"))
	}
}
