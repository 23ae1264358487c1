package html_test

import (
	"io"
	"testing"
	"time"

	"github.com/podburst/podburst/reports/html"
	"github.com/podburst/podburst/reports/internal/specimen"
)

func TestThePageIsBounded(t *testing.T) {
	for name, r := range extremes(t) {
		if n := len(render(t, r)); n > html.MaxSize {
			t.Errorf("%s: %d bytes, want at most %d", name, n, html.MaxSize)
		}
	}
	r := specimen.Build(t, compared(8, 100))
	start := time.Now()
	page := render(t, r)
	t.Logf("2 profiles of 8 bursts of 100 pods: %d bytes in %v", len(page), time.Since(start).Round(time.Millisecond))
	if len(page) > html.MaxSize {
		t.Errorf("2 profiles of 8 bursts of 100 pods: %d bytes, want at most %d", len(page), html.MaxSize)
	}
}

// The page of 2 profiles with 8 bursts of 100 pods each must take at most a second.
func BenchmarkWrite(b *testing.B) {
	r := specimen.Build(b, compared(8, 100))
	for b.Loop() {
		if err := html.Write(io.Discard, r); err != nil {
			b.Fatal(err)
		}
	}
}
