package docs

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/golden"
)

//go:embed profiles.md.tmpl
var template string

const root = "../.."

// Whoever adds a field documents it where it is declared, and nowhere else.
func TestProfilesReferenceIsCurrent(t *testing.T) {
	scopes := []string{string(slo.ScopeBurst), string(slo.ScopeProfile), string(slo.ScopeBoth)}
	got := strings.NewReplacer(
		"{{profile}}", table(t, "clusters.Profile", map[string][]string{"kind": {clusters.ProfileKind}}),
		"{{slo}}", table(t, "slo.SLO", map[string][]string{
			"kind": {slo.Kind}, "spec.objectives[].phase": slo.Phases(), "spec.objectives[].stat": stats.Names(), "spec.objectives[].scope": scopes,
		}),
		"{{gate}}", table(t, "gate.Criteria", map[string][]string{"kind": {gate.Kind}}),
		"{{shipped}}", shipped(t),
	).Replace(template)
	path := filepath.Join(root, "docs", "profiles.md")
	if golden.Update() {
		golden.Check(t, path, got)
		return
	}
	if want, err := os.ReadFile(path); err != nil || got != string(want) {
		t.Errorf("docs/profiles.md is not what the Go types say (%v): run go test ./internal/docs -run %s -update, and commit it", err, t.Name())
	}
}

func table(t *testing.T, typeName string, values map[string][]string) string {
	t.Helper()
	fields, err := Fields(typeName, filepath.Join(root, "clusters"), filepath.Join(root, "framework/gate"), filepath.Join(root, "framework/slo"))
	if err != nil {
		t.Fatal(err)
	}
	// Programs write evidence, which docs/statistics.md explains. The name's rules are the profile's.
	fields = slices.DeleteFunc(fields, func(f Field) bool {
		return strings.HasPrefix(f.Path, "spec.evidence.") || strings.HasPrefix(f.Path, "metadata.") && typeName != "clusters.Profile"
	})
	values["apiVersion"] = []string{clusters.APIVersion}
	for _, f := range fields {
		if f.Doc == "" && values[f.Path] == nil {
			t.Errorf("%s: %s has no comment in the source", typeName, f.Path)
		}
	}
	return Table(fields, values)
}

func shipped(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| profile | kube-controller-manager | kube-scheduler | kubelet | in its own words |\n|---|---:|---:|---:|---|\n")
	for _, name := range clusters.Shipped() {
		p, err := clusters.Resolve(name)
		if err != nil {
			t.Fatal(err)
		}
		if p.Metadata.Description == "" {
			t.Errorf("profile %s has no metadata.description", name)
		}
		limits := func(c clusters.ComponentSpec) string {
			if c.KubeAPIQPS == nil || c.KubeAPIBurst == nil {
				return "–"
			}
			return fmt.Sprintf("%g/%d", *c.KubeAPIQPS, *c.KubeAPIBurst)
		}
		fmt.Fprintf(&b, "| [`%s`](../clusters/profiles/%[1]s.yaml) | %s | %s | %s | %s |\n", name,
			limits(p.Spec.KubeControllerManager), limits(p.Spec.KubeScheduler), limits(p.Spec.Kubelet.ComponentSpec), p.Metadata.Description)
	}
	return b.String()
}

func TestFieldsAreNamedAsFilesNameThem(t *testing.T) {
	dir := t.TempDir()
	source := "package p\n\n// A is a file.\ntype A struct {\n" +
		"\t// FirstName is what B.LastName is not.\n\tFirstName *string `json:\"firstName,omitempty\"`\n" +
		"\tIn B `json:\",inline\"`\n" +
		"\t// Many are all.\n\tMany []B `json:\"many\"`\n}\n\n" +
		"// B is inlined.\ntype B struct {\n\t// LastName defaults to a|b.\n\tLastName map[string]bool `json:\"lastName\"`\n}\n"
	source = strings.Replace(source, "\tIn B", "\tB", 1)
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	fields, err := Fields("p.A", dir)
	if err != nil {
		t.Fatal(err)
	}
	want := "| `firstName` | text | What B.`lastName` is not. |\n" +
		"| `lastName` | map of text to boolean | `lastName` defaults to a\\|b. |\n" +
		"| `many[]` | list | All. |\n" +
		"| `many[].lastName` | map of text to boolean | `lastName` defaults to a\\|b. |\n"
	if got := Table(fields, nil); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, err := Fields("p.C", dir); err == nil {
		t.Error("an unknown type has fields")
	}
}
