package reports_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/internal/golden"
	"github.com/podburst/podburst/internal/schema"
	"github.com/podburst/podburst/reports"
)

// Every key of report.json is broken in each way below, one at a time, and the golden file
// lists what the schema still accepts: "absent" is an optional key, "null" one that may be
// null, "other text" a string that is not an enumeration. Everything else is refused. A
// line that grows means that a constraint was lost.
func TestWhatTheSchemaTakesOfABrokenReport(t *testing.T) {
	compiled := compileSchema(t)
	spoiler := schema.Spoiler{ByName: byName}
	all := documents(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		document := all[name]
		if err := compiled.Validate(document); err != nil {
			t.Fatalf("%s is refused as it is: %v", name, err)
		}
		spoiler.Spoil(document, func() bool { return compiled.Validate(document) == nil })
	}
	golden.Check(t, filepath.Join(testdata, "golden", "schema-takes.txt"), spoiler.String())
}

// documents returns reports that together have every key, with shortened lists.
func documents(t *testing.T) map[string]map[string]any {
	t.Helper()
	golden := goldenReport(t)
	golden.Run.Interrupted, golden.Run.Unfinished = "interrupt", []string{"raw/x"}
	golden.Profiles[0].EffectiveUnavailable, golden.Profiles[0].Image = "no", &clusters.Image{Name: "n", ID: "i", Digest: "d"}
	golden.Profiles[0].NodeInfo = []recording.NodeInfo{{Name: "n", Kubelet: "v", ContainerRuntime: "c", OSImage: "o", Kernel: "k"}}
	golden.Profiles[0].Problems = []recording.Problem{{Code: "c", Detail: "d"}}
	golden.Bursts[0].MetricsUnavailable, golden.Bursts[0].CleanupSeconds = map[string]string{"kubelet": "no"}, 1
	golden.Bursts[0].InvalidReasons = golden.Profiles[0].Problems
	golden.Bursts[0].AuditUnavailable, golden.Bursts[0].PodStartup.WithInitContainers = "no", 1
	golden.Moves[0].IdleLimits, golden.Moves[0].UnknownLimits = []string{"kubelet"}, []string{"kubelet"}
	golden.Bursts[0].MetricsErrors = golden.Bursts[0].MetricsUnavailable
	follower := golden.Bursts[0].Stations[0]
	follower.Follows, follower.FollowsComponent, follower.Absent = "etcd", "etcd", true
	golden.Bursts[0].Stations = append([]station.Station{follower}, golden.Bursts[0].Stations...)
	golden.Profiles[0].Explanation.First.Through = "etcd"
	observed := passiveRun(func(b *recording.Burst) {
		b.Passive.EventsUnavailable, b.Passive.NodesUnavailable = "no", "no"
	})
	compared := aComparison(8, 10)
	compared.Manifest.Comparison.LayoutReason = "asked for"
	compared.Manifest.Comparison.Criteria = []byte(`{"apiVersion": "podburst.dev/v1alpha1", "kind": "Gate"}`)
	undecided := aComparison(7, 21)
	built := func(run recording.Run) reports.Report {
		r, err := reports.Build(run, goldenObjectives())
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	all := map[string]map[string]any{}
	for name, r := range map[string]reports.Report{
		"golden": golden, "kind": kindReport(t), "passive": built(observed), "compared": built(compared), "undecided": built(undecided),
	} {
		var out bytes.Buffer
		if err := reports.WriteJSON(&out, r); err != nil {
			t.Fatal(err)
		}
		var document map[string]any
		if err := json.Unmarshal(out.Bytes(), &document); err != nil {
			t.Fatal(err)
		}
		cut(document)
		all[name] = document
	}
	return all
}

// byName lists the objects whose keys are names, not fields.
var byName = []string{"phases", "effective", "watcher", "metricsUnavailable", "metricsErrors", "extraArgs", "featureGates"}

// cut keeps two entries of each list and of each object keyed by name: more would only take
// longer.
func cut(value any) any {
	switch v := value.(type) {
	case []any:
		v = v[:min(2, len(v))]
		for i := range v {
			v[i] = cut(v[i])
		}
		return v
	case map[string]any:
		for name := range v {
			v[name] = cut(v[name])
			if named, ok := v[name].(map[string]any); ok && slices.Contains(byName, name) {
				for _, more := range slices.Sorted(maps.Keys(named))[min(2, len(named)):] {
					delete(named, more)
				}
			}
		}
	}
	return value
}
