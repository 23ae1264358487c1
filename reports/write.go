package reports

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/podburst/podburst/framework/recording"
)

// Names of the report files in a run's folder.
const (
	JSONFile     = "report.json"
	JUnitFile    = "junit.xml"
	MarkdownFile = "summary.md"
)

// WriteAll writes the report files into the run's folder dir, each whole or not
// at all: report.json, junit.xml, summary.md and, for a report that came from
// Build, pods.jsonl beside each burst's recording.
func WriteAll(dir string, r Report) error {
	for _, f := range []struct {
		name  string
		write func(io.Writer, Report) error
	}{
		{JSONFile, WriteJSON},
		{JUnitFile, WriteJUnit},
		{MarkdownFile, WriteMarkdown},
	} {
		err := recording.WriteFile(recording.Disk{}, filepath.Join(dir, f.name), func(w io.Writer) error { return f.write(w, r) })
		if err != nil {
			return fmt.Errorf("write reports: %w", err)
		}
	}
	for i := range r.timelines {
		path := filepath.Join(dir, filepath.FromSlash(r.Bursts[i].Path), recording.PodsFile)
		err := recording.WriteFile(recording.Disk{}, path, func(w io.Writer) error { return writePods(w, &r.timelines[i], r.pulls[i]) })
		if err != nil {
			return fmt.Errorf("write reports: %w", err)
		}
	}
	return nil
}
