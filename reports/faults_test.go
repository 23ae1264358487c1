package reports_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/internal/specimen"
)

// These tests edit copies of recordings as faults did that podburst once got wrong, and
// read what podburst report prints about them. Each kind of sentence (blame, acquittal,
// advice, pass) has a test here that injects its opposite.

// copied is a recording's copy, to be edited.
type copied struct {
	*testing.T
	folder string
}

func copyOf(t *testing.T, name string) copied {
	t.Helper()
	c := copied{t, filepath.Join(t.TempDir(), name)}
	if err := os.CopyFS(c.folder, os.DirFS(filepath.Join(testdata, name))); err != nil {
		t.Fatal(err)
	}
	return c
}

const (
	kindBurst     = "raw/default/burst-1/"
	kindWorker    = "kubelet-podburst-default-2f18914d-worker"
	controllerMan = "kube-controller-manager"
)

// edit changes a file's text.
func (c copied) edit(file string, change func(string) string) {
	c.Helper()
	path := filepath.Join(c.folder, file)
	text, err := os.ReadFile(path)
	if err != nil {
		c.Fatal(err)
	}
	changed := change(string(text))
	if changed == string(text) {
		c.Fatalf("nothing in %s was changed", file)
	}
	if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
		c.Fatal(err)
	}
}

// add adds to the value of the series whose line begins so.
func (c copied) add(file, series string, by float64) {
	c.Helper()
	c.edit(file, func(text string) string {
		line := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(series) + ` (\S+)$`)
		return line.ReplaceAllStringFunc(text, func(s string) string {
			value, err := strconv.ParseFloat(s[len(series)+1:], 64)
			if err != nil {
				c.Fatal(err)
			}
			return fmt.Sprintf("%s %g", series, value+by)
		})
	})
}

// lines replaces each line of a JSON stream by what change returns for it.
func (c copied) lines(file string, change func(line string, event map[string]any) []string) {
	c.Helper()
	written := 0
	defer func() {
		c.burst(filepath.Join(filepath.Dir(file), "burst.json"), func(b map[string]any) {
			b["lines"].(map[string]any)[filepath.Base(file)] = written
		})
	}()
	c.edit(file, func(text string) string {
		var out strings.Builder
		lines := bufio.NewScanner(strings.NewReader(text))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var event map[string]any
			if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
				c.Fatal(err)
			}
			for _, line := range change(lines.Text(), event) {
				out.WriteString(line + "\n")
				written++
			}
		}
		return out.String()
	})
}

// burst changes burst.json.
func (c copied) burst(file string, change func(map[string]any)) {
	c.Helper()
	c.edit(file, func(text string) string {
		var b map[string]any
		if err := json.Unmarshal([]byte(text), &b); err != nil {
			c.Fatal(err)
		}
		change(b)
		out, err := json.Marshal(b)
		if err != nil {
			c.Fatal(err)
		}
		return string(out)
	})
}

// longWait makes one of a process's POSTs wait for 6 ms in the limiter.
func (c copied) longWait(folder, instance, host string) {
	c.Helper()
	file := folder + "metrics/" + instance + ".after.prom"
	of := func(kind, le string) string {
		return "rest_client_rate_limiter_duration_seconds_" + kind + `{host="` + host + `",verb="POST"` + le + "}"
	}
	c.add(file, of("bucket", `,le="0.005"`), -1)
	c.add(file, of("sum", ""), 0.006)
}

// printed is what podburst report prints, on one line.
func (c copied) printed() string {
	c.Helper()
	run, err := recording.Read(c.folder)
	if err != nil {
		c.Fatal(err)
	}
	return printed(c.T, run)
}

func printed(t *testing.T, run recording.Run) string {
	t.Helper()
	objectives := []slo.Objective{objective("run-to-observed", "run_to_observed", "p99", time.Second), objective("makespan-max", slo.Makespan, "max", 43430*time.Millisecond/10)}
	r, err := reports.Build(run, objectives)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := reports.WriteTable(&out, r, "dir"); err != nil {
		t.Fatal(err)
	}
	checkSchema(t, r)
	return strings.Join(strings.Fields(out.String()), " ")
}

// mustSay fails unless the text has each of these, and none of those that begin with "not: ".
func mustSay(t *testing.T, text string, all ...string) {
	t.Helper()
	for _, phrase := range all {
		if no, not := strings.CutPrefix(phrase, "not: "); not && strings.Contains(text, no) {
			t.Errorf("it says %q:\n%s", no, text)
		} else if !not && !strings.Contains(text, phrase) {
			t.Errorf("it does not say %q:\n%s", phrase, text)
		}
	}
}

