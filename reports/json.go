package reports

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/podburst/podburst/framework/stats"
)

// WriteJSON writes report.json. A number that is NaN or infinite is an error:
// such a file is no JSON to other readers.
func WriteJSON(w io.Writer, r Report) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return fmt.Errorf("write report.json: %w", err)
	}
	return nil
}

// MaxReportSize is the largest report.json that ReadJSON takes, in bytes.
const MaxReportSize = 256 << 20

// ReadJSON reads a report.json of this SchemaVersion. Fields that it does not
// know are ignored: a later podburst may add some without a new version.
func ReadJSON(in io.Reader) (Report, error) {
	data, err := io.ReadAll(io.LimitReader(in, MaxReportSize+1))
	if err != nil {
		return Report{}, fmt.Errorf("read report: %w", err)
	}
	if len(data) > MaxReportSize {
		return Report{}, fmt.Errorf("read report: it is larger than %d bytes", MaxReportSize)
	}
	var r Report
	if err := json.Unmarshal(data, &r); err != nil {
		return Report{}, fmt.Errorf("read report: %w", err)
	}
	if r.SchemaVersion != SchemaVersion {
		return Report{}, fmt.Errorf("read report: it is of schema %q and this podburst reads only %q", r.SchemaVersion, SchemaVersion)
	}
	return r, nil
}

// phaseJSON is a Phase with statistics that can be null.
type phaseJSON struct {
	Count   int      `json:"count"`
	Missing int      `json:"missing"`
	Min     *float64 `json:"min"`
	Mean    *float64 `json:"mean"`
	P50     *float64 `json:"p50"`
	P90     *float64 `json:"p90"`
	P95     *float64 `json:"p95"`
	P99     *float64 `json:"p99"`
	Max     *float64 `json:"max"`
	Source  string   `json:"source"`
}

// MarshalJSON writes null for the statistics of no samples.
func (p Phase) MarshalJSON() ([]byte, error) {
	s := p.Summary
	if s.Count == 0 {
		return json.Marshal(phaseJSON{Missing: s.Missing, Source: p.Source})
	}
	return json.Marshal(phaseJSON{
		Count: s.Count, Missing: s.Missing, Source: p.Source,
		Min: &s.Min, Mean: &s.Mean, P50: &s.P50, P90: &s.P90, P95: &s.P95, P99: &s.P99, Max: &s.Max,
	})
}

// JSONSchemaAlias is what MarshalJSON writes, for the schema.
func (Phase) JSONSchemaAlias() any { return phaseJSON{} }

// UnmarshalJSON reads what MarshalJSON wrote.
func (p *Phase) UnmarshalJSON(data []byte) error {
	var j phaseJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	value := func(v *float64) float64 {
		if v == nil {
			return 0
		}
		return *v
	}
	*p = Phase{Source: j.Source, Summary: stats.Summary{
		Count: j.Count, Missing: j.Missing, Min: value(j.Min), Mean: value(j.Mean),
		P50: value(j.P50), P90: value(j.P90), P95: value(j.P95), P99: value(j.P99), Max: value(j.Max),
	}}
	return nil
}
