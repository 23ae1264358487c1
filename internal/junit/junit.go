// Package junit writes JUnit XML, the format that CI systems read test results
// from. It has no official schema; this writer keeps to what its readers agree
// on:
//
//   - counts on every suite that are those of its cases;
//   - a message attribute and the same text in the body, because some
//     readers show only one of them;
//   - text that is well-formed XML, whatever names and messages contain;
//   - properties on suites and cases.
//
// It knows nothing about podburst's reports.
package junit

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Suite is a named group of cases.
type Suite struct {
	Name string
	// Timestamp is when it began; zero for none.
	Timestamp  time.Time
	Properties []Property
	Cases      []Case
}

// Case is one check. Readers identify cases by Classname and Name, so the pair
// must be unique and stay the same from run to run.
type Case struct {
	Classname, Name string
	// Time is how long it took; it is never NaN or negative in the file.
	Time       time.Duration
	Properties []Property
	// Outcome is nil for a case that passed.
	Outcome *Outcome
}

// Property is a named value.
type Property struct{ Name, Value string }

// Outcome says why a case did not pass.
type Outcome struct {
	Kind Kind
	// Type groups outcomes ("slo", "invalid"); Message is one sentence.
	Type, Message string
	// Detail follows the message in the body. It may be empty.
	Detail string
}

// Kind is the XML element of an outcome.
type Kind string

// The kinds.
const (
	// Failure: the check failed.
	Failure Kind = "failure"
	// Error: the check could not be made.
	Error Kind = "error"
	// Skipped: the check was not meant to run.
	Skipped Kind = "skipped"
)

type counts struct {
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
	Time     string `xml:"time,attr"`

	total time.Duration
}

type document struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	counts
	Suites []suite `xml:"testsuite"`
}

type suite struct {
	Name string `xml:"name,attr"`
	counts
	Timestamp  string      `xml:"timestamp,attr,omitempty"`
	Properties *properties `xml:"properties"`
	Cases      []testcase  `xml:"testcase"`
}

type properties struct {
	Properties []property `xml:"property"`
}

type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type testcase struct {
	Classname  string      `xml:"classname,attr"`
	Name       string      `xml:"name,attr"`
	Time       string      `xml:"time,attr"`
	Properties *properties `xml:"properties"`
	Failure    *outcome    `xml:"failure"`
	Error      *outcome    `xml:"error"`
	Skipped    *outcome    `xml:"skipped"`
}

type outcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Body    string `xml:",chardata"`
}

// Write writes the suites as one document. Two cases with the same classname
// and name are an error: readers would drop one of them.
func Write(w io.Writer, name string, suites []Suite) error {
	doc := document{Name: clean(name)}
	seen := map[[2]string]bool{}
	for _, s := range suites {
		out := suite{Name: clean(s.Name), Properties: propertiesOf(s.Properties)}
		if !s.Timestamp.IsZero() {
			out.Timestamp = s.Timestamp.UTC().Format("2006-01-02T15:04:05")
		}
		for _, c := range s.Cases {
			key := [2]string{clean(c.Classname), clean(c.Name)}
			if seen[key] {
				return fmt.Errorf("write JUnit: two cases are named %s %q", key[0], key[1])
			}
			seen[key] = true
			out.Cases = append(out.Cases, out.add(c))
		}
		doc.include(out.counts)
		out.finish()
		doc.Suites = append(doc.Suites, out)
	}
	doc.finish()
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	return nil
}

// add counts the case and returns its element.
func (n *counts) add(c Case) testcase {
	took := max(0, c.Time)
	out := testcase{Classname: clean(c.Classname), Name: clean(c.Name), Time: seconds(took), Properties: propertiesOf(c.Properties)}
	n.Tests++
	n.total += took
	if c.Outcome == nil {
		return out
	}
	o := &outcome{Message: clean(c.Outcome.Message), Type: clean(c.Outcome.Type), Body: clean(c.Outcome.Message)}
	if c.Outcome.Detail != "" {
		o.Body += "\n" + clean(c.Outcome.Detail)
	}
	switch c.Outcome.Kind {
	case Failure:
		n.Failures++
		out.Failure = o
	case Skipped:
		n.Skipped++
		out.Skipped = o
	default: // an unknown kind must not pass
		n.Errors++
		out.Error = o
	}
	return out
}

func (n *counts) include(other counts) {
	n.Tests += other.Tests
	n.Failures += other.Failures
	n.Errors += other.Errors
	n.Skipped += other.Skipped
	n.total += other.total
}

func (n *counts) finish() { n.Time = seconds(n.total) }

func propertiesOf(list []Property) *properties {
	if len(list) == 0 {
		return nil
	}
	out := &properties{}
	for _, p := range list {
		out.Properties = append(out.Properties, property{Name: clean(p.Name), Value: clean(p.Value)})
	}
	return out
}

func seconds(d time.Duration) string {
	return strconv.FormatFloat(math.Round(d.Seconds()*1e3)/1e3, 'f', 3, 64)
}

// clean replaces what XML 1.0 cannot contain, even escaped, and what is not
// UTF-8. It also replaces bidirectional controls, which make a log misleading
// to read.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r == '\r':
			return r
		case r < 0x20, r == 0x7f, r >= 0x80 && r < 0xa0, r == 0xfffe, r == 0xffff,
			r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f:
			return utf8.RuneError
		}
		return r
	}, s)
}
