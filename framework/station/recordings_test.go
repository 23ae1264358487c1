package station

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/timeline"
)

// stored reads a recording of reports/testdata and returns the burst of that name with
// its profile. Its files stay as they are: tests edit the copy in memory.
func stored(t testing.TB, folder, burst string) (recording.Burst, recording.Profile) {
	t.Helper()
	run, err := recording.Read(filepath.Join("..", "..", "reports", "testdata", folder))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range run.Bursts {
		if b.Profile+"/"+b.Folder() == burst {
			p, _ := run.Profile(b.Profile)
			return b, p
		}
	}
	t.Fatalf("%s has no burst %s", folder, burst)
	return recording.Burst{}, recording.Profile{}
}

const realBurst = "default/burst-1"

// made is a synthetic burst with its profile.
func made(o synthetic.Options) (recording.Burst, recording.Profile) {
	b := synthetic.Burst(o)
	p := recording.Profile{Name: b.Profile, Provider: "embedded", Effective: clusters.Effective{
		"kube-controller-manager": o.JobController, "kube-scheduler": o.Scheduler,
	}}
	for _, node := range b.WorkerNodes {
		p.Effective["kubelet-"+node] = o.Kubelet
	}
	return b, p
}

func analyze(b recording.Burst, p recording.Profile) Analysis {
	return Analyze(b, timeline.Build(b), p, 2)
}

// after edits what an instance exposed after the burst.
func after(b *recording.Burst, instance string, edit func(string) string) {
	pair := b.Metrics[instance]
	pair.After = []byte(edit(string(pair.After)))
	metrics := map[string]recording.MetricsPair{}
	for name, other := range b.Metrics {
		metrics[name] = other
	}
	metrics[instance] = pair
	b.Metrics = metrics
}

// add adds to the value of the one series whose line begins with series.
func add(t testing.TB, series string, by float64) func(string) string {
	return func(text string) string {
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			value, ok := strings.CutPrefix(line, series+" ")
			if !ok {
				continue
			}
			f, err := strconv.ParseFloat(value, 64)
			if err != nil {
				t.Fatal(err)
			}
			lines[i] = fmt.Sprintf("%s %g", series, f+by)
			return strings.Join(lines, "\n")
		}
		t.Fatalf("no series %s", series)
		return ""
	}
}

// find returns the analysis' station.
func find(t testing.TB, a Analysis, name Name, component clusters.Component) Station {
	t.Helper()
	for _, st := range a.Stations {
		if st.Station == name && (component == "" || st.Component == string(component)) {
			return st
		}
	}
	t.Fatalf("no station %s of %s", name, component)
	return Station{}
}
