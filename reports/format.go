package reports

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/humanize"
)

// LimitsText formats one limiter and where it was read: "50/100 (configz)".
func LimitsText(l clusters.Limits) string {
	if l.Source == "" {
		return l.String()
	}
	return l.String() + " (" + l.Source + ")"
}

// formatEffective lists the limiters in force, as QPS/burst. Kubelets with equal limits are
// one item: "kube-scheduler 50/100 (configz)", "3 kubelets 50/100 (configz)".
func formatEffective(effective clusters.Effective) []string {
	var lines []string
	kubelets := map[clusters.Limits]int{}
	var order []clusters.Limits
	for _, name := range slices.Sorted(maps.Keys(effective)) {
		limits := effective[name]
		if clusters.ParseInstance(name).Component == clusters.Kubelet {
			if kubelets[limits]++; kubelets[limits] == 1 {
				order = append(order, limits)
			}
			continue
		}
		lines = append(lines, humanize.Printable(name+" "+LimitsText(limits)))
	}
	for _, limits := range order {
		who := "kubelet"
		if n := kubelets[limits]; n > 1 {
			who = fmt.Sprintf("%d kubelets", n)
		}
		lines = append(lines, humanize.Printable(who+" "+LimitsText(limits)))
	}
	return lines
}

// VerdictCell is a verdict's word; anything but a good verdict stands out.
func VerdictCell(v verdict.Verdict) document.Cell {
	c := document.Cell{Text: strings.ToUpper(string(v)), Verdict: document.Open}
	switch v {
	case verdict.Pass, verdict.Improved:
		c.Text, c.Verdict = string(v), document.Good
	case verdict.Fail, verdict.Regressed, verdict.Invalid:
		c.Verdict = document.Bad
	}
	return c
}
