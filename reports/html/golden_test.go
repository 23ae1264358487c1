package html_test

import (
	"testing"

	"github.com/podburst/podburst/internal/golden"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/internal/specimen"
)

func TestGoldenPages(t *testing.T) {
	for name, r := range map[string]*reports.Report{
		"recorded":  specimen.Golden(t),
		"real-pods": specimen.Kind(t),
		"compared":  judged(t),
	} {
		golden.Check(t, "testdata/"+name+".html", render(t, r))
	}
}

func TestTheSameReportGivesTheSameBytes(t *testing.T) {
	first, second := render(t, specimen.Golden(t)), render(t, specimen.Golden(t))
	if first != second {
		t.Error("two renderings differ")
	}
}
