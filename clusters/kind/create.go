package kind

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"sigs.k8s.io/kind/pkg/apis/config/v1alpha4"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/nodeimage"
)

// creating serializes creates in this process: two at once would each take
// twice as long, and kind's setup of the engine's network is not safe for it.
var creating = make(chan struct{}, 1)

// Create implements clusters.Provider. It starts the nodes, lets kubeadm set
// them up, and waits until all are Ready. On failure or when ctx ends,
// everything is removed; the logs of a failure are kept in Options.LogsDir.
func (p *Provider) Create(ctx context.Context, profile clusters.Profile) (clusters.Cluster, error) {
	c, err := p.options.create(ctx, profile.WithDefaults())
	if err != nil {
		return nil, fmt.Errorf("create cluster %q: %w", profile.Metadata.Name, err)
	}
	return c, nil
}

func (o Options) create(ctx context.Context, profile clusters.Profile) (*Cluster, error) {
	if err := profile.Validate(); err != nil {
		return nil, err
	}
	asked, err := imageOf(profile)
	if err != nil {
		return nil, err
	}
	select {
	case creating <- struct{}{}:
		defer func() { <-creating }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if _, err := o.engine.version(ctx); err != nil {
		return nil, err
	}
	name, found, err := o.findImage(ctx, asked)
	if err != nil {
		return nil, err
	}
	if err := refuse(profile, found.Offline); err != nil {
		return nil, err
	}
	plan := plan{image: name, offline: found.Offline, profile: profile}
	if plan.name, err = o.clusterName(profile); err != nil {
		return nil, err
	}
	if err := o.checkName(ctx, plan.name); err != nil {
		return nil, err
	}
	s, err := o.newState(plan.name, profile)
	if err != nil {
		return nil, err
	}
	plan.shared = s.shared()
	config, err := plan.config()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.dir))
	}

	began := o.now()
	o.Progress(fmt.Sprintf("cluster %s: starting %d nodes of %s", plan.name, len(config.Nodes), name))
	c, err := o.start(ctx, plan, config, s)
	if err != nil {
		return nil, o.giveUp(ctx, err, plan.name, s)
	}
	o.Progress(fmt.Sprintf("cluster %s: %d nodes Ready after %s", plan.name, len(config.Nodes), o.now().Sub(began).Round(100*time.Millisecond)))
	return c, nil
}

// start makes the nodes and waits until all are Ready.
func (o Options) start(ctx context.Context, plan plan, config *v1alpha4.Cluster, s state) (*Cluster, error) {
	if err := o.make(ctx, config, s); err != nil {
		return nil, err
	}
	nodes, err := o.engine.containers(ctx, plan.name)
	if err != nil {
		return nil, err
	}
	client, err := o.client(s.kubeconfig())
	if err != nil {
		return nil, err
	}
	c := newCluster(o, plan, s, nodes, client)
	return c, c.awaitNodes(ctx)
}

// make runs kind. kind cannot be told to stop: when ctx ends, its nodes are
// removed from under it until it gives up.
func (o Options) make(ctx context.Context, config *v1alpha4.Cluster, s state) error {
	done := make(chan error, 1)
	go func() { done <- o.maker.create(config, s.kubeconfig()) }()
	select {
	case err := <-done:
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return explainMaker(err)
	case <-ctx.Done():
	}
	o.Progress(fmt.Sprintf("cluster %s: stopped; removing what there is of it", config.Name))
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), removeTimeout)
	defer cancel()
	ticker := time.NewTicker(o.pause)
	defer ticker.Stop()
	for {
		select {
		case err := <-done:
			_ = err // Its nodes were removed from under it.
			return context.Cause(ctx)
		case <-ticker.C:
			// A failure shows in the removal that follows.
			_, _ = o.removeNodes(after, config.Name)
		case <-after.Done():
			return fmt.Errorf("%w; kind has not come back since, and may still start nodes: run `podburst clusters clean` later", context.Cause(ctx))
		}
	}
}

