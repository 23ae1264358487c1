package schemas_test

import (
	_ "embed"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/schema"
)

var (
	//go:embed testdata/profiles.md.tmpl
	profilesPage string
	//go:embed testdata/report-json.md.tmpl
	reportPage string
)

// Whoever adds a field documents it where it is declared, and nowhere else.
func TestTheProfilesReferenceIsCurrent(t *testing.T) {
	replacements := []string{"{{shipped}}", shipped(t)}
	for _, k := range kinds[1:] {
		replacements = append(replacements, "{{"+k.name+"}}", table(t, k))
	}
	current(t, filepath.Join(root, "docs", "profiles.md"), strings.NewReplacer(replacements...).Replace(profilesPage))
}

// elsewhere are objects of report.json that another page describes.
var elsewhere = map[string]string{"profileSpec": "profiles.md#profile-a-cluster-under-test"}

// A description is read in an editor or a table, far from the Go code: it is a sentence,
// says when a value is null, and has no words of Go's.
func TestEveryFieldIsDescribedInASentence(t *testing.T) {
	sentence := regexp.MustCompile("^[A-Z`].*[.]$")
	null := regexp.MustCompile(`(?i)\bnull\b`)
	inGo := regexp.MustCompile(`\bnil\b|\bframework/|[a-z][A-Za-z]*\.[A-Z]`)
	for _, k := range kinds {
		s := k.generate(t)
		objects := map[string]*schema.Schema{k.name: s}
		maps.Copy(objects, s.Defs)
		reference := s.Reference(elsewhere)
		for object, of := range objects {
			if object != k.name && !strings.Contains(reference, "\n### "+object+"\n") {
				continue
			}
			for _, p := range of.Properties {
				switch text, values := p.Description, p.Const != nil; {
				case values && text == "":
				case !sentence.MatchString(text):
					t.Errorf("%s: %s.%s is not described in a sentence: %q", k.name, object, p.Name, text)
				case p.Nullable() && !null.MatchString(text):
					t.Errorf("%s: %s.%s does not say when it is null: %q", k.name, object, p.Name, text)
				case inGo.MatchString(text):
					t.Errorf("%s: %s.%s is described for readers of Go: %q", k.name, object, p.Name, text)
				}
			}
		}
	}
}

func TestTheReportReferenceIsCurrent(t *testing.T) {
	s := kinds[0].generate(t)
	reference := s.Reference(elsewhere)
	current(t, filepath.Join(root, "docs", "report-json.md"), strings.ReplaceAll(reportPage, "{{report}}", reference))
}

func table(t *testing.T, k kind) string {
	t.Helper()
	// Programs write evidence, which docs/statistics.md explains. The name's rules are the profile's.
	fields := slices.DeleteFunc(k.generate(t).Fields(), func(f schema.Field) bool {
		return strings.HasPrefix(f.Path, "spec.evidence.") || strings.HasPrefix(f.Path, "metadata.") && k.name != "profile"
	})
	for _, f := range fields {
		if f.Doc == "" {
			t.Errorf("%s: %s has no comment in the source", k.name, f.Path)
		}
	}
	return schema.Table(fields)
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
