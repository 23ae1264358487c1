package html

import (
	"io"

	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/reports"
)

// File is the page's name in a run's folder.
const File = reports.HTMLFile

// MaxSize is the largest allowed size, in bytes, of the page of 2 profiles with 8 bursts of
// 100 pods each.
const MaxSize = 1_500_000

// Write writes the report as a page. A report read from report.json has no individual pods;
// the figures that need them say so.
func Write(w io.Writer, r *reports.Report) error {
	v := newView(r)
	d := reports.NewDocument(r)
	d.Footer = append(d.Footer, "The numbers behind this page are in report.json; the recording beside it gives the page again.")
	d.Sections = []document.Section{v.summary()}
	d.Add(v.comparison(), v.stations(), v.cpuProfiles(), v.stack(), v.phases(), v.pod(), v.completion(), v.order(), v.usage(), v.truth(), v.invalid(), v.environment())
	return document.Page(w, d)
}
