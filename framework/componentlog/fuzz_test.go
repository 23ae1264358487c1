package componentlog

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/internal/golden"
)

// Whatever a log holds, reading it ends without an error, and every kept line has a
// stamp and what its kind promises. A log that is split at the end of a line reads
// like its two halves.
func FuzzRead(f *testing.F) {
	for _, sample := range golden.Files(f, "testdata/*/*.log") {
		text, err := os.ReadFile(sample)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), uint(len(text)/2))
	}
	f.Fuzz(func(t *testing.T, text string, cut uint) {
		whole := read(t, text)
		for _, line := range whole.Lines {
			switch {
			case line.At.IsZero() || line.At.Location() != time.UTC || line.At.Nanosecond()%1000 != 0:
				t.Errorf("stamp %s", line.At)
			case line.Kind == Throttled && line.Wait < 0:
				t.Errorf("negative wait %+v", line)
			case line.Kind == Bound && (line.Node == "" || line.Pod.Name == ""),
				(line.Kind == Created || line.Kind == Started) && (line.Container == "" || line.Pod.Name == ""):
				t.Errorf("incomplete %+v", line)
			}
		}
		if whole.Unstamped+whole.Damaged+len(whole.Lines) > whole.Read {
			t.Errorf("more lines judged than read: %+v", whole)
		}
		end := strings.IndexByte(text[min(int(cut%uint(len(text)+1)), len(text)):], '\n')
		if end < 0 {
			return
		}
		at := int(cut%uint(len(text)+1)) + end + 1
		first, second := read(t, text[:at]), read(t, text[at:])
		// A wait that is logged twice counts once only if both lines are read.
		noWaits := func(lines []Line) []Line {
			return slices.DeleteFunc(slices.Clone(lines), func(l Line) bool { return l.Kind == Throttled })
		}
		halves := append(noWaits(first.Lines), noWaits(second.Lines)...)
		if !slices.Equal(halves, noWaits(whole.Lines)) || first.Read+second.Read != whole.Read {
			t.Errorf("split at %d it reads otherwise", at)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	text, err := os.ReadFile("testdata/v1.37.2-text/kubelet.log")
	if err != nil {
		b.Fatal(err)
	}
	log := strings.Repeat(string(text), 100)
	b.SetBytes(int64(len(log)))
	for b.Loop() {
		if _, err := Read(strings.NewReader(log), recordedAt, nil); err != nil {
			b.Fatal(err)
		}
	}
}
