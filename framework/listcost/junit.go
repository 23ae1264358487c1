package listcost

import (
	"io"
	"strings"

	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/junit"
)

// WriteJUnit writes junit.xml: one suite for the run as a whole and one for each
// profile, with a case for each check. Checks that the noise leaves open pass.
func (r Report) WriteJUnit(w io.Writer) error {
	complete := junit.Case{Classname: "podburst", Name: "the run is complete"}
	if why := r.incomplete(); len(why) > 0 {
		complete.Outcome = &junit.Outcome{Kind: junit.Error, Type: "invalid", Message: why[0], Detail: strings.Join(why[1:], "\n")}
	}
	suites := []junit.Suite{{
		Name: "podburst list-cost", Timestamp: r.Run.StartedAt, Cases: []junit.Case{complete},
		Properties: []junit.Property{{Name: "run", Value: r.Run.ID}, {Name: "provider", Value: r.Run.Provider}, {Name: "verdict", Value: string(r.Verdict)}},
	}}
	for i := range r.Profiles {
		p := &r.Profiles[i]
		s := junit.Suite{Name: p.Profile, Timestamp: r.Run.StartedAt, Properties: []junit.Property{{Name: "kubernetesVersion", Value: p.KubernetesVersion}}}
		for _, check := range p.Checks {
			s.Cases = append(s.Cases, check.junit("podburst."+p.Profile))
		}
		suites = append(suites, s)
	}
	return junit.Write(w, "podburst", suites)
}

func (c Check) junit(classname string) junit.Case {
	out := junit.Case{Classname: classname, Name: c.Name, Properties: []junit.Property{
		{Name: "verdict", Value: string(c.Verdict)}, {Name: "message", Value: c.Message},
	}}
	switch c.Verdict {
	case verdict.Fail:
		out.Outcome = &junit.Outcome{Kind: junit.Failure, Type: "listcost", Message: c.Message}
	case verdict.Invalid:
		out.Outcome = &junit.Outcome{Kind: junit.Error, Type: "invalid", Message: "INVALID: " + c.Message}
	}
	return out
}
