package stats

// QuantileDefinition names the definition of every quantile that podburst prints.
const QuantileDefinition = "nearest-rank"

// Summary describes the samples of one phase of one burst (or of several bursts
// pooled). Values are in the samples' unit, seconds in reports.
type Summary struct {
	// Count is how many samples there are, Missing how many there should be besides.
	Count   int     `json:"count"`
	Missing int     `json:"missing"`
	Min     float64 `json:"min"`
	Mean    float64 `json:"mean"`
	P50     float64 `json:"p50"`
	P90     float64 `json:"p90"`
	P95     float64 `json:"p95"`
	P99     float64 `json:"p99"`
	Max     float64 `json:"max"`
}
