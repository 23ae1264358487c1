package kind

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/podburst/podburst/clusters"
)

// lookTimeout limits one look at the API server.
const lookTimeout = 15 * time.Second

// awaitNodes waits until every node is registered and Ready.
func (c *Cluster) awaitNodes(ctx context.Context) error {
	deadline, cancel := context.WithTimeout(ctx, c.options.ReadyTimeout)
	defer cancel()
	ticker := time.NewTicker(c.options.pause)
	defer ticker.Stop()
	for {
		missing, err := c.unready(deadline)
		if err == nil && len(missing) == 0 {
			return nil
		}
		select {
		case <-ticker.C:
			continue
		case <-deadline.Done():
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return c.explainUnready(ctx, missing, err)
	}
}

// unready says why, for each node that is not Ready.
func (c *Cluster) unready(ctx context.Context) (map[string]string, error) {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	registered, err := c.client.nodes(ctx)
	if err != nil {
		return nil, fmt.Errorf("list nodes: %w", err)
	}
	missing := map[string]string{}
	for _, node := range c.nodes {
		reason, ok := registered[node]
		if !ok {
			reason = "it never joined the cluster"
		}
		if reason != "" {
			missing[node] = reason
		}
	}
	return missing, nil
}

// explainUnready adds the last lines of each missing node's kubelet.
func (c *Cluster) explainUnready(ctx context.Context, missing map[string]string, err error) error {
	if err != nil {
		return fmt.Errorf("nodes are not Ready after %s: %w", c.options.ReadyTimeout, err)
	}
	names := make([]string, 0, len(missing))
	for name := range missing {
		names = append(names, name)
	}
	slices.Sort(names)
	var errs []error
	for _, name := range names {
		said := c.lastLines(ctx, clusters.Instance{Component: clusters.Kubelet, Node: name})
		errs = append(errs, fmt.Errorf("node %s is not Ready after %s: %s\n%s", name, c.options.ReadyTimeout, missing[name], strings.TrimRight(said, "\n")))
	}
	return errors.Join(errs...)
}
