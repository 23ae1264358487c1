package verdict

import "testing"

func TestTheGravestVerdictDecides(t *testing.T) {
	for name, c := range map[string]struct {
		all  []Verdict
		want Verdict
	}{
		"nothing was judged":        {nil, Invalid},
		"all pass":                  {[]Verdict{Pass, Pass}, Pass},
		"all improved":              {[]Verdict{Improved, Improved}, Improved},
		"improved beside pass":      {[]Verdict{Pass, Improved, Pass}, Improved},
		"undecided beside improved": {[]Verdict{Pass, Inconclusive, Improved}, Inconclusive},
		"regressed beside open":     {[]Verdict{Pass, Regressed, Inconclusive}, Regressed},
		"missed beside regressed":   {[]Verdict{Regressed, Fail}, Fail},
		"invalid outranks all":      {[]Verdict{Fail, Invalid, Pass}, Invalid},
		"a word that is no verdict": {[]Verdict{Pass, "PASS"}, Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Gravest(c.all...); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