// Fault 1: one wait of 6 ms became "held its requests up for 4.00 s", ranked first.
func TestOneWaitOfSixMillisecondsIsNotTheReason(t *testing.T) {
	c := copyOf(t, "kind")
	c.longWait(kindBurst, kindWorker, "podburst-default-2f18914d-control-plane:6443")
	text := c.printed()
	mustSay(t, text, "- Container creation on two processors", "not: spec.kubelet", "not: 4.00 s in its own")
	if at := regexp.MustCompile(`The kubelets' held schedule_to_run up for at most (\d+(\.\d+)?) ms`).FindStringSubmatch(text); at == nil || len(at[1]) > 3 || at[1] > "9" {
		t.Errorf("held for %v", at)
	}
}

// The same kind: another controller's wait inside kube-controller-manager.
func TestAnotherControllersWaitIsNotTheJobControllers(t *testing.T) {
	c := copyOf(t, "run")
	c.longWait("raw/tuned/burst-1/", controllerMan, "127.0.0.1:6443")
	text := c.printed()
	mustSay(t, text[strings.Index(text, "Profile tuned"):], "most of it", "not: Raise kubeAPIQPS", "not: - kube-controller-manager's client-side limiter")
}

// Fault 2: held 1.22 s, where log lines alone show 2.06 s.
func TestWhatWasLoggedIsTheLeastThatWasHeld(t *testing.T) {
	mustSay(t, copyOf(t, "kind").printed(), "kube-controller-manager's held submit_to_create up for 2.06 s to 3.43 s, and the makespan for at most", "not: 1.22 s", "not: Raise kubeAPIQPS")
	// The opposite: where a replay without the limiter is shorter, the advice is given.
	mustSay(t, copyOf(t, "run").printed(), "Raise kubeAPIQPS and kubeAPIBurst of spec.kubeControllerManager: a replay of the burst without the limiter is 1.37 s")
}

// Fault 3: "kube-scheduler held its requests up for 8.02 s" of a phase of 26 ms.
func TestALimiterThatFollowsAnotherIsNotBlamed(t *testing.T) {
	o := synthetic.Options{
		Pods: 500, Nodes: 50, Index: 1, JobController: clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 100},
		Scheduler: clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 99}, Kubelet: clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 100},
	}
	b := synthetic.Burst(o)
	run := aRun(b)
	run.Manifest.Environment = []byte(`{"cpus": 64}`)
	run.Profiles[0].Effective = clusters.Effective{controllerMan: o.JobController, "kube-scheduler": o.Scheduler}
	for _, node := range b.WorkerNodes {
		run.Profiles[0].Effective["kubelet-"+node] = o.Kubelet
	}
	mustSay(t, printed(t, run), "- kube-controller-manager's client-side limiter (50/100): ", "Raise kubeAPIQPS and kubeAPIBurst of spec.kubeControllerManager and spec.kubeScheduler",
		"and only follows the pace of kube-controller-manager's client-side limiter", "not: kube-scheduler's held create_to_schedule up for 8", "not: - kube-scheduler's client-side limiter")
}

// Fault 4: what could not be read was called innocent, in bursts of others' pods as well.
func TestWhatCouldNotBeReadIsNotCalledInnocent(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(copied)
		want string
	}{
		"unreadable": {func(c copied) {
			c.burst(kindBurst+"burst.json", func(b map[string]any) { b["metricsErrors"] = map[string]any{controllerMan: "connection refused"} })
		}, "metrics unreadable: connection refused"},
		"a counter that fell": {func(c copied) {
			c.add(kindBurst+"metrics/"+controllerMan+".before.prom", `rest_client_rate_limiter_duration_seconds_count{host="172.18.0.2:6443",verb="POST"}`, 1000)
		}, "a counter fell"},
	} {
		for _, passive := range []bool{false, true} {
			c2 := copyOf(t, "kind")
			c.edit(c2)
			if passive {
				c2.burst(kindBurst+"burst.json", func(b map[string]any) {
					b["passive"] = map[string]any{"selector": "app=x", "began": b["submit"]}
				})
			}
			t.Run(fmt.Sprintf("%s, passive %t", name, passive), func(t *testing.T) {
				text := c2.printed()
				mustSay(t, text, "Not known, and so not ruled out: kube-controller-manager's client-side limiter", c.want, "kube-controller-manager's limiter not known",
					"not: kube-controller-manager's held", "not: No client-side limiter", "not: no limiter")
				if name == "unreadable" {
					mustSay(t, text, "Metrics that could not be read: kube-controller-manager (connection refused).")
				}
			})
		}
	}
}

