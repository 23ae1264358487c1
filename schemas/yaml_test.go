package schemas_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/internal/docs"
	"github.com/podburst/podburst/internal/golden"
	"github.com/podburst/podburst/internal/schema"
	"github.com/podburst/podburst/internal/schema/schematest"
)

// validator is a kind's schema, as it is generated now, for a reader of JSON Schema.
func (k kind) validator(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := k.generate(t).Text()
	if err != nil {
		t.Fatal(err)
	}
	return schematest.Compile(t, k.id(), text)
}

// parse is how podburst itself reads a file of the kind.
func (k kind) parse(data []byte) (err error) {
	switch k.name {
	case "profile":
		_, err = clusters.Parse("file", data)
	case "slo":
		_, err = slo.Parse("file", data)
	case "criteria":
		_, err = gate.ParseCriteria("file", data)
	}
	return err
}

// kindOf is the kind of a YAML text; ok is false for one that is not podburst's.
func kindOf(t *testing.T, text []byte) (of kind, document map[string]any, ok bool) {
	t.Helper()
	if yaml.Unmarshal(text, &document) != nil || document["apiVersion"] != clusters.APIVersion {
		return kind{}, nil, false
	}
	for _, k := range kinds[1:] {
		for _, p := range k.generate(t).Properties {
			if p.Name == "kind" && p.Const == document["kind"] {
				return k, document, true
			}
		}
	}
	t.Errorf("no schema is of kind %v", document["kind"])
	return kind{}, nil, false
}

// places have the files that users read and copy, and the tests' valid ones.
var (
	shippedFiles = []string{"slo.yaml", "clusters/profiles/*.yaml", ".github/profiles/*.yaml"}
	validFiles   = []string{"clusters/testdata/valid/*.yaml", "framework/slo/testdata/valid/*.yaml", "framework/gate/testdata/valid/*.yaml"}
)

// texts are those YAML files and the blocks of the documentation, by where they are.
func texts(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, pattern := range append(slices.Clone(shippedFiles), validFiles...) {
		for _, file := range golden.Files(t, filepath.Join(root, pattern)) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all[file] = text
		}
	}
	pages, err := docs.Files(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range pages {
		page, err := docs.Read(root, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range page.Blocks {
			if block.Language == "yaml" {
				all[fmt.Sprintf("%s:%d", name, block.Line)] = []byte(block.Text)
			}
		}
	}
	return all
}

func TestEveryFileAndExampleFollowsTheSchemaOfItsKind(t *testing.T) {
	seen := map[string]int{}
	for place, text := range texts(t) {
		k, document, ok := kindOf(t, text)
		if !ok {
			continue
		}
		seen[k.name]++
		if err := k.validator(t).Validate(document); err != nil {
			t.Errorf("%s: %v", place, err)
		}
	}
	for _, k := range kinds[1:] {
		if seen[k.name] < 3 {
			t.Errorf("only %d files and examples of %s were found", seen[k.name], k.name)
		}
	}
}

var modeline = regexp.MustCompile(`^# yaml-language-server: \$schema=(\S+)\n`)

// Who opens a shipped file in an editor is told there and then what is wrong with it.
func TestShippedFilesNameTheirSchemaToEditors(t *testing.T) {
	for _, pattern := range shippedFiles {
		for _, file := range golden.Files(t, filepath.Join(root, pattern)) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			k, _, ok := kindOf(t, text)
			want, err := filepath.Rel(filepath.Dir(file), filepath.Join(root, "schemas", k.file()))
			if found := modeline.FindSubmatch(text); !ok || err != nil || found == nil || string(found[1]) != filepath.ToSlash(want) {
				t.Errorf("%s: its first line must be\n# yaml-language-server: $schema=%s", file, filepath.ToSlash(want))
			}
		}
	}
}

// An editor must not mark what podburst takes (but for a text that is empty and a
// required field that is left out, which podburst may fill in), and should mark what
// podburst refuses. Every valid file is spoiled in every way; the golden file lists what
// only podburst refuses: what hangs on another field, or needs a parser of its own.
func TestTheSchemasRefuseWhatPodburstRefuses(t *testing.T) {
	all := texts(t)
	var left strings.Builder
	for _, k := range kinds[1:] {
		compiled := k.validator(t)
		spoiler := schema.Spoiler{ByName: []string{"extraArgs", "featureGates"}}
		for _, place := range slices.Sorted(maps.Keys(all)) {
			of, document, ok := kindOf(t, all[place])
			if !ok || of.name != k.name {
				continue
			}
			spoiler.Spoil(document, func() bool {
				text, err := json.Marshal(document)
				if err != nil {
					t.Fatal(err)
				}
				bySchema, byPodburst := compiled.Validate(document), k.parse(text)
				lenient := bytes.Contains(text, []byte(`:""`)) || bySchema != nil && strings.Contains(bySchema.Error(), "missing propert")
				if bySchema != nil && byPodburst == nil && !lenient {
					t.Errorf("%s: podburst takes it, the schema does not: %v\n%s", place, bySchema, text)
				}
				return bySchema == nil && byPodburst != nil
			})
		}
		fmt.Fprintf(&left, "## %s\n", k.name)
		for line := range strings.Lines(spoiler.String()) {
			if !strings.HasSuffix(line, ":\n") {
				left.WriteString(line)
			}
		}
	}
	golden.Check(t, path.Join("testdata", "left-to-podburst.txt"), left.String())
}
