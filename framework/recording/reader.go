package recording

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// Run is a recorded run.
type Run struct {
	Manifest Manifest
	// Profiles are in the manifest's order, followed by those it does not name.
	Profiles []Profile
	// Bursts are in the order they were submitted. Problems with a burst's files are
	// among its Problems.
	Bursts []Burst
	// Unfinished are burst folders, relative to the run's, that were being written
	// when the writer died: they have no burst.json.
	Unfinished []string
}

// Profile returns the profile of that name; ok is false if there is none.
func (r Run) Profile(name string) (p Profile, ok bool) {
	i := slices.IndexFunc(r.Profiles, func(p Profile) bool { return p.Name == name })
	if i < 0 {
		return Profile{}, false
	}
	return r.Profiles[i], true
}

// Read reads the run in the folder dir, the one that holds raw/.
//
// It fails if the run is unreadable: no manifest, another format version, a file that
// is not JSON or is larger than a recording can be. It never leaves dir, not even
// through symbolic links. A truncated stream is not an error: what is whole is kept,
// and the burst gets the problem truncated-recording. Unknown fields are ignored, so
// that a later podburst can add some without a new Version.
func Read(dir string) (Run, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Run{}, fmt.Errorf("read run: %w", err)
	}
	defer func() { _ = root.Close() }()
	run, err := read(root.FS(), defaultSizes())
	if errors.Is(err, errNoManifest) {
		if runs := runsBelow(root.FS()); len(runs) > 0 {
			err = fmt.Errorf("%w; it holds runs, name one of them: %s", err, strings.Join(runs, ", "))
		}
	}
	if err != nil {
		return Run{}, fmt.Errorf("read run %s: %w", dir, err)
	}
	return run, nil
}

var errNoManifest = errors.New("this is no run's folder: it has no " + rawFolder + "/" + manifestFile)

// runsBelow lists at most five run folders in an artifacts folder.
func runsBelow(fsys fs.FS) []string {
	found, err := fs.Glob(fsys, "*/"+rawFolder+"/"+manifestFile)
	if err != nil {
		return nil
	}
	var names []string
	for _, f := range found {
		name, _, _ := strings.Cut(f, "/")
		names = append(names, name)
	}
	if len(names) > 5 {
		names = append(names[:5], "…")
	}
	return names
}

func read(fsys fs.FS, limit sizes) (Run, error) {
	var run Run
	manifestPath := path.Join(rawFolder, manifestFile)
	if _, err := fs.Stat(fsys, manifestPath); errors.Is(err, fs.ErrNotExist) {
		return Run{}, errNoManifest
	}
	if err := ReadJSON(fsys, manifestPath, limit.document, &run.Manifest); err != nil {
		return Run{}, err
	}
	if v := run.Manifest.Version; !slices.Contains(versions, v) {
		return Run{}, fmt.Errorf("%s is of format %q and this podburst reads only %q; use the podburst that recorded it", manifestPath, v, versions)
	}
	folders, err := subfolders(fsys, rawFolder, limit.folders)
	if err != nil {
		return Run{}, err
	}
	for _, folder := range folders {
		if err := run.readProfile(fsys, folder, limit); err != nil {
			return Run{}, err
		}
	}
	run.sort()
	return run, nil
}

func (r *Run) readProfile(fsys fs.FS, folder string, limit sizes) error {
	var p Profile
	if err := ReadJSON(fsys, path.Join(folder, profileFile), limit.document, &p); err != nil {
		// If a cluster never came up, its folder has no bursts.
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		p.Name = ""
	}
	if _, twice := r.Profile(p.Name); twice && p.Name != "" {
		return fmt.Errorf("%s: profile %q was read from another folder already", folder, p.Name)
	}
	bursts, err := subfolders(fsys, folder, limit.folders)
	if err != nil {
		return err
	}
	for _, dir := range bursts {
		b, err := readBurst(fsys, dir, limit)
		if errors.Is(err, fs.ErrNotExist) {
			r.Unfinished = append(r.Unfinished, dir)
			continue
		}
		if err != nil {
			return err
		}
		if p.Name == "" {
			return fmt.Errorf("%s: the folder has bursts and no %s", folder, profileFile)
		}
		if b.Profile != p.Name || path.Base(dir) != b.Folder() {
			return fmt.Errorf("%s: %s says that it is %q of profile %q", dir, burstFile, b.Folder(), b.Profile)
		}
		r.Bursts = append(r.Bursts, b)
	}
	if p.Name != "" {
		r.Profiles = append(r.Profiles, p)
	}
	return nil
}