// Fault 5: a guilty limiter was acquitted where each line of a creation came twice.
func TestALineThatComesTwiceAcquitsNobody(t *testing.T) {
	twice := func(line string, e map[string]any) []string {
		if e["verb"] == "create" && e["resource"] == "pods" {
			return []string{line, line}
		}
		return []string{line}
	}
	for name, file := range map[string]string{"run": "raw/slow/burst-1/audit.jsonl", "kind": kindBurst + "audit.jsonl"} {
		c := copyOf(t, name)
		want := c.printed()
		c.lines(file, twice)
		if got := c.printed(); got != want {
			t.Errorf("%s: it says\n%s\nand said before\n%s", name, got, want)
		}
	}
}

// Fault 6: without an audit log run_to_observed was 0 s for every pod, and passed.
func TestAPhaseBetweenTwoMarksOfOneObservationIsNotAvailable(t *testing.T) {
	b := synthetic.Burst(synthetic.Options{Index: 1, NoAudit: true})
	text := printed(t, aRun(b))
	mustSay(t, text, "not: run-to-observed 1 0 ms", "not: run-to-observed all 0 ms")
	if !regexp.MustCompile(`run_to_observed (- )+not available`).MatchString(text) {
		t.Errorf("run_to_observed is shown:\n%s", text)
	}
	// The opposite: with an audit log it is measured.
	mustSay(t, copyOf(t, "kind").printed(), "run_to_observed 15 ms 75 ms 142 ms")
}

// Fault 7: a Pulled Event that was recorded twice made pod_startup 0 s.
func TestAPullThatIsToldTwiceIsSubtractedOnce(t *testing.T) {
	startup := func(text string) string { return regexp.MustCompile(`pod_startup( \S+ m?s){4} \d+`).FindString(text) }
	pulled := func(events int) string {
		return startup(printed(t, passiveRun(func(b *recording.Burst) {
			pulled := map[string]bool{}
			for _, o := range b.Watch {
				if pulled[o.UID] {
					continue
				}
				pulled[o.UID] = true
				for range events {
					b.Events = append(b.Events, recording.KubeEvent{
						Kind: "Pod", Reason: "Pulled", Component: "kubelet", UID: o.UID, Name: o.Name, Count: 1,
						Message: `Successfully pulled image "a" in 60ms (60ms including waiting).`, At: o.At.Add(80 * time.Millisecond),
					})
				}
			}
		})))
	}
	if none, once, twice := pulled(0), pulled(1), pulled(2); once != twice || once == "" || none == once {
		t.Errorf("without %q, once %q, twice %q", none, once, twice)
	}
}

// Fault 8: two senders with equal counts gave different reports; bounds were compared as
// waits; numbers that differ read alike, or had exponents.
func TestTheSameFilesPrintTheSame(t *testing.T) {
	c := copyOf(t, "kind")
	n := 0
	c.lines(kindBurst+"audit.jsonl", func(line string, e map[string]any) []string {
		if e["verb"] == "create" && e["resource"] == "pods" && e["subresource"] == nil {
			if n++; n%2 == 0 {
				return []string{strings.Replace(line, `"userAgent":"`, `"userAgent":"other `, 1)}
			}
		}
		return []string{line}
	})
	want := c.printed()
	for range 5 {
		if got := c.printed(); got != want {
			t.Fatalf("once\n%s\nthen\n%s", want, got)
		}
	}
	mustSay(t, want, "not: e+0", "above its limit of 4.34 s by 845 %")
}

// Two times that differ read apart, in the order that the verdict says.
func TestAMissedLimitReadsAsMissed(t *testing.T) {
	r := kindReport(t)
	p99 := time.Duration(r.Bursts[0].Phases["submit_to_create"].P99 * float64(time.Second))
	for limit, missed := range map[time.Duration]bool{p99 - 10*time.Microsecond: true, p99 + 10*time.Microsecond: false} {
		judged, err := reports.Build(specimen.Recorded(t, "kind"), []slo.Objective{objective("close", "submit_to_create", "p99", limit)})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := reports.WriteTable(&out, judged, "dir"); err != nil {
			t.Fatal(err)
		}
		at := regexp.MustCompile(`p99 is (\S+) s, above its limit of (\S+) s`).FindStringSubmatch(strings.Join(strings.Fields(out.String()), " "))
		if missed != (at != nil) || missed && at[1] <= at[2] {
			t.Errorf("limit %s: %q", limit, at)
		}
	}
}

// Nothing that a report may print about a limiter is left of the old sentences.
func TestNoReportSpeaksOfNoLimiter(t *testing.T) {
	for _, name := range []string{"kind", "run"} {
		mustSay(t, copyOf(t, name).printed(), "not: held up by no limiter", "not: No client-side limiter", "not: No other limiter", "not: held its requests up")
	}
}
