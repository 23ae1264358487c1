package stats

import (
	"encoding/json"
	"fmt"
)

// QuantileDefinition names the definition of all quantiles that podburst prints.
const QuantileDefinition = "nearest-rank"

// Summary is the distribution of some samples, which are in seconds in reports. Quantiles
// are by nearest rank. Without samples the statistics are null in JSON: a 0 would look
// fast.
type Summary struct {
	// Count is the number of samples.
	Count int `json:"count"`
	// Missing is the number of samples that should be there and are not.
	Missing int `json:"missing"`
	// Min is the smallest sample; null without samples.
	Min float64 `json:"min" jsonschema:"nullable"`
	// Mean is the arithmetic mean; null without samples.
	Mean float64 `json:"mean" jsonschema:"nullable"`
	// P50 is the median; null without samples.
	P50 float64 `json:"p50" jsonschema:"nullable"`
	// P90 is the 90 % quantile; null without samples.
	P90 float64 `json:"p90" jsonschema:"nullable"`
	// P95 is the 95 % quantile; null without samples.
	P95 float64 `json:"p95" jsonschema:"nullable"`
	// P99 is the 99 % quantile; null without samples.
	P99 float64 `json:"p99" jsonschema:"nullable"`
	// Max is the largest sample; null without samples.
	Max float64 `json:"max" jsonschema:"nullable"`
	// Source says where the marks at both ends of a phase were read: "audit",
	// "componentlog" or "watch", or several joined by "+". Absent without samples, and for
	// samples that are not of a phase.
	Source string `json:"source,omitempty"`
}

// plain is a Summary without MarshalJSON: zeros are written as zeros.
type plain Summary

// JSONSchemaAlias returns what MarshalJSON writes, for the schema.
func (Summary) JSONSchemaAlias() any { return plain{} }

// MarshalJSON writes null for the statistics if there are no samples. Reading null gives 0.
func (s Summary) MarshalJSON() ([]byte, error) {
	if s.Count > 0 {
		return json.Marshal(plain(s))
	}
	text := fmt.Appendf(nil, `{"count":0,"missing":%d`, s.Missing)
	for _, name := range Names() {
		text = fmt.Appendf(text, `,%q:null`, name)
	}
	return append(text, '}'), nil
}