// readBurst wraps fs.ErrNotExist only if burst.json itself is missing.
func readBurst(fsys fs.FS, dir string, limit sizes) (Burst, error) {
	var stored storedBurst
	if err := ReadJSON(fsys, path.Join(dir, burstFile), limit.document, &stored); err != nil {
		return Burst{}, err
	}
	b := stored.burst()
	if b.Pods < 0 || b.Pods > limit.pods {
		return Burst{}, fmt.Errorf("%s: a burst of %d pods is out of range (0 to %d)", dir, b.Pods, limit.pods)
	}
	for _, s := range streams(&b) {
		want, written := stored.Lines[s.file]
		cut, err := readStream(fsys, path.Join(dir, s.file), limit, s.decode)
		switch {
		case errors.Is(err, fs.ErrNotExist) && !written:
		case errors.Is(err, fs.ErrNotExist):
			b.truncated(fmt.Sprintf("%s is gone; it was written with %d lines", s.file, want))
		case err != nil:
			return Burst{}, err
		case cut:
			b.truncated(fmt.Sprintf("%s ends within line %d", s.file, s.len()+1))
		case written && s.len() != want:
			b.truncated(fmt.Sprintf("%s has %d lines; it was written with %d", s.file, s.len(), want))
		}
	}
	for _, instance := range stored.MetricsOf {
		var pair MetricsPair
		before, after := metricsFiles(instance)
		for file, into := range map[string]*[]byte{before: &pair.Before, after: &pair.After} {
			data, err := readFile(fsys, path.Join(dir, metricsFolder, file), limit.metrics)
			if errors.Is(err, fs.ErrNotExist) {
				b.truncated(fmt.Sprintf("%s/%s is gone", metricsFolder, file))
				continue
			}
			if err != nil {
				return Burst{}, err
			}
			*into = data
		}
		if b.Metrics == nil {
			b.Metrics = make(map[string]MetricsPair, len(stored.MetricsOf))
		}
		b.Metrics[instance] = pair
	}
	for _, instance := range stored.PprofOf {
		data, err := readFile(fsys, path.Join(dir, PprofFile(instance)), limit.metrics)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			b.truncated(PprofFile(instance) + " is gone")
			continue
		case err != nil:
			return Burst{}, err
		}
		if b.CPUProfiles == nil {
			b.CPUProfiles = make(map[string][]byte, len(stored.PprofOf))
		}
		b.CPUProfiles[instance] = data
	}
	return b, nil
}

func (b *Burst) truncated(detail string) {
	b.Problems = append(b.Problems, Problem{Code: ProblemTruncatedRecording, Detail: detail})
}

// sort orders profiles and bursts by the manifest, then by name and index.
func (r *Run) sort() {
	rank := func(list []string, name string) int {
		if i := slices.Index(list, name); i >= 0 {
			return i
		}
		return len(list)
	}
	slices.SortStableFunc(r.Profiles, func(a, b Profile) int {
		return rank(r.Manifest.Profiles, a.Name) - rank(r.Manifest.Profiles, b.Name)
	})
	slices.SortStableFunc(r.Bursts, func(a, b Burst) int {
		if d := rank(r.Manifest.Order, a.OrderName()) - rank(r.Manifest.Order, b.OrderName()); d != 0 {
			return d
		}
		if d := strings.Compare(a.Profile, b.Profile); d != 0 {
			return d
		}
		return a.Index - b.Index
	})
}

// ReadJSON reads a JSON document of at most limit bytes from a regular file. Fields
// that v does not have are ignored.
func ReadJSON(fsys fs.FS, name string, limit int64, v any) error {
	data, err := readFile(fsys, name, limit)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
