package kind

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/podburst/podburst/clusters"
)

// isOurs recognizes a podburst cluster by the folder mounted into its nodes.
// (Its load balancer, if it has one, mounts nothing.)
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

// remove removes a cluster's containers, until no more appear, and then its
// folder. The caller has checked that the cluster is podburst's.
func (o Options) remove(ctx context.Context, name, dir string) error {
	ticker := time.NewTicker(o.pause)
	defer ticker.Stop()
	// A command that kind left running may still make a container, so after the
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

// List returns podburst's kind clusters on this machine, including those in
// use. It works without an engine too: it then returns the clusters that have a
// folder in BaseDir, with the error ErrNoEngine.
func List(ctx context.Context, options Options) ([]clusters.Leftover, error) {
	o, err := options.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("list kind clusters: %w", err)
	}
	found := map[string]*clusters.Leftover{}
	nodes, engineErr := o.engine.containers(ctx, "")
	for _, node := range nodes {
		if node.Mount == "" {
			continue
		}
		// The mounted folder shows it, even if BaseDir has changed since.
		left, ok := found[node.Cluster]
		if !ok {
			left = o.describe(filepath.Dir(node.Mount), node.Created)
			left.Cluster = node.Cluster
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
			continue // Not a cluster's folder, but the logs of failed ones, for example.
		}
		if info, err := entry.Info(); err == nil {
			found[entry.Name()] = o.describe(dir, info.ModTime())
		}
	}

	list := make([]clusters.Leftover, 0, len(found))
	for _, left := range found {
		slices.Sort(left.Nodes)
		list = append(list, *left)
	}
	slices.SortFunc(list, func(a, b clusters.Leftover) int { return a.Created.Compare(b.Created) })
	if engineErr != nil {
		return list, fmt.Errorf("list kind clusters: %w", engineErr)
	}
	return list, nil
}

// Clean removes the nodes and folders of clusters whose owners have died, and
// returns what it removed. Clusters in use, and kind clusters that podburst did
// not make, are left alone.
func Clean(ctx context.Context, options Options) ([]clusters.Leftover, error) {
	list, err := List(ctx, options)
	if err != nil {
		// If the engine does not answer, a folder may still belong to running nodes.
		return nil, err
	}
	o, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	return clusters.RemoveDead(ctx, list, func(ctx context.Context, left clusters.Leftover) error {
		return o.remove(ctx, left.Cluster, left.Path)
	})
}

// describe returns the cluster of a folder; made is when it was made if it has
// no record.
func (o Options) describe(dir string, made time.Time) *clusters.Leftover {
	left := clusters.Describe(dir, state{dir}.owner(), made, o.now())
	return &left
}
