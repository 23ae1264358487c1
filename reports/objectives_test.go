package reports_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/html"
	"github.com/podburst/podburst/reports/internal/specimen"
)

// served is the API server's histogram of one creation of a Lease that took more than
// 0.5 s and at most 1 s, next to earlier ones.
func served(earlier, in int) []byte {
	const series = `apiserver_request_sli_duration_seconds_%s{group="coordination.k8s.io",resource="leases",scope="resource",subresource="",verb="POST"%s} %d` + "\n"
	text := "# TYPE apiserver_request_sli_duration_seconds histogram\n"
	text += fmt.Sprintf(series, "bucket", `,le="0.5"`, earlier) + fmt.Sprintf(series, "bucket", `,le="1"`, earlier+in) + fmt.Sprintf(series, "bucket", `,le="+Inf"`, earlier+in)
	return []byte(text + fmt.Sprintf(series, "sum", "", in) + fmt.Sprintf(series, "count", "", earlier+in))
}

func withLease(b recording.Burst) recording.Burst {
	b.Metrics["kube-apiserver"] = recording.MetricsPair{Before: served(3, 0), After: served(3, 1)}
	return b
}

func onCalls(a slo.APICalls, limit time.Duration, whereAvailable bool) slo.Objective {
	o := objective("calls", "", "max", limit)
	o.APICalls, o.WhereAvailable, o.Scope = &a, whereAvailable, slo.ScopeProfile
	return o
}

var mutating = slo.APICalls{Resource: slo.Any, Class: slo.Mutating}

// says returns the report in the formats that people and CI systems read.
func says(t *testing.T, r *reports.Report) map[string]string {
	t.Helper()
	var junit bytes.Buffer
	if err := reports.WriteJUnit(&junit, *r); err != nil {
		t.Fatal(err)
	}
	var data bytes.Buffer
	if err := reports.WriteJSON(&data, *r); err != nil {
		t.Fatal(err)
	}
	if err := reports.Validate(data.Bytes()); err != nil {
		t.Error(err)
	}
	var table, markdown bytes.Buffer
	if err := reports.WriteTable(&table, *r, "dir"); err != nil {
		t.Fatal(err)
	}
	if err := reports.WriteMarkdown(&markdown, *r); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{"JSON": data.String(), "JUnit": junit.String(), "table": table.String(), "markdown": markdown.String(), "page": specimen.Text(t, r, html.Write)}
	for name, text := range all {
		all[name] = strings.Join(strings.Fields(text), " ")
	}
	return all
}

func build(t *testing.T, b recording.Burst, objectives ...slo.Objective) *reports.Report {
	t.Helper()
	r, err := reports.Build(aRun(b), objectives)
	if err != nil {
		t.Fatal(err)
	}
	return &r
}

func TestCallsAreJudgedExactlyAndByBoundsAndEveryFormatShowsThem(t *testing.T) {
	r := build(t, withLease(aBurst(1)), onCalls(mutating, time.Second, false))
	if r.Verdict != verdict.Pass || len(r.SLOLeftOut) != 0 {
		t.Fatalf("verdict %s: %v, left out %v", r.Verdict, r.Reasons, r.SLOLeftOut)
	}
	all := says(t, r)
	for format, want := range map[string]string{
		"JSON": `"call": "create leases.coordination.k8s.io"`, "JUnit": `name="calls, create leases.coordination.k8s.io, of all bursts"`,
		"table": "create leases.coo", "markdown": "500 ms to 1.00 s", "page": "create leases.coordination.k8s.io",
	} {
		if !strings.Contains(all[format], want) {
			t.Errorf("the %s lacks %s:\n%s", format, want, all[format])
		}
	}
	for _, want := range []string{`<property name="observedHighSeconds" value="1">`, `<property name="source" value="audit">`, "create pods/binding, of all bursts"} {
		if !strings.Contains(all["JUnit"], want) {
			t.Errorf("JUnit lacks %s", want)
		}
	}
}

