package gate

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/strictyaml/yamltest"
)

func TestFiles(t *testing.T) {
	yamltest.Files(t, LoadCriteria, func(t *testing.T, parsed Criteria) Criteria {
		roundTrip(t, parsed)
		return parsed
	})
}

// roundTrip checks that criteria are read back as they were written.
func roundTrip(t *testing.T, c Criteria) {
	t.Helper()
	var text bytes.Buffer
	if err := c.Write(&text); err != nil {
		t.Fatal(err)
	}
	again, err := ParseCriteria("again.yaml", text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again, c) {
		t.Errorf("got  %+v\nwant %+v\nfrom\n%s", again, c, text.String())
	}
}

func TestTheDefault(t *testing.T) {
	fallback, err := LoadCriteria("")
	if err != nil {
		t.Fatal(err)
	}
	roundTrip(t, fallback)
	var names []string
	for _, criterion := range fallback.Spec.Endpoints {
		names = append(names, criterion.Name())
		if criterion.FloorSeconds() != 0.05 || (Criterion{}).FloorSeconds() != 0.05 {
			t.Errorf("the floor of %s is %v s", criterion.Name(), criterion.FloorSeconds())
		}
	}
	if got := strings.Join(names, " "); got != "makespan submit_to_ready/p90" {
		t.Errorf("endpoints are %s", got)
	}
	// A file that sets nothing equals the defaults, except for its name.
	minimal, err := LoadCriteria("testdata/valid/minimal.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(minimal.Spec, fallback.Spec) {
		t.Errorf("got %+v, want %+v", minimal.Spec, fallback.Spec)
	}
	// Two defaults share no memory.
	fallback.Spec.Endpoints[0].Floor.Duration = time.Hour
	if DefaultCriteria().Spec.Endpoints[0].FloorSeconds() != 0.05 {
		t.Error("the default changed")
	}
}

func TestOptionsOfCriteria(t *testing.T) {
	c := DefaultCriteria()
	if got, want := c.Options(2), (Options{Alpha: 0.05, Look: 2, Looks: 2}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	c.Spec.MaxBlocks = c.Spec.Blocks
	if got, want := c.Options(1), (Options{Alpha: 0.05, Look: 1, Looks: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestCriteriaWithOtherNumbers(t *testing.T) {
	plan := DefaultCriteria()
	for _, test := range []struct{ blocks, most, wantBlocks, wantMost int }{
		{0, 0, 8, 16}, {10, 0, 10, 20}, {10, 10, 10, 10}, {0, 8, 8, 8},
	} {
		got, err := plan.WithBlocks(test.blocks, test.most)
		if err != nil || got.Spec.Blocks != test.wantBlocks || got.Spec.MaxBlocks != test.wantMost {
			t.Errorf("%+v: got %d and %d, %v", test, got.Spec.Blocks, got.Spec.MaxBlocks, err)
		}
	}
	if _, err := plan.WithBlocks(5, 0); err == nil || !strings.Contains(err.Error(), "spec.blocks: is 5") {
		t.Errorf("got %v", err)
	}
	got, err := plan.WithMargin(0.3)
	if err != nil || got.Spec.Endpoints[1].Margin != 0.3 || plan.Spec.Endpoints[1].Margin != 0.15 {
		t.Errorf("got %+v of %+v, %v", got.Spec.Endpoints, plan.Spec.Endpoints, err)
	}
	if _, err := plan.WithMargin(-1); err == nil || !strings.Contains(err.Error(), "margin") {
		t.Errorf("got %v", err)
	}
}

func TestWriteRefusesWhatItCouldNotRead(t *testing.T) {
	c := DefaultCriteria()
	c.Spec.Endpoints[0].Margin = 0
	var text bytes.Buffer
	if err := c.Write(&text); err == nil || text.Len() > 0 || !strings.Contains(err.Error(), "spec.endpoints[0].margin") {
		t.Errorf("got %v and %q", err, text.String())
	}
}

// FuzzParseCriteria checks that parsing never panics, and that accepted criteria can be
// used to judge and are read back as they were written.
func FuzzParseCriteria(f *testing.F) {
	yamltest.Seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		parsed, err := ParseCriteria("f.yaml", data)
		if err != nil {
			return
		}
		roundTrip(t, parsed)
		var endpoints []Endpoint
		for _, criterion := range parsed.Spec.Endpoints {
			endpoints = append(endpoints, criterion.Endpoint(nil))
		}
		if results, err := Judge(endpoints, parsed.Options(1)); err != nil || overall(results) != verdict.Invalid {
			t.Errorf("got %v, %v", results, err)
		}
	})
}
