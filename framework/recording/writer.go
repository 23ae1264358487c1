package recording

import (
	"crypto/rand"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Writer writes one run's folder. Its methods may be called concurrently; at any
// time, each file is whole or absent.
type Writer struct {
	fsys  FileSystem
	clock func() time.Time
	dir   string

	mu       sync.Mutex
	manifest Manifest
	// written is, by Burst.Path, which files each burst has, without the burst
	// itself.
	written map[string]storedBurst
}

// Option sets what tests replace.
type Option func(*options)

type options struct {
	fsys   FileSystem
	clock  func() time.Time
	random io.Reader
}

// WithFileSystem replaces Disk.
func WithFileSystem(fsys FileSystem) Option { return func(o *options) { o.fsys = fsys } }

// WithClock replaces time.Now.
func WithClock(clock func() time.Time) Option { return func(o *options) { o.clock = clock } }

// WithRandom replaces crypto/rand.Reader as the source of run ids.
func WithRandom(random io.Reader) Option { return func(o *options) { o.random = random } }

// Create creates the folder artifacts/<manifest.ID> and writes raw/run.json into it,
// which proves that the folder is writable before a cluster is started. An empty
// StartedAt becomes now, an empty ID a new one, and Version is set. An ID that cannot
// name a folder, or whose folder already holds a run, is refused.
func Create(artifacts string, manifest Manifest, opts ...Option) (*Writer, error) {
	o := options{fsys: Disk{}, clock: time.Now, random: rand.Reader}
	for _, opt := range opts {
		opt(&o)
	}
	if manifest.StartedAt.IsZero() {
		manifest.StartedAt = o.clock()
	}
	manifest.StartedAt = manifest.StartedAt.UTC()
	if manifest.ID == "" {
		id, err := NewRunID(manifest.StartedAt, o.random)
		if err != nil {
			return nil, err
		}
		manifest.ID = id
	}
	if err := checkRunID(manifest.ID); err != nil {
		return nil, fmt.Errorf("create run: %w", err)
	}
	w := &Writer{fsys: o.fsys, clock: o.clock, dir: filepath.Join(artifacts, manifest.ID), written: map[string]storedBurst{}}
	taken, err := o.fsys.Exists(w.path(rawFolder, manifestFile))
	if err == nil && taken {
		return nil, fmt.Errorf("create run: %s holds a run already; choose another run id or artifacts folder", w.dir)
	}
	if err == nil {
		err = w.WriteManifest(manifest)
	}
	if err != nil {
		return nil, fmt.Errorf("create run: the artifacts folder %s cannot be written; make it writable or name another one: %w", artifacts, err)
	}
	return w, nil
}

// checkRunID accepts what can name a folder as it stands. Unlike other names, a run
// ID is not rewritten, because people type it.
func checkRunID(id string) error {
	ok := len(id) <= maxPathName && id[0] != '.' && id[0] != '-'
	for _, r := range id {
		ok = ok && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.')
	}
	if !ok {
		return fmt.Errorf("run id %q: use letters, digits, '-', '_' and '.', at most %d of them, beginning with a letter or digit", id, maxPathName)
	}
	return nil
}

// Dir is the run's folder.
func (w *Writer) Dir() string { return w.dir }

// Manifest is the manifest as it was last written.
func (w *Writer) Manifest() Manifest {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.copyManifest()
}

func (w *Writer) copyManifest() Manifest {
	m := w.manifest
	m.Order = slices.Clone(m.Order)
	m.Profiles = slices.Clone(m.Profiles)
	return m
}

// WriteManifest replaces raw/run.json. The run's ID cannot change.
func (w *Writer) WriteManifest(m Manifest) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.writeManifest(m)
}

func (w *Writer) writeManifest(m Manifest) error {
	if w.manifest.ID != "" && m.ID != w.manifest.ID {
		return fmt.Errorf("write manifest: run %s cannot become run %s", w.manifest.ID, m.ID)
	}
	m.Version = Version
	if err := w.writeJSON(m, rawFolder, manifestFile); err != nil {
		return err
	}
	w.manifest = m
	w.manifest = w.copyManifest()
	return nil
}

