package cpuprofile

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/podburst/podburst/framework/stats"
)

// sample is a call chain, innermost function first, and how often it was seen.
type sample struct {
	stack string
	times int64
}

// file is a pprof file of a second, as runtime/pprof writes them: 10 ms a sample.
func file(t testing.TB, samples ...sample) []byte {
	t.Helper()
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1e7, DurationNanos: 1e9, TimeNanos: 5e9,
	}
	known := map[string]*profile.Location{}
	for _, s := range samples {
		var stack []*profile.Location
		for _, name := range strings.Fields(s.stack) {
			if known[name] == nil {
				id := uint64(len(known) + 1)
				f := &profile.Function{ID: id, Name: name}
				known[name] = &profile.Location{ID: id, Line: []profile.Line{{Function: f}}}
				p.Function, p.Location = append(p.Function, f), append(p.Location, known[name])
			}
			stack = append(stack, known[name])
		}
		p.Sample = append(p.Sample, &profile.Sample{Location: stack, Value: []int64{s.times, s.times * 1e7}})
	}
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func read(t *testing.T, data []byte) Breakdown {
	t.Helper()
	b, err := Read("kube-apiserver", data)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func near(a, b stats.Seconds) bool { return a-b < 1e-9 && b-a < 1e-9 }

func TestFunctionsAndPackagesByTheirOwnCodeAndWithWhatTheyCalled(t *testing.T) {
	// serve calls encode, which calls itself once; encode allocates.
	b := read(t, file(t,
		sample{"runtime.mallocgc encoding/json.encode encoding/json.encode k8s.io/apiserver/pkg/server.(*handler).serve", 30},
		sample{"encoding/json.encode k8s.io/apiserver/pkg/server.(*handler).serve", 50},
		sample{"k8s.io/apiserver/pkg/server.(*handler).serve", 20},
	))
	if b.Samples != 100 || !near(*b.SampledSeconds, 1) || b.ProfiledSeconds != 1 {
		t.Errorf("%d samples of %v s in %v s, want 100 of 1 s in 1 s", b.Samples, *b.SampledSeconds, b.ProfiledSeconds)
	}
	want := []Share{{"encoding/json.encode", 0.5, 0.8}, {"runtime.mallocgc", 0.3, 0.3}, {"k8s.io/apiserver/pkg/server.(*handler).serve", 0.2, 1}}
	for i, w := range want {
		if got := b.FunctionsByFlat[i]; got.Name != w.Name || !near(got.FlatSeconds, w.FlatSeconds) || !near(got.CumulativeSeconds, w.CumulativeSeconds) {
			t.Errorf("function %d is %+v, want %+v", i, got, w)
		}
	}
	if got := b.FunctionsByCumulative[0].Name; got != want[2].Name {
		t.Errorf("most with what it called is %s", got)
	}
	if got := b.PackagesByFlat[0]; got.Name != "encoding/json" || !near(got.CumulativeSeconds, 0.8) {
		t.Errorf("most of the packages is %+v: a package that calls itself counts once", got)
	}
}

func TestPackagesOfFunctions(t *testing.T) {
	for function, want := range map[string]string{
		"runtime.mallocgc":                                    "runtime",
		"net/http.(*conn).serve":                              "net/http",
		"gopkg.in/yaml%2ev2.Unmarshal":                        "gopkg.in/yaml.v2",
		"k8s.io/x/cache.(*Store[go.shape.struct{a/b.c}]).Get": "k8s.io/x/cache",
		"slices.SortFunc[go.shape.[]k8s.io/api/v1.Pod]":       "slices",
		"memeqbody": "(no package)",
		"(unknown)": "(unknown)",
	} {
		if got := packageOf(function); got != want {
			t.Errorf("the package of %s is %q, want %q", function, got, want)
		}
	}
}

func TestStretchesAddUp(t *testing.T) {
	whole, err := Merge([][]byte{file(t, sample{"a.x", 10}), file(t, sample{"a.x", 5}, sample{"b.y", 5}), file(t)})
	if err != nil {
		t.Fatal(err)
	}
	b := read(t, whole)
	if b.ProfiledSeconds != 3 || b.Samples != 20 || !near(b.FunctionsByFlat[0].FlatSeconds, 0.15) {
		t.Errorf("%+v, want 3 s with 20 samples, 150 ms of them in a.x", b)
	}
	if _, err := Merge(nil); err == nil {
		t.Error("nothing was merged")
	}
	if _, err := Merge([][]byte{file(t), []byte("torn")}); err == nil {
		t.Error("a torn stretch was merged")
	}
}

func TestOnlyTheTopIsKept(t *testing.T) {
	var all []sample
	for i := range 3 * Shown {
		all = append(all, sample{"p" + string(rune('a'+i%26)) + strings.Repeat("x", i) + ".f", int64(i + 1)})
	}
	b := read(t, file(t, all...))
	if len(b.FunctionsByFlat) != Shown || !near(b.FunctionsByFlat[0].FlatSeconds, 0.3) || !near(b.FunctionsByFlat[Shown-1].FlatSeconds, 0.21) {
		t.Errorf("%+v", b.FunctionsByFlat)
	}
}

// Names come from a process that podburst does not control.
func TestNamesAreMadePrintableAndShort(t *testing.T) {
	b := read(t, file(t, sample{"<script>\x1b[31m\u202e" + strings.Repeat("y", 5000), 1}))
	if name := b.FunctionsByFlat[0].Name; strings.ContainsAny(name, "\x1b\u202e") || len([]rune(name)) > maxName {
		t.Errorf("%q", name)
	}
}

func TestWhatIsNoCPUProfileIsAnError(t *testing.T) {
	var bomb bytes.Buffer
	zip := gzip.NewWriter(&bomb)
	zeros := make([]byte, 1<<20)
	for range maxRaw>>20 + 1 {
		if _, err := zip.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	heap := &profile.Profile{SampleType: []*profile.ValueType{{Type: "inuse_space", Unit: "bytes"}}}
	var other bytes.Buffer
	if err := heap.Write(&other); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":              {nil, "read CPU profile"},
		"a page":             {[]byte("<html>"), "read CPU profile"},
		"cut":                {file(t, sample{"a.x", 1})[:40], "read CPU profile"},
		"a heap profile":     {other.Bytes(), "no values of cpu in nanoseconds"},
		"a negative value":   {file(t, sample{"a.x", -1}), "negative value"},
		"too large":          {make([]byte, MaxSize+1), "more than"},
		"larger when opened": {bomb.Bytes(), "unpacks to more than"},
	} {
		b, err := Read("x", c.data)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.want)
		}
		if b.SampledSeconds != nil || b.FunctionsByFlat == nil {
			t.Errorf("%s: %+v, want no time at all", name, b)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file(f, sample{"a.x b.y", 3}))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Read("x", data)
		if err == nil && (b.SampledSeconds == nil || *b.SampledSeconds < 0) {
			t.Errorf("%+v", b)
		}
		for _, s := range b.FunctionsByFlat {
			if s.CumulativeSeconds < s.FlatSeconds {
				t.Errorf("%+v: less with what it called than alone", s)
			}
		}
	})
}
