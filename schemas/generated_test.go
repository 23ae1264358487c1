package schemas_test

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/apicall"
	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/golden"
	"github.com/podburst/podburst/internal/schema"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/schemas"
)

const root = ".."

// regenerate is the command that brings everything up to date that is generated from
// the Go types.
const regenerate = "go test ./schemas -run Current -update && go test ./reports -run TestWhatTheSchemaTakes -update"

// kind is a kind of file that has a schema.
type kind struct {
	name, title string
	// version is the apiVersion or schemaVersion of the file.
	version string
	// of is the Go type that the file is written from or read into.
	of any
}

var kinds = []kind{
	{"report", "podburst report", reports.SchemaVersion, reports.Report{}},
	{"profile", "podburst profile: a cluster under test", clusters.APIVersion, clusters.Profile{}},
	{"slo", "podburst SLO: objectives of a run", clusters.APIVersion, slo.SLO{}},
	{"criteria", "podburst gate criteria: how a comparison is judged", clusters.APIVersion, gate.Criteria{}},
}

// file is the schema's name below schemas/: report.v1.json.
func (k kind) file() string { return k.name + "." + path.Base(k.version) + ".json" }

func (k kind) id() string {
	return "https://podburst.dev/schemas/" + k.name + "/" + path.Base(k.version) + ".json"
}

// duration is what time.ParseDuration takes, but for a minus.
const duration = `^\+?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$`

func marks() []any {
	var all []any
	for _, mark := range timeline.Marks() {
		all = append(all, mark.String())
	}
	return all
}

var generator = schema.Generator{
	Module: "github.com/podburst/podburst", Root: root,
	Values: map[string][]string{
		"reports.Report.schemaVersion": {reports.SchemaVersion},
		"clusters.Profile.apiVersion":  {clusters.APIVersion}, "clusters.Profile.kind": {clusters.ProfileKind},
		"slo.SLO.apiVersion": {clusters.APIVersion}, "slo.SLO.kind": {slo.Kind},
		"slo.Objective.phase": slo.Phases(), "slo.Objective.stat": stats.Names(),
		"slo.APICalls.verb":        apicall.Verbs(),
		"gate.Criteria.apiVersion": {clusters.APIVersion}, "gate.Criteria.kind": {gate.Kind},
		"gate.Criterion.phase": slo.Phases(),
	},
	Custom: map[reflect.Type]schema.Schema{
		reflect.TypeFor[time.Time]():       {Type: "string", Format: "date-time", Word: "time"},
		reflect.TypeFor[metav1.Duration](): {Type: "string", Pattern: duration, Word: "duration"},
		reflect.TypeFor[json.RawMessage](): {Word: "anything"},
		reflect.TypeFor[timeline.Mark]():   {Enum: marks()},
		reflect.TypeFor[stats.Seconds]():   {Type: "number", Word: "seconds"},
	},
}

func (k kind) generate(t testing.TB) *schema.Schema {
	t.Helper()
	s, err := generator.Document(k.of, k.id(), k.title)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// current compares a generated file with the one that is checked in, or writes it.
func current(t *testing.T, name, got string) {
	t.Helper()
	if golden.Update() {
		golden.Check(t, name, got)
		return
	}
	if want, err := os.ReadFile(name); err != nil || got != string(want) {
		t.Errorf("%s is not what the Go types say (%v).\nRun this at the repository's root, read the difference, and commit it:\n\n  %s\n",
			filepath.Join("schemas", name), err, regenerate)
	}
}

func TestTheSchemasAreCurrent(t *testing.T) {
	files := golden.Files(t, "*.json")
	for i, k := range kinds {
		text, err := k.generate(t).Text()
		if err != nil {
			t.Fatal(err)
		}
		current(t, k.file(), text)
		files = slices.DeleteFunc(files, func(name string) bool { return name == k.file() })
		if schemas.Names()[i] != k.name {
			t.Errorf("schemas.Names lists %q, want %s at %d", schemas.Names(), k.name, i)
		}
	}
	for _, left := range files {
		if !golden.Update() {
			t.Errorf("%s is of no kind: remove it, or run %s", left, regenerate)
		} else if err := os.Remove(left); err != nil {
			t.Error(err)
		}
	}
}
