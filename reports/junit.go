package reports

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/junit"
)

// The types of JUnit outcomes: a missed objective is a failure of type "slo"; a measurement
// that cannot be trusted is an error of type "invalid".
const (
	junitSLO     = "slo"
	junitInvalid = "invalid"
	// junitInconclusive is skipped: a limit lies between the bounds of what it limits.
	junitInconclusive = "inconclusive"
	// junitLeftOut is skipped: an objective that is not available.
	junitLeftOut = "left-out"
	// junitRegressed is a failure: the comparison found a slowdown beyond the margin.
	junitRegressed = "regressed"
)

// WriteJUnit writes junit.xml: a suite for each profile, with a case for each burst's
// validity and for each check, and one suite for the run as a whole. Names contain no
// measured number, so that a CI system can follow a case from run to run.
func WriteJUnit(w io.Writer, r Report) error {
	suites := []junit.Suite{junitRun(&r)}
	for _, name := range r.ProfileNames() {
		suites = append(suites, junitProfile(&r, name))
	}
	return junit.Write(w, "podburst", suites)
}

func junitRun(r *Report) junit.Suite {
	c := junit.Case{Classname: "podburst", Name: "the run is complete"}
	var why []string
	recorded, _ := r.counted()
	if !r.Run.Complete {
		why = append(why, fmt.Sprintf("%d of %d planned bursts were recorded", recorded, r.Run.PlannedBursts))
	}
	if r.Run.Interrupted != "" {
		why = append(why, "interrupted: "+r.Run.Interrupted)
	}
	for _, folder := range r.Run.Unfinished {
		why = append(why, folder+" was being written when the run ended")
	}
	if len(why) > 0 {
		c.Outcome = invalidOutcome(why[0], why[1:])
	}
	return junit.Suite{
		Name: "podburst run", Timestamp: r.Run.StartedAt, Cases: []junit.Case{c},
		Properties: []junit.Property{
			{Name: "run", Value: r.Run.ID}, {Name: "provider", Value: r.Run.Provider},
			{Name: "verdict", Value: string(r.Verdict)}, {Name: "quantileDefinition", Value: r.Run.Quantile},
		},
	}
}

func junitProfile(r *Report, name string) junit.Suite {
	classname := "podburst." + name
	s := junit.Suite{Name: name, Timestamp: r.Run.StartedAt}
	if p := r.Profile(name); p != nil {
		s.Properties = append(s.Properties, junit.Property{Name: "provider", Value: p.Provider}, junit.Property{Name: "kubernetesVersion", Value: p.KubernetesVersion})
		for _, limits := range formatEffective(p.Effective) {
			s.Properties = append(s.Properties, junit.Property{Name: "limits", Value: limits})
		}
	}
	recorded := map[int]bool{}
	for i := range r.Bursts {
		if b := &r.Bursts[i]; b.Profile == name && !b.Warmup && !recorded[b.Index] {
			recorded[b.Index] = true
			s.Cases = append(s.Cases, junitBurst(r, classname, b))
		}
	}
	for i := 1; i <= burstsPerProfile(r); i++ {
		if !recorded[i] {
			s.Cases = append(s.Cases, junit.Case{
				Classname: classname, Name: validName(i), Outcome: invalidOutcome("INVALID: the burst was not recorded", nil),
			})
		}
	}
	for _, c := range r.SLO {
		if c.Profile == name {
			s.Cases = append(s.Cases, junitCheck(classname, c))
		}
	}
	for _, l := range r.SLOLeftOut {
		if l.Profile == name {
			s.Cases = append(s.Cases, junit.Case{
				Classname: classname, Name: checkName(l.Name, l.Part, 0),
				Outcome: &junit.Outcome{Kind: junit.Skipped, Type: junitLeftOut, Message: "Left out: " + l.Reason},
			})
		}
	}
	for _, c := range r.Comparisons {
		if c.Head == name && c.Gated {
			s.Cases = append(s.Cases, junitComparison(classname, c))
		}
	}
	return s
}

func burstsPerProfile(r *Report) int {
	if n := len(r.Run.PlannedProfiles); n > 0 {
		return r.Run.PlannedBursts / n
	}
	return 0
}

func validName(burst int) string { return fmt.Sprintf("burst %d is valid", burst) }

