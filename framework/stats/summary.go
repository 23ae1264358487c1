package stats

import (
	"encoding/json"
	"fmt"
)

// QuantileDefinition names the definition of every quantile that podburst prints.
const QuantileDefinition = "nearest-rank"

// Summary describes the samples of one phase of one burst (or of several bursts
// pooled). Values are in the samples' unit, seconds in reports. Without samples they
// are null in JSON: a 0 would look fast.
type Summary struct {
	// Count is how many samples there are, Missing how many there should be besides.
	Count   int     `json:"count"`
	Missing int     `json:"missing"`
	Min     float64 `json:"min" jsonschema:"nullable"`
	Mean    float64 `json:"mean" jsonschema:"nullable"`
	P50     float64 `json:"p50" jsonschema:"nullable"`
	P90     float64 `json:"p90" jsonschema:"nullable"`
	P95     float64 `json:"p95" jsonschema:"nullable"`
	P99     float64 `json:"p99" jsonschema:"nullable"`
	Max     float64 `json:"max" jsonschema:"nullable"`
	// Source says where the times at both ends of a phase were read: audit,
	// componentlog, watch, or several joined by +. Absent without samples and where the
	// samples are not a phase's.
	Source string `json:"source,omitempty"`
}

// plain is a Summary whose zeros are written as such.
type plain Summary

// JSONSchemaAlias is what MarshalJSON writes, for the schema.
func (Summary) JSONSchemaAlias() any { return plain{} }

// MarshalJSON writes null for the statistics of no samples; reading a null gives 0.
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
