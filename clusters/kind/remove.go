package kind

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// isOurs tells a podburst cluster by the folder mounted into its nodes. (Its
// load balancer, where it has one, mounts nothing.)
func isOurs(nodes []container) bool {
	return slices.ContainsFunc(nodes, func(c container) bool { return c.Mount != "" })
}

// removeNodes removes the containers of a cluster and returns how many it found.
func (o Options) removeNodes(ctx context.Context, name string) (int, error) {
	nodes, err := o.engine.containers(ctx, name)
	if err != nil || len(nodes) == 0 {
		return 0, err
	}
	names := make([]string, len(nodes))
	for i, node := range nodes {
		names[i] = node.Name
	}
	return len(names), o.engine.remove(ctx, names)
}

// remove removes a cluster's containers, until none comes any more, and its
// folder. The caller knows that the cluster is podburst's.
func (o Options) remove(ctx context.Context, name, dir string) error {
	ticker := time.NewTicker(o.pause)
	defer ticker.Stop()
	// A command that kind has left behind may yet make a container: after the
	// first empty look there is a second.
	for empty := 0; empty < 2; {
		count, err := o.removeNodes(ctx, name)
		switch {
		case err != nil:
			return err
		case count > 0 || o.busy(name):
			empty = 0
		default:
			empty++
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return os.RemoveAll(dir)
}

// Leftover is a cluster of podburst's on this machine.
type Leftover struct {
	// Cluster is its name, Profile and RunID what made it (empty if unknown).
	Cluster string `json:"cluster"`
	Profile string `json:"profile,omitempty"`
	RunID   string `json:"runID,omitempty"`
	// Nodes are the names of its containers; none if only its folder is left.
	Nodes []string `json:"nodes,omitempty"`
	// Path is its folder.
	Path string `json:"path"`
	// OwnerPID is the process that made it, 0 if it left no record.
	OwnerPID int `json:"ownerPID"`
	// Live says that the owner still runs, or that this cannot be known from here.
	Live bool `json:"live"`
	// Created is when it was made.
	Created time.Time `json:"created"`
}

// settling is how old a cluster without an owner's record must be before it
// counts as left: a younger one may just be in the making.
const settling = time.Minute

// List returns podburst's kind clusters of this machine, those in use included.
// It works without an engine too: then the clusters are those that have a folder
// in BaseDir, and the error is ErrNoEngine.
func List(ctx context.Context, options Options) ([]Leftover, error) {
	o, err := options.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("list kind clusters: %w", err)
	}
	found := map[string]*Leftover{}
	nodes, engineErr := o.engine.containers(ctx, "")
	for _, node := range nodes {
		if node.Mount == "" {
			continue
		}
		// The mount's folder tells it, also when BaseDir is another one today.
		left, ok := found[node.Cluster]
		if !ok {
			left = o.describe(filepath.Dir(node.Mount))
			left.Cluster = node.Cluster
			if left.OwnerPID == 0 {
				left.Created = node.Created
				left.Live = o.now().Sub(node.Created) < settling
			}
			found[node.Cluster] = left
		}
		left.Nodes = append(left.Nodes, node.Name)
	}
	entries, err := os.ReadDir(o.BaseDir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("list kind clusters: %w", err)
	}
	for _, entry := range entries {
		dir := filepath.Join(o.BaseDir, entry.Name())
		if _, err := os.Stat(state{dir}.shared()); err != nil || found[entry.Name()] != nil {
			continue // Not a cluster's, as the logs of failed ones are.
		}
		found[entry.Name()] = o.describe(dir)
	}

	list := make([]Leftover, 0, len(found))
	for _, left := range found {
		slices.Sort(left.Nodes)
		list = append(list, *left)
	}
	slices.SortFunc(list, func(a, b Leftover) int { return a.Created.Compare(b.Created) })
	if engineErr != nil {
		return list, fmt.Errorf("list kind clusters: %w", engineErr)
	}
	return list, nil
}

// Clean removes the clusters whose owners have died, nodes and folders, and
// returns what it removed. Clusters in use, and kind clusters that podburst did
// not make, are left alone.
func Clean(ctx context.Context, options Options) ([]Leftover, error) {
	list, err := List(ctx, options)
	if err != nil {
		// Without the engine a folder may still belong to running nodes.
		return nil, err
	}
	o, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	var removed []Leftover
	var errs []error
	for _, left := range list {
		if left.Live {
			continue
		}
		if err := o.remove(ctx, left.Cluster, left.Path); err != nil {
			errs = append(errs, fmt.Errorf("clean up cluster %s: %w", left.Cluster, err))
			continue
		}
		removed = append(removed, left)
	}
	return removed, errors.Join(errs...)
}

// describe reads the owner's record in a cluster's folder.
func (o Options) describe(dir string) *Leftover {
	left := &Leftover{Cluster: filepath.Base(dir), Path: dir}
	record, err := readOwner(state{dir}.owner())
	if err != nil {
		info, statErr := os.Stat(dir)
		if statErr == nil {
			left.Created = info.ModTime()
		}
		left.Live = statErr == nil && o.now().Sub(left.Created) < settling
		return left
	}
	left.Profile, left.RunID, left.OwnerPID, left.Created = record.Profile, record.RunID, record.PID, record.Created
	left.Live = record.alive()
	return left
}
