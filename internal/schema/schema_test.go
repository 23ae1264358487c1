package schema

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/internal/schema/schematest"
	"github.com/podburst/podburst/internal/schema/testdata/fruit"
	"github.com/podburst/podburst/internal/schema/testdata/fruit/basket"
)

var generator = Generator{
	Module: "github.com/podburst/podburst", Root: "../..",
	Values: map[string][]string{"basket.Basket.kind": {"Basket"}},
	Custom: map[reflect.Type]Schema{reflect.TypeFor[time.Time](): {Type: "string", Format: "date-time", Word: "time"}},
}

func generated(t *testing.T) *Schema {
	t.Helper()
	s, err := generator.Document(basket.Basket{}, "https://example.org/basket.json", "basket")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validator checks what the schema accepts, as a reader of JSON Schema
// understands it.
func validator(t *testing.T) func(document any) error {
	t.Helper()
	text, err := generated(t).Text()
	if err != nil {
		t.Fatal(err)
	}
	return schematest.Compile(t, "basket.json", text).Validate
}

func written(t *testing.T) map[string]any {
	t.Helper()
	weight, label := 1.5, "ripe"
	data, err := json.Marshal(basket.Basket{
		Kind: "Basket", Filled: time.Unix(0, 0).UTC(), Weight: &weight, Label: &label, Fruits: []fruit.Fruit{{Name: "fig", Color: fruit.Green}},
		Prices: map[string]*basket.Price{"fig": {Cents: 5}, "plum": nil}, Handle: basket.Handle{Width: 2}, Owner: &basket.Basket{},
	})
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	document["owner"] = nil
	return document
}

func TestASchemaTakesWhatTheTypeWritesAndRefusesTheRest(t *testing.T) {
	validate := validator(t)
	if err := validate(written(t)); err != nil {
		t.Fatalf("it refuses what the type writes: %v", err)
	}
	fruits := func(d map[string]any) map[string]any { return d["fruits"].([]any)[0].(map[string]any) }
	for name, c := range map[string]struct {
		spoil func(d map[string]any)
		taken bool
	}{
		"a key of no field":            {func(d map[string]any) { d["colour"] = "red" }, false},
		"a key of no field, below":     {func(d map[string]any) { fruits(d)["colour"] = "red" }, false},
		"no key with omitempty":        {func(d map[string]any) { delete(d, "label") }, true},
		"null with omitempty":          {func(d map[string]any) { d["label"] = nil }, false},
		"no key that may be left out":  {func(d map[string]any) { delete(d, "depth") }, true},
		"no key of an embedded struct": {func(d map[string]any) { delete(d, "width") }, false},
		"no key of a pointer":          {func(d map[string]any) { delete(d, "weight") }, false},
		"null of a pointer":            {func(d map[string]any) { d["weight"] = nil }, true},
		"null of a value":              {func(d map[string]any) { d["fruits"] = nil }, false},
		"a map's null":                 {func(d map[string]any) { d["prices"].(map[string]any)["fig"] = nil }, true},
		"null of a nullable field":     {func(d map[string]any) { d["prices"].(map[string]any)["fig"] = map[string]any{"cents": nil} }, true},
		"no constant of the type":      {func(d map[string]any) { fruits(d)["color"] = "blue" }, false},
		"another kind":                 {func(d map[string]any) { d["kind"] = "Crate" }, false},
		"no time":                      {func(d map[string]any) { d["filled"] = "today" }, false},
		"a count below 0":              {func(d map[string]any) { fruits(d)["seeds"] = -1.0 }, false},
		"a signed number below 0":      {func(d map[string]any) { d["balance"] = -1.0 }, true},
		"a fraction of an integer":     {func(d map[string]any) { d["balance"] = 0.5 }, false},
		"above the tag's maximum":      {func(d map[string]any) { d["width"] = 11.0 }, false},
		"a text that is too short":     {func(d map[string]any) { fruits(d)["name"] = "" }, false},
		"a list that is too long":      {func(d map[string]any) { d["fruits"] = []any{fruits(d), fruits(d), fruits(d)} }, false},
		"a word that is not the tag's": {func(d map[string]any) { d["sizes"] = []any{"XL"} }, false},
		"a word of the tag's":          {func(d map[string]any) { d["sizes"] = []any{"S", "M"} }, true},
	} {
		t.Run(name, func(t *testing.T) {
			document := written(t)
			c.spoil(document)
			if err := validate(document); (err == nil) != c.taken {
				t.Errorf("taken %t, want %t (%v)", err == nil, c.taken, err)
			}
		})
	}
}

func TestATypeThatFilesCannotNameIsAnError(t *testing.T) {
	for name, c := range map[string]struct {
		root any
		says string
	}{
		"encodes itself": {basket.Encoded{}, "Generator.Custom"},
		"no json tag":    {basket.Untagged{}, "no json tag"},
		"a word unknown": {basket.Mistagged{}, `unknown word "minmum"`},
		"no number":      {basket.NoNumber{}, "maximum=ten"},
		"another module": {bytes.Buffer{}, "Generator.Custom"},
	} {
		if _, err := generator.Document(c.root, "", ""); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want an error with %q", name, err, c.says)
		}
	}
}