// WriteProfile writes or replaces raw/<profile>/profile.json.
func (w *Writer) WriteProfile(p Profile) error {
	return w.writeJSON(p, rawFolder, PathName(p.Name), profileFile)
}

// WriteBurst writes the burst's folder and appends the burst to the manifest's order
// if it is not there yet. burst.json comes last: a folder without it was being
// written when the writer died. A burst is written once; UpdateBurst adds what is
// learned later.
func (w *Writer) WriteBurst(b Burst) error {
	folder := filepath.FromSlash(b.Path())
	stored := storedBurst{Burst: b, Lines: map[string]int{}}
	for _, s := range streams(&b) {
		if err := WriteFile(w.fsys, w.path(folder, s.file), s.encode); err != nil {
			return err
		}
		stored.Lines[s.file] = s.len()
	}
	stored.MetricsOf = slices.Sorted(maps.Keys(b.Metrics))
	for _, instance := range stored.MetricsOf {
		pair := b.Metrics[instance]
		before, after := metricsFiles(instance)
		if err := w.writeBytes(pair.Before, folder, metricsFolder, before); err != nil {
			return err
		}
		if err := w.writeBytes(pair.After, folder, metricsFolder, after); err != nil {
			return err
		}
	}
	stored.PprofOf = slices.Sorted(maps.Keys(b.CPUProfiles))
	for _, instance := range stored.PprofOf {
		if err := w.writeBytes(b.CPUProfiles[instance], folder, filepath.FromSlash(PprofFile(instance))); err != nil {
			return err
		}
	}
	if err := w.writeJSON(stored, folder, burstFile); err != nil {
		return err
	}

	w.mu.Lock()
	defer w.mu.Unlock()
	stored.Burst = Burst{} // only its files are remembered
	w.written[b.Path()] = stored
	if slices.Contains(w.manifest.Order, b.OrderName()) {
		return nil
	}
	m := w.copyManifest()
	m.Order = append(m.Order, b.OrderName())
	return w.writeManifest(m)
}

// UpdateBurst rewrites the burst.json of a burst that this writer has written, with
// what was learned since then (CleanupSeconds). The streams and metrics on disk stay
// as they are.
func (w *Writer) UpdateBurst(b Burst) error {
	w.mu.Lock()
	stored, written := w.written[b.Path()]
	w.mu.Unlock()
	if !written {
		return fmt.Errorf("update burst %s: it was not written before", b.OrderName())
	}
	stored.Burst = b
	return w.writeJSON(stored, filepath.FromSlash(b.Path()), burstFile)
}

// Finish records that the run came to its planned end. After Interrupt it changes
// nothing: such a run did not come to its planned end.
func (w *Writer) Finish() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.manifest.Interrupted != "" {
		return nil
	}
	m := w.copyManifest()
	now := w.clock().UTC()
	m.FinishedAt = &now
	return w.writeManifest(m)
}

// Interrupt records why the run ended early. The first reason stays.
func (w *Writer) Interrupt(reason string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.manifest.Interrupted != "" {
		return nil
	}
	m := w.copyManifest()
	m.FinishedAt = nil
	m.Interrupted = reason
	if reason == "" {
		m.Interrupted = "unknown reason"
	}
	return w.writeManifest(m)
}

func (w *Writer) path(elem ...string) string {
	return filepath.Join(append([]string{w.dir}, elem...)...)
}

func (w *Writer) writeJSON(v any, elem ...string) error {
	return WriteJSON(w.fsys, w.path(elem...), v)
}

func (w *Writer) writeBytes(data []byte, elem ...string) error {
	return WriteFile(w.fsys, w.path(elem...), func(out io.Writer) error {
		_, err := out.Write(data)
		return err
	})
}
