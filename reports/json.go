package reports

import (
	"encoding/json"
	"fmt"
	"io"
)

// WriteJSON writes report.json. A number that is NaN or infinite is an error: other readers
// would reject such a file as JSON.
func WriteJSON(w io.Writer, r Report) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return fmt.Errorf("write report.json: %w", err)
	}
	return nil
}

// MaxReportSize is the largest report.json that ReadJSON accepts, in bytes.
const MaxReportSize = 256 << 20

// ReadJSON reads a report.json of this SchemaVersion. It ignores unknown fields, because a
// later podburst may add fields without a new version.
func ReadJSON(in io.Reader) (Report, error) {
	data, err := io.ReadAll(io.LimitReader(in, MaxReportSize+1))
	if err != nil {
		return Report{}, fmt.Errorf("read report: %w", err)
	}
	if len(data) > MaxReportSize {
		return Report{}, fmt.Errorf("read report: it is larger than %d bytes", MaxReportSize)
	}
	var version struct {
		SchemaVersion string `json:"schemaVersion"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return Report{}, fmt.Errorf("read report: %w", err)
	}
	if version.SchemaVersion != SchemaVersion {
		return Report{}, fmt.Errorf("read report: it is of schema %q and this podburst reads only %q; podburst report writes it anew from the run's raw/", version.SchemaVersion, SchemaVersion)
	}
	var r Report
	if err := json.Unmarshal(data, &r); err != nil {
		return Report{}, fmt.Errorf("read report: %w", err)
	}
	for i := range r.Bursts { // report.json says it once
		r.Bursts[i].Analysis.MakespanSeconds = r.Bursts[i].MakespanSeconds
	}
	return r, nil
}
