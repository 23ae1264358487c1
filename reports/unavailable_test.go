package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
)

// A run on a cluster managed by others: no audit log, no limits, no metrics except the
// kubelets'.
func TestWhatAProviderCannotGiveIsUnavailableAndNeverZero(t *testing.T) {
	b := synthetic.Burst(synthetic.Options{Index: 1, NoAudit: true})
	b.Metrics = nil
	b.MetricsUnavailable = map[string]string{"kube-scheduler": "it serves on its own node"}
	run := aRun(b)
	run.Profiles = []recording.Profile{{Name: "default", Provider: "existing", EffectiveUnavailable: "kube-scheduler: it serves on its own node"}}
	r, err := reports.Build(run, lenient)
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != verdict.Pass {
		t.Errorf("verdict %s: %v", r.Verdict, r.Reasons)
	}
	got := r.Bursts[0]
	if got.MetricsUnavailable["kube-scheduler"] == "" || got.AuditUnavailable == "" || len(r.Profiles[0].Effective) != 0 {
		t.Errorf("unavailable %v and %q, effective %v", got.MetricsUnavailable, got.AuditUnavailable, r.Profiles[0].Effective)
	}
	for _, st := range got.Stations {
		if st.Station == station.ClientLimiter && (st.Known || st.UnknownReason == "") {
			t.Errorf("a limiter out of nowhere: %+v", st)
		}
	}
	if p := got.Phases["pod_startup"]; p == nil || p.Source != "watch" {
		t.Errorf("pod_startup %+v, want it by the watch", p)
	}
	var data, table, markdown bytes.Buffer
	for _, err := range []error{reports.WriteJSON(&data, r), reports.WriteTable(&table, r, "dir"), reports.WriteMarkdown(&markdown, r)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := reports.Validate(data.Bytes()); err != nil {
		t.Error(err)
	}
	for name, text := range map[string]string{"table": table.String(), "summary": markdown.String()} {
		if !strings.Contains(text, "Not known: kube-scheduler: it serves on its own node") {
			t.Errorf("the %s does not say what is unknown:\n%s", name, text)
		}
	}
}
