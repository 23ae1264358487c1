package junit

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestCountsAndKinds(t *testing.T) {
	suites := []Suite{{Name: "s", Timestamp: time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC), Cases: []Case{
		{Classname: "c", Name: "passes", Time: 1500 * time.Millisecond, Properties: []Property{{"observed", "1.5"}}},
		{Classname: "c", Name: "fails", Time: -time.Second, Outcome: &Outcome{Kind: Failure, Type: "slo", Message: "too slow"}},
		{Classname: "c", Name: "is invalid", Outcome: &Outcome{Kind: Error, Type: "invalid", Message: "INVALID", Detail: "more"}},
		{Classname: "c", Name: "was left out", Outcome: &Outcome{Kind: Skipped, Message: "why"}},
		{Classname: "c", Name: "has an unknown outcome", Outcome: &Outcome{Kind: "odd", Message: "?"}},
	}}}
	var out bytes.Buffer
	if err := Write(&out, "all", suites); err != nil {
		t.Fatal(err)
	}
	got := out.String()
	for _, want := range []string{
		`<testsuites name="all" tests="5" failures="1" errors="2" skipped="1" time="1.500">`,
		`<testsuite name="s" tests="5" failures="1" errors="2" skipped="1" time="1.500" timestamp="2026-11-29T12:00:00">`,
		`<testcase classname="c" name="fails" time="0.000">`,
		`<failure message="too slow" type="slo">too slow</failure>`,
		"<error message=\"INVALID\" type=\"invalid\">INVALID\nmore</error>",
		`<skipped message="why">why</skipped>`,
		`<property name="observed" value="1.5"></property>`,
	} {
		if !strings.Contains(strings.ReplaceAll(got, "&#xA;", "\n"), want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
}

func TestTwoCasesOfOneNameAreRefused(t *testing.T) {
	twice := []Suite{{Name: "a", Cases: []Case{{Classname: "c", Name: "n"}}}, {Name: "b", Cases: []Case{{Classname: "c", Name: "n"}}}}
	if err := Write(io.Discard, "all", twice); err == nil {
		t.Error("two cases of one name were written")
	}
}

func FuzzWrite(f *testing.F) {
	f.Add("a<b>&\"'", "\x00\x1b]]>\ufffe\xff")
	f.Fuzz(func(t *testing.T, name, message string) {
		var out bytes.Buffer
		suites := []Suite{{Name: name, Properties: []Property{{name, message}}, Cases: []Case{
			{Classname: name, Name: message, Outcome: &Outcome{Kind: Failure, Type: name, Message: message, Detail: message}},
		}}}
		if err := Write(&out, name, suites); err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(out.Bytes()) {
			t.Error("no UTF-8")
		}
		dec := xml.NewDecoder(&out)
		for {
			if _, err := dec.Token(); errors.Is(err, io.EOF) {
				return
			} else if err != nil {
				t.Fatalf("does not parse: %v", err)
			}
		}
	})
}