func junitBurst(r *Report, classname string, b *Burst) junit.Case {
	c := junit.Case{Classname: classname, Name: validName(b.Index)}
	property := func(name string, value string) {
		c.Properties = append(c.Properties, junit.Property{Name: name, Value: value})
	}
	a := b.Accounting
	property("pods", fmt.Sprintf("%d expected = %d ready + %d failed + %d pending + %d lost", a.Expected, a.Ready, a.Failed, a.Pending, a.Lost))
	if b.MakespanSeconds != nil {
		c.Time = b.MakespanSeconds.Duration()
		property("makespanSeconds", formatNumber(*b.MakespanSeconds))
	}
	for _, ph := range timeline.Phases() {
		if s := b.Phases[ph.Name]; s != nil && s.Count > 0 {
			property(ph.Name+".p50Seconds", formatNumber(s.P50))
			property(ph.Name+".p99Seconds", formatNumber(s.P99))
		}
	}
	if r.replaced(b) && len(b.InvalidReasons) > 0 {
		// Not a failure of the run, because another block replaced this one.
		property("invalid", b.InvalidReasons[0].Code+": "+b.InvalidReasons[0].Detail)
	} else if !b.Valid {
		var lines []string
		for _, p := range b.InvalidReasons {
			lines = append(lines, p.Code+": "+p.Detail)
		}
		first := "INVALID: the measurement cannot be trusted"
		if len(lines) > 0 {
			first = "INVALID: " + lines[0]
			lines = lines[1:]
		}
		c.Outcome = invalidOutcome(first, lines)
	}
	return c
}

func junitCheck(classname string, c slo.Result) junit.Case {
	of := junit.Property{Name: "phase", Value: c.Phase}
	if c.Call != "" {
		of = junit.Property{Name: "call", Value: c.Call}
	}
	out := junit.Case{Classname: classname, Name: checkName(c.Name, c.Call, c.Burst), Properties: []junit.Property{
		of, {Name: "stat", Value: c.Stat},
		{Name: "limitSeconds", Value: formatNumber(c.LimitSeconds)}, {Name: "samples", Value: strconv.Itoa(c.Samples)},
	}}
	for _, n := range []struct {
		name  string
		value *stats.Seconds
	}{{"observedSeconds", c.ObservedSeconds}, {"observedLowSeconds", c.ObservedLow}, {"observedHighSeconds", c.ObservedHigh}} {
		if n.value != nil {
			out.Properties = append(out.Properties, junit.Property{Name: n.name, Value: formatNumber(*n.value)})
		}
	}
	if c.Source != "" {
		out.Properties = append(out.Properties, junit.Property{Name: "source", Value: string(c.Source)})
	}
	switch c.Verdict {
	case verdict.Pass:
	case verdict.Invalid:
		out.Outcome = invalidOutcome("INVALID: "+c.Message, nil)
	case verdict.Inconclusive:
		out.Outcome = &junit.Outcome{Kind: junit.Skipped, Type: junitInconclusive, Message: c.Message}
	default:
		out.Outcome = &junit.Outcome{Kind: junit.Failure, Type: junitSLO, Message: c.Message}
	}
	return out
}

// checkName is unique in its profile, and the same from run to run.
func checkName(objective, call string, burst int) string {
	if call != "" {
		objective += ", " + call + ","
	}
	if burst > 0 {
		return fmt.Sprintf("%s of burst %d", objective, burst)
	}
	return objective + " of all bursts"
}

func junitComparison(classname string, c gate.Result) junit.Case {
	out := junit.Case{Classname: classname, Name: fmt.Sprintf("%s is no slower than in %s", c.Endpoint, c.Base), Properties: []junit.Property{
		{Name: "verdict", Value: string(c.Verdict)}, {Name: "blocks", Value: strconv.Itoa(c.Blocks)},
		{Name: "margin", Value: formatNumber(c.Margin)}, {Name: "floorSeconds", Value: formatNumber(c.FloorSeconds)},
		{Name: "message", Value: c.Message},
	}}
	for _, n := range []struct {
		name  string
		value *float64
	}{{"ratio", c.Ratio}, {"low", c.Low}, {"high", c.High}, {"baseSeconds", (*float64)(c.BaseSeconds)}, {"headSeconds", (*float64)(c.HeadSeconds)}} {
		if n.value != nil {
			out.Properties = append(out.Properties, junit.Property{Name: n.name, Value: formatNumber(*n.value)})
		}
	}
	switch c.Verdict {
	case verdict.Regressed:
		out.Outcome = &junit.Outcome{Kind: junit.Failure, Type: junitRegressed, Message: c.Message}
	case verdict.Invalid:
		out.Outcome = invalidOutcome("INVALID: "+c.Message, nil)
	}
	return out
}

func invalidOutcome(message string, more []string) *junit.Outcome {
	return &junit.Outcome{Kind: junit.Error, Type: junitInvalid, Message: message, Detail: strings.Join(more, "\n")}
}

func formatNumber[T ~float64](v T) string { return strconv.FormatFloat(float64(v), 'g', -1, 64) }