// The limit lies in the bucket: neither met nor missed, and the headline says so.
func TestALimitInsideOfABucketIsInconclusive(t *testing.T) {
	r := build(t, withLease(aBurst(1)), onCalls(mutating, 700*time.Millisecond, false))
	if r.Verdict != verdict.Inconclusive {
		t.Fatalf("verdict %s: %v", r.Verdict, r.Reasons)
	}
	all := says(t, r)
	checks := len(r.SLO)
	if want := fmt.Sprintf("does not decide 1 of %d checks of objectives; 1 of 1 burst valid", checks); !strings.Contains(all["table"], want) {
		t.Errorf("the headline lacks %q:\n%s", want, all["table"])
	}
	if !strings.Contains(all["JUnit"], `<skipped message="default, all valid bursts: create leases.coordination.k8s.io max is above 500 ms and at most 1.00 s: its limit of 700 ms lies between these bounds`) {
		t.Errorf("JUnit does not skip it:\n%s", all["JUnit"])
	}
	if missed := build(t, withLease(aBurst(1)), onCalls(mutating, 400*time.Millisecond, false)); missed.Verdict != verdict.Fail {
		t.Errorf("a limit below the bucket: verdict %s", missed.Verdict)
	}
}

// "All checks met" used to be said of a run that had left an objective out, and nothing
// named it.
func TestWhatIsLeftOutIsSaidInEveryFormat(t *testing.T) {
	needsAudit := objective("needs-audit", "run_to_observed", "p99", time.Hour)
	needsAudit.WhereAvailable = true
	b := synthetic.Burst(synthetic.Options{Index: 1, NoAudit: true})
	r := build(t, b, lenient[0], needsAudit)
	if r.Verdict != verdict.Pass || len(r.SLOLeftOut) != 1 {
		t.Fatalf("verdict %s: %v, left out %v", r.Verdict, r.Reasons, r.SLOLeftOut)
	}
	for format, text := range says(t, r) {
		want := "1 of 1 burst valid, all 2 checks of objectives met; 1 objective left out: needs-audit (default)."
		switch format {
		case "JSON":
			want = `"sloLeftOut": [ { "name": "needs-audit", "profile": "default", "reason": "run_to_observed is not available from this provider" } ]`
		case "JUnit":
			want = `name="needs-audit of all bursts" time="0.000"> <skipped message="Left out: run_to_observed is not available from this provider" type="left-out">`
		}
		if !strings.Contains(text, want) {
			t.Errorf("the %s lacks %q:\n%s", format, want, text)
		}
		if format != "JSON" && format != "JUnit" && !strings.Contains(text, "is left out: run_to_observed is not available from this provider.") {
			t.Errorf("the %s does not say why", format)
		}
	}
	// The opposite: with an audit log nothing is left out, and nothing says so.
	for format, text := range says(t, build(t, aBurst(1), lenient[0], needsAudit)) {
		if strings.Contains(text, "left out") || strings.Contains(text, "left-out") {
			t.Errorf("the %s says that something was left out", format)
		}
	}
}

func TestAPartLeftOutIsNotAWholeObjective(t *testing.T) {
	r := build(t, aBurst(1), onCalls(mutating, time.Hour, true)) // no metrics of the API server
	if r.Verdict != verdict.Pass || len(r.SLOLeftOut) != 1 || r.SLOLeftOut[0].Part == "" {
		t.Fatalf("verdict %s: %v, left out %+v", r.Verdict, r.Reasons, r.SLOLeftOut)
	}
	if text := says(t, r)["table"]; !strings.Contains(text, "checks of objectives met; 1 objective left out in part: calls (default).") {
		t.Errorf("the headline takes it for whole:\n%s", text)
	}
}

func TestAllObjectivesLeftOutIsNoPass(t *testing.T) {
	needsAudit := objective("needs-audit", "run_to_observed", "p99", time.Hour)
	needsAudit.WhereAvailable = true
	r := build(t, synthetic.Burst(synthetic.Options{Index: 1, NoAudit: true}), needsAudit)
	if r.Verdict != verdict.Inconclusive || !strings.Contains(r.Reasons[0].Message, "every objective was left out") {
		t.Errorf("verdict %s: %v", r.Verdict, r.Reasons)
	}
}
