package kind

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/podburst/podburst/clusters"
)

var _ clusters.ImageReader = (*Cluster)(nil)

// NodeImage implements clusters.ImageReader: the image that the engine made the
// cluster's nodes from. The tag may point to another one by now.
func (c *Cluster) NodeImage(ctx context.Context) (clusters.Image, error) {
	found, err := c.nodeImage(ctx)
	if err != nil {
		return clusters.Image{}, fmt.Errorf("read the node image of cluster %s: %w", c.plan.name, err)
	}
	return found, nil
}

func (c *Cluster) nodeImage(ctx context.Context) (clusters.Image, error) {
	nodes, err := c.options.engine.containers(ctx, c.plan.name)
	if err != nil {
		return clusters.Image{}, err
	}
	var ids []string
	for _, node := range nodes {
		if slices.Contains(c.nodes, node.Name) && !slices.Contains(ids, node.ImageID) {
			ids = append(ids, node.ImageID)
		}
	}
	switch {
	case len(ids) == 0:
		return clusters.Image{}, errors.New("the engine has none of its nodes")
	case len(ids) > 1:
		slices.Sort(ids)
		return clusters.Image{}, fmt.Errorf("its nodes are not of one image but of %s", strings.Join(ids, " and "))
	}
	image := clusters.Image{Name: c.plan.image, ID: ids[0]}
	known, err := c.options.engine.image(ctx, image.ID)
	switch {
	case errors.Is(err, errNoImage): // it was removed under the nodes, which keep what they need
	case err != nil:
		return clusters.Image{}, err
	default:
		image.Digest = known.Digest
	}
	return image, nil
}
