package reports_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
)

// passiveRun is a run that observed six pods of others.
func passiveRun(change func(b *recording.Burst)) recording.Run {
	b := synthetic.Burst(synthetic.Options{Pods: 6, Index: 1, NoAudit: true})
	b.Profile, b.Namespace, b.EndReason = "observed", "shop", recording.EndSettled
	b.Passive = &recording.Passive{Selector: "app=web", Began: b.Submit, Existing: 3, SettleSeconds: 10}
	b.Submit, b.SubmitReturned, b.Workload, b.Metrics, b.AuditUnavailable = time.Time{}, time.Time{}, recording.Workload{}, nil, "not available"
	if change != nil {
		change(&b)
	}
	finished := b.End
	return recording.Run{
		Manifest: recording.Manifest{ID: "r", StartedAt: b.Passive.Began, FinishedAt: &finished, Provider: "existing", Profiles: []string{"observed"}, BurstsPerProfile: 1},
		Profiles: []recording.Profile{{Name: "observed", Provider: "existing"}},
		Bursts:   []recording.Burst{b},
	}
}

func TestAPassiveReportShowsWhatItDoesNotKnowAsUnavailable(t *testing.T) {
	objectives, err := slo.LoadForPassive("")
	if err != nil {
		t.Fatal(err)
	}
	r, err := reports.Build(passiveRun(nil), objectives.Spec.Objectives)
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != verdict.Pass {
		t.Errorf("verdict %s: %v", r.Verdict, r.Reasons)
	}
	var text bytes.Buffer
	if err := reports.WriteJSON(&text, r); err != nil {
		t.Fatal(err)
	}
	if err := reports.Validate(text.Bytes()); err != nil {
		t.Error(err)
	}
	var raw struct {
		Bursts []map[string]any
	}
	if err := json.Unmarshal(text.Bytes(), &raw); err != nil {
		t.Fatal(err)
	}
	b := raw.Bursts[0]
	phases := b["phases"].(map[string]any)
	for _, name := range []string{"submit_to_create", "submit_to_ready", "total", "scheduling"} {
		if v, there := phases[name]; !there || v != nil {
			t.Errorf("%s is %v, want null", name, v)
		}
	}
	if b["makespanSeconds"] != nil || b["submittedAt"] != nil || b["creationFloorSeconds"] != nil {
		t.Errorf("makespan %v, submitted %v, floor %v", b["makespanSeconds"], b["submittedAt"], b["creationFloorSeconds"])
	}
	if span, ok := b["firstCreateToLastReadySeconds"].(float64); !ok || span <= 0 {
		t.Errorf("span %v", b["firstCreateToLastReadySeconds"])
	}
	if worst := b["worstPods"].([]any); len(worst) != 5 {
		t.Errorf("%d worst pods", len(worst))
	}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"table":    func(w *bytes.Buffer) error { return reports.WriteTable(w, r, "dir") },
		"markdown": func(w *bytes.Buffer) error { return reports.WriteMarkdown(w, r) },
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		flat := strings.Join(strings.Fields(out.String()), " ")
		for _, says := range []string{"namespace shop that match app=web", "3 that were there before are left out", "nothing had changed for 10 s",
			"When they were submitted is not known", "first create to last ready", "Where the burst's time went is not said: nobody knows when its pods were asked for", "Not known, and so not ruled out: kube-controller-manager's client-side limiter"} {
			if !strings.Contains(flat, says) {
				t.Errorf("the %s does not say %q:\n%s", name, says, out.String())
			}
		}
		if !regexp.MustCompile("submit_to_create`?[ |]+(- [| ]*)+not available").MatchString(flat) || strings.Contains(flat, "limiter's floor") {
			t.Errorf("the %s makes up a submission:\n%s", name, out.String())
		}
	}
}

func TestAPassiveReportNamesWhatPodStartupIncludes(t *testing.T) {
	for says, change := range map[string]func(b *recording.Burst){
		"Image pulls are not known (this user may not list events): they are part of pod_startup": func(b *recording.Burst) {
			b.Passive.EventsUnavailable = "this user may not list events"
		},
		"1 pod pulled images for 2.00 s together, which pod_startup leaves out": func(b *recording.Burst) {
			b.Events = []recording.KubeEvent{{Kind: "Pod", Reason: "Pulled", UID: b.Watch[0].UID, Message: `Successfully pulled image "a" in 2s (2s including waiting).`}}
		},
		"6 pods with init containers": func(b *recording.Burst) {
			for i := range b.Watch {
				b.Watch[i].InitContainers = 1
			}
		},
		"6 pods with volumes that make them stateful": func(b *recording.Burst) {
			for i := range b.Watch {
				b.Watch[i].Stateful = true
			}
		},
		"none was there before": func(b *recording.Burst) { b.Passive.Existing = 0 },
		"Ended when 6 pods were ready, as asked for": func(b *recording.Burst) {
			b.Passive.Wanted, b.EndReason = 6, recording.EndAllReady
		},
	} {
		r, err := reports.Build(passiveRun(change), nil)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := reports.WriteTable(&out, r, "dir"); err != nil {
			t.Fatal(err)
		}
		if flat := strings.Join(strings.Fields(out.String()), " "); !strings.Contains(flat, says) {
			t.Errorf("it does not say %q:\n%s", says, out.String())
		}
	}
}
