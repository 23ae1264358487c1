package reports_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/internal/specimen"
)

// What people read stays intact, whatever the report holds.
func TestExtremesAreReadable(t *testing.T) {
	for name, r := range specimen.Extremes(t) {
		t.Run(name, func(t *testing.T) {
			checkSchema(t, *r)
			checkTable(t, *r)
			checkMarkdown(t, *r)
			checkJUnit(t, *r)
		})
	}
}

func checkTable(t *testing.T, r reports.Report) {
	t.Helper()
	var out bytes.Buffer
	if err := reports.WriteTable(&out, r, "artifacts/run"); err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(out.String(), "\n") {
		if w := runewidth.StringWidth(line); w > 100 {
			t.Errorf("line %d of the table has %d columns: %q", i+1, w, line)
		}
		if strings.ContainsAny(line, "\x1b\r\x00\u202e") {
			t.Errorf("line %d of the table holds control characters: %q", i+1, line)
		}
	}
}

func checkMarkdown(t *testing.T, r reports.Report) {
	t.Helper()
	var out bytes.Buffer
	if err := reports.WriteMarkdown(&out, r); err != nil {
		t.Fatal(err)
	}
	if out.Len() > document.MaxMarkdownSize {
		t.Errorf("summary.md has %d bytes", out.Len())
	}
	unescaped := strings.ReplaceAll(out.String(), `\]`, "")
	for _, bad := range []string{"<b>", "](", "@someone", "://evil", "\x1b", "\u202e", "\r"} {
		if strings.Contains(unescaped, bad) {
			t.Errorf("summary.md holds %q as it is", bad)
		}
	}
}

type junitCounts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
}

type junitFile struct {
	junitCounts
	Suites []struct {
		junitCounts
		Cases []struct {
			Classname string    `xml:"classname,attr"`
			Name      string    `xml:"name,attr"`
			Failure   *struct{} `xml:"failure"`
			Error     *struct{} `xml:"error"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

// checkJUnit parses the file, recounts the cases and checks names.
func checkJUnit(t *testing.T, r reports.Report) {
	t.Helper()
	var out bytes.Buffer
	if err := reports.WriteJUnit(&out, r); err != nil {
		t.Fatal(err)
	}
	var file junitFile
	if err := xml.NewDecoder(&out).Decode(&file); err != nil {
		t.Fatalf("junit.xml does not parse: %v", err)
	}
	var total junitCounts
	names := map[string]bool{}
	for _, s := range file.Suites {
		var n junitCounts
		for _, c := range s.Cases {
			n.Tests++
			if c.Failure != nil {
				n.Failures++
			}
			if c.Error != nil {
				n.Errors++
			}
			if key := c.Classname + "\n" + c.Name; names[key] {
				t.Errorf("two cases are named %q", key)
			} else {
				names[key] = true
			}
		}
		if n != s.junitCounts {
			t.Errorf("suite says %+v, its cases are %+v", s.junitCounts, n)
		}
		total.Tests += n.Tests
		total.Failures += n.Failures
		total.Errors += n.Errors
	}
	if total != file.junitCounts || total.Tests == 0 {
		t.Errorf("the file says %+v, its cases are %+v", file.junitCounts, total)
	}
	if bad := total.Failures+total.Errors > 0; bad == (r.Verdict == verdict.Pass) {
		t.Errorf("verdict %s with %+v", r.Verdict, total)
	}
}

// A run of many profiles, bursts and reasons is cut to the size that a step summary
// accepts.
func TestTheSummaryIsBounded(t *testing.T) {
	r := goldenReport(t)
	for i := range 3000 {
		b := r.Bursts[0]
		b.Valid, b.InvalidReasons = false, []recording.Problem{{Code: "x", Detail: strings.Repeat("y", 500)}, {Code: "z", Detail: fmt.Sprint(i)}}
		r.Bursts = append(r.Bursts, b)
	}
	var out bytes.Buffer
	if err := reports.WriteMarkdown(&out, r); err != nil {
		t.Fatal(err)
	}
	if out.Len() > document.MaxMarkdownSize || !strings.Contains(out.String(), "The rest was left out") {
		t.Errorf("summary.md has %d bytes and no note", out.Len())
	}
}
