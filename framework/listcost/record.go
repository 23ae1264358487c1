package listcost

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/podburst/podburst/framework/fingerprint"
	"github.com/podburst/podburst/framework/recording"
)

// RecordingVersion is the format of raw/. A reader refuses others. Within a version,
// fields may be added but never change their meaning.
const RecordingVersion = "podburst.dev/listcost-recording/v1"

// Below a run's folder:
//
//	raw/listcost.json              Manifest
//	raw/<profile>/listcost.json    Observation
const (
	rawFolder = "raw"
	rawFile   = "listcost.json"
)

// maxRecording bounds how much of one file is read, in bytes: 1000 rounds of four
// sizes take about 20 MB.
const maxRecording = 64 << 20

// Manifest is what is known of a run as a whole.
type Manifest struct {
	Version string `json:"version"`
	// ID names the run and its folder.
	ID        string    `json:"id"`
	StartedAt time.Time `json:"startedAt"`
	// FinishedAt is nil until the run came to its planned end. Interrupted says why
	// it ended early.
	FinishedAt  *time.Time `json:"finishedAt,omitempty"`
	Interrupted string     `json:"interrupted,omitempty"`
	Seed        int64      `json:"seed"`
	Provider    string     `json:"provider"`
	// ProviderReason is the sentence that says why this provider was taken.
	ProviderReason string `json:"providerReason,omitempty"`
	// Profiles and Plan are what was to be measured.
	Profiles []string `json:"profiles"`
	Plan     Plan     `json:"plan"`
	// Environment is the machine's fingerprint.
	Environment fingerprint.Environment `json:"environment"`
}

// Recording is a run as it was recorded.
type Recording struct {
	Manifest Manifest
	// Observations are in the order of Manifest.Profiles. A profile has none if its
	// cluster did not start or the run ended before its turn.
	Observations []Observation
}

// recorder writes a run's folder.
type recorder struct {
	files recording.FileSystem
	dir   string
	Recording
}

// newRecorder creates the folder and writes the manifest, which proves that the
// folder is writable before a cluster is started.
func newRecorder(o Options) (*recorder, error) {
	started := o.Clock().UTC()
	id, err := recording.NewRunID(started, rand.Reader)
	if err != nil {
		return nil, err
	}
	r := &recorder{files: o.Files, dir: filepath.Join(o.Artifacts, id)}
	r.Manifest = Manifest{
		ID: id, StartedAt: started, Seed: o.Seed, Provider: o.Provider.Name(), ProviderReason: o.ProviderReason,
		Profiles: []string{}, Plan: o.Plan, Environment: o.Environment,
	}
	for _, p := range o.Profiles {
		r.Manifest.Profiles = append(r.Manifest.Profiles, p.Metadata.Name)
	}
	taken, err := o.Files.Exists(filepath.Join(r.dir, rawFolder))
	if err == nil && taken {
		err = errors.New("it holds a run already; start again")
	}
	if err == nil {
		err = r.writeManifest()
	}
	if err != nil {
		return nil, fmt.Errorf("make the run's folder %s: %w", r.dir, err)
	}
	return r, nil
}

func (r *recorder) writeManifest() error {
	r.Manifest.Version = RecordingVersion
	return recording.WriteJSON(r.files, filepath.Join(r.dir, rawFolder, rawFile), r.Manifest)
}

// keep records a profile's observation and replaces an earlier one.
func (r *recorder) keep(o Observation) error {
	i := slices.IndexFunc(r.Observations, func(known Observation) bool { return known.Profile == o.Profile })
	if i < 0 {
		r.Observations = append(r.Observations, o)
	} else {
		r.Observations[i] = o
	}
	return recording.WriteJSON(r.files, filepath.Join(r.dir, rawFolder, recording.PathName(o.Profile), rawFile), o)
}

// end records how the run ended: interrupted says why it ended early, if it did.
func (r *recorder) end(interrupted string, now time.Time) error {
	if r.Manifest.Interrupted = interrupted; interrupted == "" {
		now = now.UTC()
		r.Manifest.FinishedAt = &now
	}
	return r.writeManifest()
}

// Read reads the run in the folder dir. It fails if there is none, if another version
// recorded it, or if a file is not JSON or is larger than a recording can be. It does
// not leave dir, not even through symbolic links.
func Read(dir string) (Recording, error) {
	run, err := readFolder(dir)
	if err != nil {
		return Recording{}, fmt.Errorf("read list costs of %s: %w", dir, err)
	}
	return run, nil
}

func readFolder(dir string) (run Recording, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return run, err
	}
	defer func() { _ = root.Close() }()
	fsys := root.FS()
	manifest := rawFolder + "/" + rawFile
	err = recording.ReadJSON(fsys, manifest, maxRecording, &run.Manifest)
	switch v := run.Manifest.Version; {
	case errors.Is(err, fs.ErrNotExist):
		return run, fmt.Errorf("it has no %s: name a folder that podburst list-cost wrote", manifest)
	case err != nil:
		return run, err
	case v != RecordingVersion:
		return run, fmt.Errorf("%s is of format %q and this podburst reads only %q; use the podburst that recorded it", manifest, v, RecordingVersion)
	}
	for _, profile := range run.Manifest.Profiles {
		var o Observation
		name := rawFolder + "/" + recording.PathName(profile) + "/" + rawFile
		err := recording.ReadJSON(fsys, name, maxRecording, &o)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return run, err
		case o.Profile != profile:
			return run, fmt.Errorf("%s says that it is of profile %q", name, o.Profile)
		}
		run.Observations = append(run.Observations, o)
	}
	return run, nil
}
