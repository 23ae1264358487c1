package formats

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/reports"
)

// WriteRun writes to the run's folder dir everything that belongs there: the formats of
// EveryRun and, for a report built from a recording, a pods.jsonl beside each burst's
// recording. Files are written as Write does.
func WriteRun(fsys recording.FileSystem, dir string, r *reports.Report) error {
	_, err := Write(fsys, dir, r, dir, chosen(func(f Format) bool { return f.EveryRun }))
	return errors.Join(err, writePods(fsys, dir, r))
}

// WriteDraft writes the formats that show the state of a run in progress. They are small
// and are rewritten after every burst.
func WriteDraft(fsys recording.FileSystem, dir string, r *reports.Report) error {
	_, err := Write(fsys, dir, r, dir, chosen(func(f Format) bool { return f.Draft }))
	return err
}

func chosen(which func(Format) bool) (formats []Format) {
	for _, f := range All() {
		if which(f) {
			formats = append(formats, f)
		}
	}
	return formats
}

func writePods(fsys recording.FileSystem, dir string, r *reports.Report) error {
	var errs []error
	for i := range r.Bursts {
		if r.Timeline(i) == nil {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(r.Bursts[i].Path), recording.PodsFile)
		if err := recording.WriteFile(fsys, path, func(w io.Writer) error { return r.WritePods(w, i) }); err != nil {
			errs = append(errs, fmt.Errorf("write reports: %w", err))
		}
	}
	return errors.Join(errs...)
}

// Write writes the files of the formats into dir and returns their paths. Each file is
// complete or absent (recording.WriteFile). If one fails, because the disk is full or a
// number is not finite, the others are still written. run is the run's own folder.
func Write(fsys recording.FileSystem, dir string, r *reports.Report, run string, formats []Format) (paths []string, err error) {
	var errs []error
	for _, format := range formats {
		for _, f := range format.Files(r, run) {
			path := filepath.Join(dir, filepath.FromSlash(f.Path))
			if err := recording.WriteFile(fsys, path, f.Write); err != nil {
				errs = append(errs, fmt.Errorf("write reports: %w", err))
				continue
			}
			paths = append(paths, path)
		}
	}
	return paths, errors.Join(errs...)
}

// Print writes the file of a format that has only one. dir is the run's folder.
func (f Format) Print(w io.Writer, r *reports.Report, dir string) error {
	if f.Folder {
		return fmt.Errorf("%s is a folder of files and cannot be printed", f.Name)
	}
	return f.Files(r, dir)[0].Write(w)
}