func TestFieldsAreNamedAndDescribedAsFilesNameThem(t *testing.T) {
	got := Table(generated(t).Fields())
	for _, line := range []string{
		"| `kind` | text | Always `Basket`. |\n",
		"| `weight` | number or null | What the scale says, without the `label`; null unless weighed. |\n",
		"| `fruits[]` | list | All, Figs first. |\n| `fruits[].name` | text |",
		"| `fruits[].color` | text | One of `red`, `green`. |\n",
		"| `prices` | map of text to object or null | By name of a\\|b. |\n",
		"| `sizes` | list of texts | One of `S`, `M`. |\n",
		"| `width` | integer | `width` of the handle. |\n",
		"| `lifeSeconds` | seconds |",
	} {
		if !strings.Contains(got, line) {
			t.Errorf("the table lacks %q:\n%s", line, got)
		}
	}
	reference := generated(t).Reference(map[string]string{"price": "prices.md"})
	for _, text := range []string{
		"| `fruits` | list of [fruit](#fruit) | All, Figs first. |\n", "| `prices` | map of text to [price](prices.md) or null |", "| `owner` | [basket](#basket) or null |",
		"| `label` | text, optional |", "\n### fruit\n\nA fruit that grows.\n\n| field |",
	} {
		if !strings.Contains(reference, text) {
			t.Errorf("the reference lacks %q:\n%s", text, reference)
		}
	}
	if all := generated(t).Reference(nil); !strings.Contains(all, "| `cents` | integer or null | `cents` of a Euro; null for what is not sold. |") {
		t.Errorf("an alias is without the comments of its type:\n%s", all)
	}
	if strings.Contains(reference, "### price") {
		t.Error("what is described elsewhere is described here, too")
	}
}

func TestASpoilerNamesWhatIsStillTaken(t *testing.T) {
	var s Spoiler
	validate, document := validator(t), written(t)
	before, _ := json.Marshal(document)
	s.Spoil(document, func() bool { return validate(document) == nil })
	if after, _ := json.Marshal(document); !bytes.Equal(before, after) {
		t.Errorf("the document is left spoiled: %s", after)
	}
	lines := slices.Collect(strings.Lines(s.String()))
	for _, line := range []string{"kind:\n", "weight: fraction, large, negative, null, zero\n", "label: absent, empty, other text\n", "fruits[].color:\n"} {
		if !slices.Contains(lines, line) {
			t.Errorf("no line %q in\n%s", line, s.String())
		}
	}
	if len(slices.Sorted(maps.Keys(s.taken))) != len(lines) {
		t.Error("a path without a line")
	}
}
