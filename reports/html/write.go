package html

import (
	"io"

	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/reports"
)

// File is the page's name in a run's folder.
const File = reports.HTMLFile

// MaxSize is what the page of 2 profiles with 8 bursts of 100 pods each may
// take, in bytes.
const MaxSize = 1_500_000

// Write writes the report as a page. A report that was read from report.json has
// no single pods; the figures that need them say so.
func Write(w io.Writer, r *reports.Report) error { return document.Page(w, full(r)) }
