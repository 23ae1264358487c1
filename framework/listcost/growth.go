package listcost

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/podburst/podburst/framework/verdict"
)

// MaxExponent is the highest power of the number of pods that a list may grow with.
// Linear growth has 1, and fixed costs make it lower. 1.2 leaves room for the cost of
// a larger heap (garbage collection, caches).
const MaxExponent = 1.2

// minSizes is the least number of sizes that a line is fitted to: through two points
// there is always a line, with no error.
const minSizes = 3

// zOneSided is the 95 % quantile of the standard normal distribution.
const zOneSided = 1.6449

// level is a quantity at one number of pods.
type level struct {
	pods int
	// median is the tries' median; all values are above 0.
	median float64
	// logError is the standard error of the median's logarithm.
	logError float64
}

// levelOf computes the tries' median and its standard error: 1.2533 σ/√n, with σ from
// the median absolute deviation of the logarithms, which one slow try does not move.
func levelOf(pods int, values []float64) (level, error) {
	if len(values) == 0 {
		return level{}, fmt.Errorf("nothing was measured with %d pods", pods)
	}
	logs := make([]float64, 0, len(values))
	for _, v := range values {
		if !(v > 0) || math.IsInf(v, 0) {
			return level{}, fmt.Errorf("a value with %d pods is %v", pods, v)
		}
		logs = append(logs, math.Log(v))
	}
	middle := median(logs)
	deviations := make([]float64, 0, len(logs))
	for _, l := range logs {
		deviations = append(deviations, math.Abs(l-middle))
	}
	sigma := 1.4826 * median(deviations)
	return level{pods: pods, median: math.Exp(middle), logError: 1.2533 * sigma / math.Sqrt(float64(len(values)))}, nil
}

// median is the mean of the two middle values if their number is even.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n%2 == 1 {
		return sorted[n/2]
	}
	return sorted[n/2-1]/2 + sorted[n/2]/2
}

// fit returns the exponent b of "quantity = a · pods^b" by least squares on
// logarithms, and its standard error. That is the larger of two: the one from the
// distances to the line, and the one from the medians' own errors. Otherwise three
// points that happen to be near a line would look certain, and so would many tries of
// something that is not a power law.
func fit(levels []level) (exponent, standardError float64, err error) {
	var sizes []int
	for _, l := range levels {
		if l.pods < 1 || !(l.median > 0) || math.IsInf(l.median, 0) || !(l.logError >= 0) || math.IsInf(l.logError, 0) {
			return 0, 0, fmt.Errorf("the median with %d pods is %v ± %v", l.pods, l.median, l.logError)
		}
		if !slices.Contains(sizes, l.pods) {
			sizes = append(sizes, l.pods)
		}
	}
	if len(sizes) < minSizes {
		return 0, 0, fmt.Errorf("%s: at least %d are needed, such as 100, 500 and 1000 pods", count(len(sizes), "size", "sizes"), minSizes)
	}
	n := float64(len(levels))
	var meanX, meanY float64
	for _, l := range levels {
		meanX += math.Log(float64(l.pods)) / n
		meanY += math.Log(l.median) / n
	}
	var xx, xy float64
	for _, l := range levels {
		dx := math.Log(float64(l.pods)) - meanX
		xx += dx * dx
		xy += dx * (math.Log(l.median) - meanY)
	}
	exponent = xy / xx
	var residuals, propagated float64
	for _, l := range levels {
		dx := math.Log(float64(l.pods)) - meanX
		distance := math.Log(l.median) - meanY - exponent*dx
		residuals += distance * distance
		propagated += dx / xx * l.logError * dx / xx * l.logError
	}
	standardError = math.Sqrt(max(residuals/(n-2)/xx, propagated))
	if math.IsNaN(exponent+standardError) || math.IsInf(exponent+standardError, 0) {
		return 0, 0, errors.New("the numbers are too large to fit a line")
	}
	return exponent, standardError, nil
}

// Growth is how a quantity of a strategy grows with the number of pods.
type Growth struct {
	// Quantity is "bytes", "seconds" or "serverSeconds".
	Quantity string `json:"quantity"`
	// Sizes is how many numbers of pods the line is fitted to.
	Sizes int `json:"sizes"`
	// Exponent b of pods^b and its standard error; null where there is no fit.
	Exponent      *float64 `json:"exponent"`
	StandardError *float64 `json:"standardError"`
	// Verdict: pass where b is at most MaxExponent with 95 % confidence, fail
	// where it is above with as much, inconclusive otherwise.
	Verdict verdict.Verdict `json:"verdict"`
	Message string          `json:"message"`
}

// grow judges a quantity. byPods has the tries' values; sizes are its keys in order.
func grow(quantity string, sizes []int, byPods map[int][]float64) Growth {
	g := Growth{Quantity: quantity, Verdict: verdict.Inconclusive}
	var levels []level
	for _, pods := range sizes {
		l, err := levelOf(pods, byPods[pods])
		if err != nil {
			g.Message = fmt.Sprintf("how %s grow cannot be told: %v", words(quantity), err)
			return g
		}
		levels = append(levels, l)
	}
	g.Sizes = len(levels)
	b, se, err := fit(levels)
	if err != nil {
		g.Message = fmt.Sprintf("how %s grow cannot be told: %v", words(quantity), err)
		return g
	}
	g.Exponent, g.StandardError = &b, &se
	power := fmt.Sprintf("%s grow as pods^%.2f (standard error %.2f, %d sizes from %d to %d pods)", words(quantity), b, se, len(levels), sizes[0], sizes[len(sizes)-1])
	switch {
	case b-zOneSided*se > MaxExponent:
		g.Verdict, g.Message = verdict.Fail, fmt.Sprintf("%s: faster than pods^%g", power, MaxExponent)
	case b+zOneSided*se <= MaxExponent:
		g.Verdict, g.Message = verdict.Pass, power
	default:
		g.Message = fmt.Sprintf("%s: too noisy to tell whether that is more than pods^%g; take more rounds, or sizes further apart", power, MaxExponent)
	}
	return g
}

// words is how a sentence about the quantity begins.
func words(quantity string) string {
	switch quantity {
	case "serverSeconds":
		return "seconds in the API server"
	case "seconds":
		return "seconds for the client"
	}
	return quantity
}
