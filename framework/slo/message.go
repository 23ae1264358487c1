package slo

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
)

// invalid is the result where nothing can be concluded.
func (r Result) invalid(reason string) Result {
	r.Verdict, r.ObservedSeconds = verdict.Invalid, nil
	r.Message = fmt.Sprintf("%s: %s %s not judged against its limit of %s s: %s", r.where(), r.Phase, r.Stat, seconds(r.LimitSeconds), reason)
	return r
}

// sentence is the message of a result that was observed.
func (r Result) sentence(observed stats.Seconds) string {
	of := fmt.Sprintf("n = %d", r.Samples)
	if r.Phase == Makespan {
		of += ", one a burst"
	}
	if strings.HasPrefix(r.Stat, "p") {
		of += ", " + stats.QuantileDefinition + " quantile"
	}
	value, limit := seconds(observed), seconds(r.LimitSeconds)
	if value == limit && observed != r.LimitSeconds {
		value = strconv.FormatFloat(float64(observed), 'f', -1, 64) // the difference is in further digits
	}
	if r.Verdict == verdict.Pass {
		return fmt.Sprintf("%s: %s %s is %s s, within its limit of %s s (%s)", r.where(), r.Phase, r.Stat, value, limit, of)
	}
	return fmt.Sprintf("%s: %s %s is %s s, above its limit of %s s by %s (%s)",
		r.where(), r.Phase, r.Stat, value, limit, overrun(float64(observed/r.LimitSeconds)), of)
}

// overrun words a ratio above 1: "20 %", from tenfold on "a factor of 12".
func overrun(ratio float64) string {
	if ratio < 10 {
		return fmt.Sprintf("%.2g %%", (ratio-1)*100)
	}
	return fmt.Sprintf("a factor of %.0f", ratio)
}

func (r Result) where() string {
	if r.Scope == ScopeBurst {
		return fmt.Sprintf("%s, burst %d", r.Profile, r.Burst)
	}
	return r.Profile + ", all valid bursts"
}

// seconds prints to the millisecond, without trailing zeros; what is shorter
// than that prints in full, for it is not 0.
func seconds(s stats.Seconds) string {
	value := float64(s)
	if value != 0 && math.Abs(value) < 0.001 {
		return strconv.FormatFloat(value, 'f', -1, 64)
	}
	return strconv.FormatFloat(math.Round(value*1000)/1000, 'f', -1, 64)
}
