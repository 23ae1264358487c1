package causes

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/internal/span"
)

// NoteFile is the note's name in the run's folder.
const NoteFile = "cause.json"

// Note says what the lab did to the bursts of a recording.
type Note struct {
	Seed int64 `json:"seed"`
	// Bursts are in the order in which they were sent.
	Bursts []BurstNote `json:"bursts"`
}

// BurstNote says what was done to one burst. Times are the observer's clock.
type BurstNote struct {
	// Cause is the name of the cause that the burst has or, for one without it, that it is
	// compared with.
	Cause   string `json:"cause"`
	Profile string `json:"profile"`
	Index   int    `json:"index"`
	// Injected is false for a burst without the cause.
	Injected bool `json:"injected"`
	// Spans are when the injected thing was at work: a webhook with a request, etcd
	// stopped, the nodes full.
	Spans []span.Span `json:"spans,omitempty"`
	// Pods are when each pod was let go, by name.
	Pods map[string]span.Span `json:"pods,omitempty"`
}

// Write stores the note in a run's folder.
func (n *Note) Write(dir string) error {
	return recording.WriteJSON(recording.Disk{}, filepath.Join(dir, NoteFile), n)
}

// ReadNote reads a run's note.
func ReadNote(dir string) (Note, error) {
	var n Note
	data, err := os.ReadFile(filepath.Join(dir, NoteFile))
	if err == nil {
		err = json.Unmarshal(data, &n)
	}
	if err != nil {
		return n, fmt.Errorf("read the note of %s: %w; name a folder that the lab has written", dir, err)
	}
	return n, nil
}

// Find lists the folders below dir that hold a run with a note.
func Find(dir string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && entry.Name() == NoteFile {
			found = append(found, filepath.Dir(path))
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for recordings: %w", err)
	}
	return found, nil
}

// holds is how much of the window the injected thing was at work.
func (n *BurstNote) holds(from, to time.Time) time.Duration {
	return span.Union(append([]span.Span(nil), n.Spans...), 0).Within(span.Span{From: from, To: to})
}
