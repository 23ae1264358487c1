package html

import (
	"bufio"
	"crypto/sha256"
	_ "embed" // the template and the style are files
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"github.com/podburst/podburst/reports"
)

// File is the page's name in a run's folder.
const File = reports.HTMLFile

// MaxSize is what the page of 2 profiles with 8 bursts of 100 pods each may
// take, in bytes.
const MaxSize = 1_500_000

//go:embed page.gohtml
var pageTemplate string

//go:embed style.css
var style string

var page = template.Must(template.New("page").Parse(pageTemplate))

// policy lets the page use its own style sheet, by its hash, and nothing else: no
// script, no request, no form, whatever a hostile name might have injected.
func policy() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; img-src 'none'; base-uri 'none'; form-action 'none'"
}

// Write writes the report as a page. A report that was read from report.json has
// no single pods; the figures that need them say so.
func Write(w io.Writer, r *reports.Report) error {
	buffered := bufio.NewWriter(w)
	err := page.Execute(buffered, struct {
		document
		Policy string
		Style  template.CSS
	}{newDocument(r), policy(), template.CSS(style)})
	if err == nil {
		err = buffered.Flush()
	}
	if err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	return nil
}
