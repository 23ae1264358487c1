package clusters

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/podburst/podburst/internal/procfs"
)

// Leftover is a cluster that podburst made on this machine, in use or left
// behind by a crash.
type Leftover struct {
	// Cluster is its name; Profile and RunID are what made it, empty if unknown.
	Cluster string `json:"cluster"`
	Profile string `json:"profile,omitempty"`
	RunID   string `json:"runID,omitempty"`
	// Nodes are the names of its containers. It is empty if nodes are not
	// containers, or if only the folder is left.
	Nodes []string `json:"nodes,omitempty"`
	// Path is its folder.
	Path string `json:"path"`
	// OwnerPID is the pid of the process that made it, 0 if it left no record.
	OwnerPID int `json:"ownerPID"`
	// Live says that the owner still runs, or that this cannot be known from here
	// (another pid namespace). Such a cluster is never touched.
	Live bool `json:"live"`
	// Created is when it was made.
	Created time.Time `json:"created"`
}

// Owner is the record of the process that made a cluster, kept in its folder.
type Owner struct {
	procfs.Process
	Cluster string    `json:"cluster"`
	Profile string    `json:"profile"`
	RunID   string    `json:"runID,omitempty"`
	Created time.Time `json:"created"`
}

// WriteOwner records that this process owns the cluster.
func WriteOwner(path string, owner Owner, mode os.FileMode) error {
	owner.Process = procfs.Local().Self()
	text, err := json.Marshal(owner)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, mode)
}

// settling is how old a cluster without an owner's record must be before it
// counts as left behind: a younger one may still be starting.
const settling = time.Minute

// Describe returns what a folder and its owner's record say about a cluster.
// made is when the cluster was made, as far as that can be told without a
// record.
func Describe(dir, record string, made, now time.Time) Leftover {
	left := Leftover{Path: dir, Cluster: filepath.Base(dir), Created: made}
	text, err := os.ReadFile(record)
	var owner Owner
	if err == nil {
		err = json.Unmarshal(text, &owner)
	}
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, os.ErrNotExist) || errors.As(err, &syntax):
		left.Live = now.Sub(made) < settling
	case err != nil:
		left.Live = true // Another user's, say.
	default:
		left.Profile, left.RunID, left.OwnerPID, left.Created = owner.Profile, owner.RunID, owner.PID, owner.Created
		left.Live = procfs.Local().Alive(owner.Process)
	}
	return left
}

// RemoveDead removes the listed clusters whose owner has died, and returns
// them. Clusters in use are left alone. Every failure is reported.
func RemoveDead(ctx context.Context, list []Leftover, remove func(context.Context, Leftover) error) ([]Leftover, error) {
	var removed []Leftover
	var errs []error
	for _, left := range list {
		if left.Live {
			continue
		}
		if err := remove(ctx, left); err != nil {
			errs = append(errs, fmt.Errorf("clean up cluster %s (%s): %w", left.Cluster, left.Path, err))
			continue
		}
		removed = append(removed, left)
	}
	return removed, errors.Join(errs...)
}