// giveUp keeps the logs of a cluster that could not be made, and removes the
// cluster.
func (o Options) giveUp(ctx context.Context, err error, name string, s state) error {
	// A user who interrupts wants it to end, not logs.
	if ctx.Err() == nil {
		err = o.withKubeletErrors(ctx, err, name)
		dir := filepath.Join(o.LogsDir, name)
		if logErr := o.maker.collectLogs(name, dir); logErr == nil {
			err = fmt.Errorf("%w\nlogs of its nodes are kept in %s", err, dir)
		}
	}
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), removeTimeout)
	defer cancel()
	if removeErr := o.remove(after, name, s.dir); removeErr != nil {
		err = errors.Join(err, fmt.Errorf("remove what there is of it: %w; run `podburst clusters clean` when the engine answers", removeErr))
	}
	return err
}

// withKubeletErrors adds the last error that each node's kubelet logged:
// kubeadm only says that it timed out.
func (o Options) withKubeletErrors(ctx context.Context, err error, name string) error {
	nodes, listErr := o.engine.containers(ctx, name)
	if listErr != nil {
		return err
	}
	for _, node := range nodes {
		var log bytes.Buffer
		if o.engine.exec(ctx, node.Name, &log, "journalctl", "--unit=kubelet", "--no-pager", "--quiet", "--output=cat", "--lines=200") != nil {
			continue // No such node, or no journal in it.
		}
		if errors := kubeletError.FindAll(log.Bytes(), -1); len(errors) > 0 {
			err = fmt.Errorf("%w\nkubelet of %s: %s", err, node.Name, errors[len(errors)-1])
		}
	}
	return err
}

// kubeletError is a line of klog's levels error and fatal.
var kubeletError = regexp.MustCompile(`(?m)^[EF]\d{4} .*$`)

// defaultImages are the node images for a profile that names none, best first:
// the one made for machines without a registry, then kind's own default.
func defaultImages() []string {
	return []string{nodeimage.Tag(clusters.DefaultVersion), PublishedImage}
}

// findImage returns the node image to use, pulled if necessary.
func (o Options) findImage(ctx context.Context, asked string) (name string, found image, err error) {
	wanted := []string{asked}
	if asked == "" {
		wanted = defaultImages()
	}
	for _, name = range wanted {
		if found, err = o.engine.image(ctx, name); !errors.Is(err, errNoImage) {
			return name, found, err
		}
	}
	own := nodeimage.Tag(clusters.DefaultVersion)
	if name == own {
		return name, found, fmt.Errorf("%w: the engine does not have %s; `make node-image` builds it", ErrNoImage, own)
	}
	o.Progress(fmt.Sprintf("pulling node image %s", name))
	if err := o.engine.pull(ctx, name); err != nil {
		if ctx.Err() != nil || errors.Is(err, ErrNoEngine) || errors.Is(err, ErrDiskFull) {
			return name, found, err
		}
		return name, found, fmt.Errorf("%w: %s is not on this machine and cannot be pulled; `make node-image` builds %s, which needs no registry\n%w", ErrNoImage, name, own, err)
	}
	found, err = o.engine.image(ctx, name)
	return name, found, err
}

// checkName refuses a name that another cluster has, whoever made it.
func (o Options) checkName(ctx context.Context, name string) error {
	nodes, err := o.engine.containers(ctx, name)
	if err != nil || len(nodes) == 0 {
		return err
	}
	whose := "a kind cluster that podburst did not make; it is left alone: take another name"
	if isOurs(nodes) {
		whose = "another podburst cluster; `podburst clusters list` shows it"
	}
	return fmt.Errorf("%w: %s is the name of %s", ErrNameTaken, name, whose)
}

// refuse says which parts of a profile this provider cannot do.
func refuse(profile clusters.Profile, offline bool) error {
	var errs []error
	if n := *profile.Spec.Topology.ControlPlanes; n > 1 && offline {
		errs = append(errs, fmt.Errorf("topology.controlPlanes is %d: more than 1 needs kind's load balancer image beside podburst's own node image; name a published nodeImage (kindest/node) for that", n))
	}
	errs = append(errs, checkPatches(profile.Spec.Kind.KubeadmConfigPatches, offline))
	return errors.Join(errs...)
}
