package listcost

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"golang.org/x/perf/benchfmt"
)

// TestEachListIsALine reads bench.txt of a recorded run as benchstat does.
func TestEachListIsALine(t *testing.T) {
	var out bytes.Buffer
	if err := reportOf(t, asItIs).WriteBench(&out); err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	reader := benchfmt.NewReader(&out, "bench.txt")
	for reader.Scan() {
		switch rec := reader.Result().(type) {
		case *benchfmt.Result:
			seconds, ok := rec.Value("list-sec")
			size, sized := rec.Value("list-B")
			if !ok || !sized || seconds <= 0 || size <= 0 {
				t.Errorf("%s: %v", rec.Name, rec.Values)
			}
			got[string(rec.Name.Full())]++
		case *benchfmt.SyntaxError:
			t.Error(rec)
		}
	}
	if err := reader.Err(); err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	// 8 ways to list 3 numbers of pods, 8 times each.
	if len(got) != 24 || got["List/profile=default/list=cached-limit/pods=60-2"] != 8 {
		t.Errorf("%d names: %v", len(got), got)
	}
}
