package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/command"
)

// portTries is how many times Create tries if a port is taken between its
// choice and its use.
const portTries = 3

// Create implements clusters.Provider.
func (p *Provider) Create(ctx context.Context, profile clusters.Profile) (clusters.Cluster, error) {
	cluster, err := p.create(ctx, profile)
	if err != nil {
		// Not cluster: a nil *Cluster in an interface is not nil.
		return nil, fmt.Errorf("create cluster %q: %w", profile.Metadata.Name, err)
	}
	return cluster, nil
}

func (p *Provider) create(ctx context.Context, profile clusters.Profile) (*Cluster, error) {
	if err := refuse(profile); err != nil {
		return nil, err
	}
	binary, err := checkBinary(p.options.Binary)
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		cluster, err := p.try(ctx, profile, binary)
		if err == nil {
			return cluster, nil
		}
		var taken *portTakenError
		if !errors.As(err, &taken) || try == portTries || ctx.Err() != nil {
			return nil, err
		}
		p.options.Progress(fmt.Sprintf("embedded %s: %s lost its port to another program; starting over with other ports", profile.Metadata.Name, taken.instance))
	}
}

// portTakenError is a start that failed because a port was no longer free.
type portTakenError struct {
	instance clusters.Instance
	err      error
}

func (e *portTakenError) Error() string { return e.err.Error() }
func (e *portTakenError) Unwrap() error { return e.err }

// try makes one attempt, and removes everything if it fails.
func (p *Provider) try(ctx context.Context, profile clusters.Profile, binary string) (*Cluster, error) {
	began := time.Now()
	s := newSettings(profile)
	s.schedulerFields = p.options.SchedulerConfiguration
	var err error
	if s.ports, err = pickPorts(p.ports, s.workers); err != nil {
		return nil, err
	}
	if s.layout, err = newStateDir(p.options.BaseDir, binary, profile, p.options.Now()); err != nil {
		return nil, err
	}
	c := &Cluster{
		name:     filepath.Base(s.layout.dir),
		profile:  profile,
		settings: s,
		grace:    p.options.StopGrace,
		progress: p.options.Progress,
		lives:    map[clusters.Instance]*process{},
	}
	if err := c.start(ctx, p.options); err != nil {
		// The caller's context may have ended: the removal must still happen.
		return nil, errors.Join(err, c.Delete(context.WithoutCancel(ctx)))
	}
	c.say("%d nodes ready after %.1f s", len(s.workers), time.Since(began).Seconds())
	return c, nil
}

// start brings the cluster up in its folder.
func (c *Cluster) start(ctx context.Context, options Options) error {
	var err error
	if c.reaper, err = startReaper(c.settings.layout.dir); err != nil {
		return err
	}
	if c.credentials, err = writeCredentials(c.settings, c.name, options.Now()); err != nil {
		return err
	}
	if err := os.WriteFile(c.settings.layout.auditPolicy(), clusters.AuditPolicy, 0o600); err != nil {
		return fmt.Errorf("write the audit policy: %w", err)
	}
	if err := c.settings.writeSchedulerConfiguration(); err != nil {
		return err
	}
	c.endpoint, c.etcdEndpoint = newEndpoint(c.credentials.tls), newEndpoint(c.credentials.etcdTLS)

	ctx, cancel := context.WithTimeoutCause(ctx, options.ReadyTimeout, fmt.Errorf("the cluster is not ready after %s", options.ReadyTimeout))
	defer cancel()
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)

	// Starting in sequence is not slower: on two cores the API server's start uses
	// all the CPU, and components that wait for it retry with growing pauses.
	c.say("starting etcd and kube-apiserver")
	etcd, apiServer := clusters.Instance{Component: clusters.Etcd}, clusters.Instance{Component: clusters.KubeAPIServer}
	if err := c.launch(etcd, fail); err != nil {
		return err
	}
	if wanted := c.settings.spec.KubernetesVersion; wanted != "" {
		if err := checkVersion(ctx, c.settings.layout, wanted); err != nil {
			return err
		}
	}
	if err := c.awaitHealthy(ctx, etcd); err != nil {
		return err
	}
	if err := c.launch(apiServer, fail); err != nil {
		return err
	}
	if err := c.awaitHealthy(ctx, apiServer); err != nil {
		return err
	}

	c.say("starting kube-controller-manager, kube-scheduler and %d hollow kubelets", len(c.settings.workers))
	var others []clusters.Instance
	for _, instance := range c.settings.instances() {
		if instance != etcd && instance != apiServer {
			others = append(others, instance)
		}
	}
	for _, instance := range others {
		if err := c.launch(instance, fail); err != nil {
			return err
		}
	}
	client, err := kubernetes.NewForConfig(c.RESTConfig())
	if err != nil {
		return fmt.Errorf("make a client: %w", err)
	}
	err = await(ctx, "the nodes", func(ctx context.Context) error {
		return nodesReady(ctx, client, c.settings.workers)
	})
	if err != nil {
		return err
	}
	for _, instance := range others {
		if err := c.awaitHealthy(ctx, instance); err != nil {
			return err
		}
	}
	return nil
}

// launch starts an instance while the cluster comes up. If the instance ends
// before everything is ready, fail ends the wait with the reason.
func (c *Cluster) launch(instance clusters.Instance, fail context.CancelCauseFunc) error {
	p, err := c.startInstance(instance)
	if err != nil {
		return err
	}
	go func() {
		<-p.done
		if p.asked() {
			return
		}
		err := p.exitError()
		if p.addressInUse() {
			err = &portTakenError{instance: instance, err: err}
		}
		fail(err)
	}()
	return nil
}

func (c *Cluster) awaitHealthy(ctx context.Context, instance clusters.Instance) error {
	return await(ctx, instance.String(), func(ctx context.Context) error {
		_, err := c.get(ctx, instance, instance.Component.Health())
		return err
	})
}

// checkVersion compares the version that the profile asks for with the binary's.
func checkVersion(ctx context.Context, l layout, wanted string) error {
	output, err := command.Runner(command.Exec).Output(ctx, command.Command{
		Args: []string{l.program(string(clusters.KubeAPIServer)), "--version"}, Environ: environment(l),
	})
	if err != nil {
		return fmt.Errorf("ask the control-plane binary for its version: %w", err)
	}
	built := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(output), "Kubernetes"))
	if built != wanted {
		return fmt.Errorf("kubernetesVersion is %s, but the control-plane binary is built from %s: leave the field out, build another binary, or use PROVIDER=kind", wanted, built)
	}
	return nil
}
