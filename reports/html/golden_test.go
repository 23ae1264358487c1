package html_test

import (
	"testing"

	"github.com/podburst/podburst/internal/golden"
)

func TestGoldenPages(t *testing.T) {
	golden.Check(t, "testdata/recorded.html", render(t, recorded(t)))
	golden.Check(t, "testdata/compared.html", render(t, judged(t)))
}

func TestTheSameReportGivesTheSameBytes(t *testing.T) {
	first, second := render(t, recorded(t)), render(t, recorded(t))
	if first != second {
		t.Error("two renderings differ")
	}
}
