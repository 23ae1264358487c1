package listcost

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/podburst/podburst/framework/stats"
)

// leastDifference is how far a ratio must be from 1 to be of interest, and confidence
// is that of its interval. A result has a dozen or more ratios, so at 95 % one would
// be wrong every other time.
const (
	leastDifference = 0.05
	confidence      = 0.99
)

// ratioOf sums up the ratios of pairs.
func ratioOf(ratios []float64) Ratio {
	r := Ratio{Rounds: len(ratios)}
	if len(ratios) == 0 {
		return r
	}
	ratios = slices.Sorted(slices.Values(ratios))
	middle := median(ratios)
	r.Median = &middle
	if interval, ok := stats.QuantileInterval(ratios, 0.5, confidence); ok {
		r.Low, r.High = &interval.Low, &interval.High
		r.Beyond = (interval.Low > 1 || interval.High < 1) && math.Abs(middle-1) >= leastDifference
	}
	return r
}

// String is the median and its interval: "×3.26 (2.97 to 3.67)".
func (r Ratio) String() string {
	switch {
	case r.Median == nil:
		return "-"
	case r.Low == nil || r.High == nil:
		return fmt.Sprintf("×%.2f", *r.Median)
	}
	return fmt.Sprintf("×%.2f (%.2f to %.2f)", *r.Median, *r.Low, *r.High)
}

// reference is the strategy that the others are compared with.
const reference = "full"

// listDifferences pair the tries of a round, which are close in time.
func listDifferences(cost Observation) []ListDifference {
	all := []ListDifference{}
	for _, size := range cost.Sizes {
		tries := map[string]map[int]*ListSample{}
		for i := range size.Lists {
			l := &size.Lists[i]
			if tries[l.Strategy] == nil {
				tries[l.Strategy] = map[int]*ListSample{}
			}
			if failure(l, size.Pods) == "" && !l.Unserved {
				tries[l.Strategy][l.Round] = l
			}
		}
		for _, s := range Strategies() {
			if s.Name == reference || len(tries[s.Name]) == 0 || len(tries[reference]) == 0 {
				continue
			}
			var client, server []float64
			for round, l := range tries[s.Name] {
				full := tries[reference][round]
				if full == nil {
					continue
				}
				client = append(client, quotient(l.Seconds, full.Seconds)...)
				if l.ServerSeconds != nil && full.ServerSeconds != nil {
					server = append(server, quotient(*l.ServerSeconds, *full.ServerSeconds)...)
				}
			}
			all = append(all, ListDifference{s.Name, size.Pods, "seconds", ratioOf(client)})
			if cost.AuditUnavailable == "" {
				all = append(all, ListDifference{s.Name, size.Pods, "serverSeconds", ratioOf(server)})
			}
		}
	}
	return all
}

// quotient is x/y if both are above 0 and the result is a number; otherwise empty.
func quotient(x, y float64) []float64 {
	if q := x / y; x > 0 && y > 0 && !math.IsInf(q, 0) {
		return []float64{q}
	}
	return nil
}

// against says which lists differ from full at the most pods.
func against(r *Result) (out []string) {
	pods := 0
	for _, d := range r.ListDifferences {
		pods = max(pods, d.Pods)
	}
	for _, q := range []struct{ quantity, what string }{{"seconds", "Seconds for the client"}, {"serverSeconds", "Seconds in the API server"}} {
		var differ, same, unknown []string
		for _, d := range r.ListDifferences {
			switch {
			case d.Pods != pods || d.Quantity != q.quantity:
			case d.Ratio.Low == nil:
				unknown = append(unknown, d.List)
			case d.Ratio.Beyond:
				differ = append(differ, d.List+" "+d.Ratio.String())
			default:
				same = append(same, d.List)
			}
		}
		if len(differ)+len(same)+len(unknown) == 0 {
			continue
		}
		text := fmt.Sprintf("%s against the list %s, %d pods: ", q.what, reference, pods)
		if len(differ) > 0 {
			text += "beyond noise " + strings.Join(differ, ", ")
		} else {
			text += "no difference beyond noise"
		}
		if len(same) > 0 && len(differ) > 0 {
			text += "; not " + strings.Join(same, ", ")
		}
		if len(unknown) > 0 {
			text += "; cannot be told of " + strings.Join(unknown, ", ")
		}
		out = append(out, text+".")
	}
	return out
}
