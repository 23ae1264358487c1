package gate

import (
	"fmt"
	"math"
)

const (
	// MinMargin is the smallest margin that SuggestMargins suggests. Even a change that
	// touches no hot path can move a burst by about that much.
	MinMargin = 0.05
	// MaxMargin is the largest one: a gate that lets a burst take twice as long gates
	// nothing.
	MaxMargin = 1.0

	// noiseConfidence is the confidence that the noise of later runs is no larger than
	// assumed.
	noiseConfidence = 0.8
	// offsetLevel is the p-value below which an A/A difference counts as real.
	offsetLevel   = 0.01
	evidenceLevel = 0.05
)

// Suggestion is a margin and what it rests on.
type Suggestion struct {
	Endpoint string
	// Margin is a multiple of 0.01.
	Margin float64
	// Reached tells whether the margin follows the rule. Otherwise it is MaxMargin, and
	// even that is too narrow for the noise.
	Reached  bool
	Evidence EndpointEvidence
	// Message is one sentence with the numbers and what to do.
	Message string
}

// SuggestMargins returns a margin for each endpoint from A/A blocks, whose arms are alike
// (the margins of endpoints are ignored). It needs at least 6 blocks; other errors are
// those of Judge.
//
// The margin is the smallest multiple of 1 %, from MinMargin to MaxMargin, with which the
// criteria's plan decides nine times out of ten, within MaxBlocks and at the last look's
// level: an unchanged head passes, and a head slower by twice the margin is found. This
// holds even if the noise is as large as the blocks allow (its upper 80 % bound, so fewer
// blocks give a wider margin). If the arms differ by more than chance, that difference is
// added.
//
// No margin makes false alarms more likely than alpha. A margin that is too narrow makes
// comparisons inconclusive; one that is too wide lets slowdowns pass.
func SuggestMargins(endpoints []Endpoint, criteria Criteria) ([]Suggestion, error) {
	judged := make([]Endpoint, 0, len(endpoints))
	for _, endpoint := range endpoints {
		if n := len(endpoint.Pairs); n < leastPaired {
			return nil, fmt.Errorf("suggest margins: %s has %d valid blocks; run at least %d", endpoint.Name, n, leastPaired)
		}
		endpoint.Margin = MaxMargin
		judged = append(judged, endpoint)
	}
	if _, err := Judge(judged, Options{}); err != nil { // for its checks
		return nil, fmt.Errorf("suggest margins: %w", err)
	}
	if found := criteria.faults(); len(found) > 0 {
		return nil, fmt.Errorf("suggest margins: %s", found[0])
	}
	options := criteria.Options(1)
	level := options.share(options.Looks) / float64(len(endpoints))
	suggestions := make([]Suggestion, 0, len(endpoints))
	for _, endpoint := range judged {
		suggestions = append(suggestions, suggest(endpoint, criteria.Spec.MaxBlocks, level))
	}
	return suggestions, nil
}

func suggest(endpoint Endpoint, blocks int, level float64) Suggestion {
	n := len(endpoint.Pairs)
	var ratios, arms []float64
	for _, pair := range endpoint.Pairs {
		base, head := math.Log(float64(pair.BaseSeconds)), math.Log(float64(pair.HeadSeconds))
		ratios, arms = append(ratios, head-base), append(arms, base, head)
	}
	noise, _ := spread(ratios)
	cv, _ := spread(arms)
	difference := paired(ratios, signedRankTail(n))
	s := Suggestion{Endpoint: endpoint.Name, Margin: MaxMargin, Evidence: EndpointEvidence{
		Endpoint: endpoint.Name, Noise: digits(noise), CV: digits(cv), Ratio: digits(math.Exp(difference.center())),
	}}
	if low, high, ok := difference.bounds(evidenceLevel); ok {
		s.Evidence.Low, s.Evidence.High = pointer(digits(math.Exp(low))), pointer(digits(math.Exp(high)))
	}
	offset := 0.0
	if low, high, ok := difference.bounds(offsetLevel); ok && (low > tolerance || high < -tolerance) {
		offset = math.Abs(difference.center())
	}
	largest := noise * noiseFactor(n)
	for hundredths := int(math.Round(MinMargin * 100)); hundredths <= int(math.Round(MaxMargin*100)); hundredths++ {
		margin := float64(hundredths) / 100
		if left := math.Expm1(math.Log1p(margin) - offset); left > 0 && blocksNeeded(largest, left, level, 1) <= blocks {
			s.Margin, s.Reached = margin, true
			break
		}
	}
	s.Message = fmt.Sprintf("%s: %s, for the log ratios of %d A/A blocks have a standard deviation of %s",
		s.Endpoint, percent(s.Margin), n, percent(noise))
	if !s.Reached {
		s.Message = fmt.Sprintf("%s: the log ratios of %d A/A blocks have a standard deviation of %s, too much for any margin up to %s in %d blocks; quiet the machine, or plan more blocks",
			s.Endpoint, n, percent(noise), percent(MaxMargin), blocks)
	}
	if offset > 0 {
		s.Message += fmt.Sprintf("; the arms are alike and yet head is %s by more than chance; find out why before relying on the gate",
			comparative(math.Exp(difference.center())))
	}
	return s
}

// noiseFactor is the factor by which the true noise may exceed that seen in n blocks, at
// noiseConfidence, as for the standard deviation of a normal sample. It uses Wilson and
// Hilferty's approximation of chi-squared.
func noiseFactor(n int) float64 {
	freedom := float64(n - 1)
	part := 2 / (9 * freedom)
	return math.Pow(1-part+normalQuantile(1-noiseConfidence)*math.Sqrt(part), -1.5)
}

// digits rounds to four digits after the point.
func digits(value float64) float64 {
	if rounded := math.Round(value*1e4) / 1e4; rounded != 0 || value == 0 {
		return rounded
	}
	return value // too small for four digits; 0 would mean something else
}

// Calibrated returns the criteria with the suggested margins, and with evidence for the
// suggested endpoints. An endpoint without a suggestion keeps its margin.
func (c Criteria) Calibrated(suggestions []Suggestion, evidence Evidence) Criteria {
	evidence.Endpoints = nil
	criteria := append([]Criterion(nil), c.Spec.Endpoints...)
	for _, suggestion := range suggestions {
		for i := range criteria {
			if criteria[i].Name() == suggestion.Endpoint {
				criteria[i].Margin = suggestion.Margin
				evidence.Endpoints = append(evidence.Endpoints, suggestion.Evidence)
			}
		}
	}
	c.Spec.Endpoints, c.Spec.Evidence = criteria, &evidence
	return c
}
