package reports_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/usage"
	"github.com/podburst/podburst/reports"
)

// sampledBurst is a burst in which accounts used so many processors all the time, until
// ten seconds after its submission.
func sampledBurst(inUse map[string]float64) recording.Burst {
	b := aBurst(1)
	b.End = b.Submit.Add(10 * time.Second)
	wait, none := 0.5, 0.0
	for account, processors := range inUse {
		b.Usage = append(b.Usage,
			recording.UsageSample{At: b.Submit, Account: account, CPUSeconds: 100, RunQueueSeconds: &none, MemoryBytes: 1 << 20},
			recording.UsageSample{At: b.End, Account: account, CPUSeconds: 100 + 10*processors, RunQueueSeconds: &wait, MemoryBytes: 2 << 20})
	}
	return b
}

var inUse = map[string]float64{"kube-apiserver": 0.6, "kubelet-node-1": 0.2, "kubelet-node-2": 0.3, "kube-scheduler": 0.1, "etcd": 0.25, "containerd-node-1": 0.01, "node node-1": 0.5, "observer": 0.02, "machine": 1.75}

func usageReport(t *testing.T, b recording.Burst) reports.Report {
	t.Helper()
	r, err := reports.Build(aRun(b), lenient)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func texts(t *testing.T, r reports.Report) (table, markdown string) {
	t.Helper()
	var a, b bytes.Buffer
	for _, err := range []error{reports.WriteTable(&a, r, "dir"), reports.WriteMarkdown(&b, r)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return strings.Join(strings.Fields(a.String()), " "), b.String()
}

func componentOf(t *testing.T, b *reports.Burst, name string) usage.Component {
	t.Helper()
	for _, c := range b.Usage {
		if c.Component == name {
			return c
		}
	}
	t.Fatalf("no %s among %+v", name, b.Usage)
	return usage.Component{}
}

func near(got, want stats.Seconds) bool { return got > want*0.999 && got < want*1.001 }

func TestUsageIsThatUntilTheLastPodWasReady(t *testing.T) {
	r := usageReport(t, sampledBurst(inUse))
	b := &r.Bursts[0]
	if b.UsageUnavailable != "" || b.UsageWindowSeconds != *b.MakespanSeconds || b.UsageWindowSeconds >= 9 {
		t.Fatalf("window %s of a makespan of %s, %q", b.UsageWindowSeconds, *b.MakespanSeconds, b.UsageUnavailable)
	}
	for name, processors := range inUse {
		if c := componentOf(t, b, name); c.Source != usage.Sampled || !near(*c.CPUSeconds, stats.Seconds(processors)*b.UsageWindowSeconds) || c.PeakMemoryBytes == nil || *c.PeakMemoryBytes != 2<<20 || c.RunQueueSeconds == nil {
			t.Errorf("%+v", c)
		}
	}
	var data bytes.Buffer
	if err := reports.WriteJSON(&data, r); err != nil {
		t.Fatal(err)
	}
	if err := reports.Validate(data.Bytes()); err != nil {
		t.Error(err)
	}
}

func TestUsageOfABurstThatNeverEndedIsThatUntilItsEnd(t *testing.T) {
	b := sampledBurst(inUse)
	last := b.Watch[len(b.Watch)-1].Name
	for i := range b.Watch {
		if o := &b.Watch[i]; o.Name == last {
			o.Conditions, o.Phase = nil, "Pending"
		}
	}
	kept := b.Audit[:0]
	for _, e := range b.Audit {
		if e.Name != last || e.Status == nil {
			kept = append(kept, e)
		}
	}
	b.Audit, b.EndReason = kept, recording.EndDeadline
	r := usageReport(t, b)
	got := &r.Bursts[0]
	if got.MakespanSeconds != nil || !near(got.UsageWindowSeconds, 10) || !near(*componentOf(t, got, "machine").CPUSeconds, 17.5) {
		t.Errorf("window %s, %+v", got.UsageWindowSeconds, componentOf(t, got, "machine"))
	}
}

func TestTheLargestUsersOfTheProcessorsAreNamed(t *testing.T) {
	r := usageReport(t, sampledBurst(inUse))
	window := r.Bursts[0].UsageWindowSeconds
	used := func(processors float64) string { return (stats.Seconds(processors) * window).String() }
	// Kubelets count together; neither a node nor the machine is a component.
	want := fmt.Sprintf("Processor time in burst 1, over %s: kube-apiserver %s, 2 kubelets %s, etcd %s, kube-scheduler %s, observer %s; all that ran on the machine %s.",
		window, used(0.6), used(0.5), used(0.25), used(0.1), used(0.02), used(1.75))
	table, markdown := texts(t, r)
	if !strings.Contains(table, want) || !strings.Contains(markdown, want) {
		t.Errorf("want %q in\n%s", want, table)
	}
}

func TestTheTableBeginsWithTheMachineAndTheLargestUser(t *testing.T) {
	r := usageReport(t, sampledBurst(inUse))
	table := reports.UsageTable(&r.Bursts[0], "burst 1")
	var order []string
	for _, row := range table.Rows {
		order = append(order, row[0].Text)
	}
	// Of kube-controller-manager nothing is known.
	want := "machine kube-apiserver node node-1 kubelet-node-2 etcd kubelet-node-1 kube-scheduler observer containerd-node-1 kube-controller-manager"
	if got := strings.Join(order, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if row := table.Rows[1]; row[3].Text != "0.6" || row[5].Text != "2.0 MiB" {
		t.Errorf("%+v", row)
	}
}

// What nobody measured is a bound or not known, and never zero.
func TestWithoutSamplesABoundIsNamedAsOne(t *testing.T) {
	b := aBurst(1)
	exposed := func(cpu float64) []byte {
		return fmt.Appendf(nil, "# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total %g\n", cpu)
	}
	b.Metrics = map[string]recording.MetricsPair{"kube-apiserver": {Before: exposed(1), After: exposed(3.5)}, "etcd": {Before: exposed(5), After: exposed(4)}}
	b.UsageUnavailable = "not available on a cluster that others run"
	r := usageReport(t, b)
	text, _ := texts(t, r)
	want := "not sampled (not available on a cluster that others run). From before to after it, by their own metrics, components used at most: kube-apiserver 2.50 s."
	if !strings.Contains(text, want) {
		t.Errorf("want %q in\n%s", want, text)
	}
	s := reports.UsageSection(&r.Bursts[0], "burst 1")
	rows := fmt.Sprint(s.Blocks[0].Table.Rows)
	if !strings.Contains(rows, "at most 2.50 s") || strings.Contains(rows, "etcd") {
		t.Errorf("%s", rows)
	}
	if notes := strings.Join(s.Blocks[1].List, "\n"); !strings.Contains(notes, "Not sampled: not available on a cluster that others run.") || !strings.Contains(notes, "Not known: etcd (a counter fell: process_cpu_seconds_total).") {
		t.Errorf("%s", notes)
	}
}

func TestSamplesThatEndEarlyAreToldOnThePage(t *testing.T) {
	b := sampledBurst(map[string]float64{"etcd": 1, "machine": 1})
	for i := range b.Usage {
		if s := &b.Usage[i]; s.Account == "etcd" && s.At.After(b.Submit) {
			s.At = b.Submit.Add(10 * time.Millisecond)
		}
	}
	b.UsageErrors = map[string]string{"etcd": "after 2 samples: process 7 has ended", "kube-scheduler": "it has no process that is visible on this machine"}
	r := usageReport(t, b)
	notes := strings.Join(reports.UsageSection(&r.Bursts[0], "burst 1").Blocks[1].List, "\n")
	for _, want := range []string{"etcd: after 2 samples: process 7 has ended.", "kube-scheduler: it has no process that is visible on this machine"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q does not say %q", notes, want)
		}
	}
}

func TestWritesAreShownByComponent(t *testing.T) {
	r := usageReport(t, aBurst(1))
	b := &r.Bursts[0]
	table := reports.WritesTable(b, "burst 1")
	// The synthetic Job controller creates eight pods, the scheduler binds them, and two
	// kubelets write three statuses of each; the Job is the observer's.
	want := map[string]string{"kube-controller-manager": "8", "kube-scheduler": "8", "observer": "1"}
	for _, row := range table.Rows {
		if n, ok := want[row[0].Text]; ok && row[1].Text != n {
			t.Errorf("%s: %s writes, want %s", row[0].Text, row[1].Text, n)
		}
		delete(want, row[0].Text)
	}
	if len(want) > 0 {
		t.Errorf("no row for %v", want)
	}
	b.Writes, b.AuditUnavailable = nil, "not available"
	if s := fmt.Sprint(reports.UsageSection(b, "burst 1").Blocks); !strings.Contains(s, "Who wrote how much is not known: not available.") {
		t.Error(s)
	}
}
