package kind

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/podburst/podburst/clusters/nodeimage"
	"github.com/podburst/podburst/internal/command"
)

// engine is what this package needs from a container engine besides what kind
// does.
type engine interface {
	// version returns the engine's version, or an error if the engine does not
	// answer.
	version(ctx context.Context) (string, error)
	// image describes an image that the engine has, or returns errNoImage.
	image(ctx context.Context, name string) (image, error)
	// pull fetches an image from its registry.
	pull(ctx context.Context, name string) error
	// containers lists the nodes of a kind cluster, running or not; of all
	// clusters if name is empty.
	containers(ctx context.Context, cluster string) ([]container, error)
	// remove kills and removes containers and their volumes. Containers that are
	// already gone are not an error.
	remove(ctx context.Context, names []string) error
	// exec runs a program in a container.
	exec(ctx context.Context, container string, stdout io.Writer, args ...string) error
}

// image is a node image that the engine has.
type image struct {
	// Offline says that podburst built it (package nodeimage).
	Offline bool
	// Digest is its digest in a registry; empty if it was built here.
	Digest string
}

// container is one node.
type container struct {
	// ID is the engine's, in full.
	ID      string
	Name    string
	Cluster string
	// Role is "control-plane", "worker" or "external-load-balancer".
	Role string
	// ImageID is the content ID of the image that it was made from.
	ImageID string
	// Mount is the folder on this machine that is mounted at mountPoint. It is
	// empty for a container that podburst did not make.
	Mount   string
	Created time.Time
}

var errNoImage = errors.New("no such image")

// Errors that a caller may want to tell apart. Each is wrapped in a sentence
// that says what to do.
var (
	// ErrNoEngine: no Docker engine answers.
	ErrNoEngine = nodeimage.ErrNoEngine
	// ErrNoImage: the node image is not on this machine and cannot be pulled.
	ErrNoImage = errors.New("no node image")
	// ErrNameTaken: another cluster has the name.
	ErrNameTaken = errors.New("the cluster's name is taken")
	// ErrDiskFull: the engine ran out of disk space.
	ErrDiskFull = errors.New("the Docker engine is out of disk space")
)

// docker is the engine that the docker command talks to.
type docker struct {
	run command.Runner
}

// answerTimeout limits calls that a healthy engine answers at once.
const answerTimeout = 30 * time.Second

func (d docker) output(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	text, err := d.run.Output(ctx, command.Command{Args: append([]string{"docker"}, args...)})
	return text, explainEngine(err)
}

// do runs docker, whose output goes to stdout.
func (d docker) do(ctx context.Context, stdout io.Writer, args ...string) error {
	return explainEngine(d.run.Do(ctx, command.Command{Args: append([]string{"docker"}, args...), Stdout: stdout}))
}

// explainEngine says what to do about an engine that does not answer.
func explainEngine(err error) error {
	if err == nil {
		return nil
	}
	text := strings.ToLower(err.Error())
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%w: there is no docker command here; install Docker, or use PROVIDER=embedded, which needs none (%w)", ErrNoEngine, err)
	case strings.Contains(text, "permission denied while trying to connect to the docker"):
		return fmt.Errorf("%w to this user: add the user to the group docker and log in again, or run as root (%w)", ErrNoEngine, err)
	// Match Docker's own words: a program in a node may be refused a connection too.
	case strings.Contains(text, "cannot connect to the docker daemon"), strings.Contains(text, "error during connect:"):
		return fmt.Errorf("%w: start it, or set DOCKER_HOST, or use PROVIDER=embedded, which needs none (%w)", ErrNoEngine, err)
	case strings.Contains(text, "no space left on device"):
		return fmt.Errorf("%w: free some (docker system df shows what it holds) (%w)", ErrDiskFull, err)
	}
	return err
}

func (d docker) version(ctx context.Context) (string, error) {
	text, err := d.output(ctx, "version", "--format", "{{.Server.Version}}")
	return strings.TrimSpace(text), err
}

func (d docker) image(ctx context.Context, name string) (image, error) {
	text, err := d.output(ctx, "image", "inspect", "--format", "{{json .}}", name)
	if err != nil {
		if strings.Contains(strings.ToLower(err.Error()), "no such image") {
			return image{}, errNoImage
		}
		return image{}, err
	}
	var inspected struct {
		RepoDigests []string
		Config      struct{ Labels map[string]string }
	}
	if err := json.Unmarshal([]byte(text), &inspected); err != nil {
		return image{}, fmt.Errorf("read docker image inspect of %s: %w", name, err)
	}
	var found image
	_, found.Offline = inspected.Config.Labels[nodeimage.InputsLabel]
	if len(inspected.RepoDigests) > 0 {
		// If several registries have names for it, always pick the same one.
		found.Digest = slices.Min(inspected.RepoDigests)
	}
	return found, nil
}

func (d docker) pull(ctx context.Context, name string) error {
	return d.do(ctx, io.Discard, "pull", "--quiet", name)
}

// kind's own labels on its containers.
const (
	clusterLabel = "io.x-k8s.kind.cluster"
	roleLabel    = "io.x-k8s.kind.role"
)

func (d docker) containers(ctx context.Context, cluster string) ([]container, error) {
	filter := "label=" + clusterLabel
	if cluster != "" {
		filter += "=" + cluster
	}
	text, err := d.output(ctx, "ps", "--all", "--quiet", "--no-trunc", "--filter", filter)
	if err != nil {
		return nil, err
	}
	ids := strings.Fields(text)
	if len(ids) == 0 {
		return nil, nil
	}
	text, err = d.output(ctx, append([]string{"inspect", "--type", "container"}, ids...)...)
	// One may have gone meanwhile; docker then prints the others and fails.
	if err != nil && !isGone(err) {
		return nil, err
	}
	return parseContainers(text)
}

// isGone reports whether an error only means that a container is gone or is
// being removed.
func isGone(err error) bool {
	text := strings.ToLower(err.Error())
	return strings.Contains(text, "no such container") || strings.Contains(text, "no such object") ||
		strings.Contains(text, "is already in progress")
}

// parseContainers reads what `docker inspect` prints.
func parseContainers(text string) ([]container, error) {
	var inspected []struct {
		ID      string `json:"Id"`
		Name    string
		Image   string
		Created time.Time
		Config  struct{ Labels map[string]string }
		Mounts  []struct{ Source, Destination string }
	}
	if err := json.Unmarshal([]byte(text), &inspected); err != nil {
		return nil, fmt.Errorf("read docker inspect: %w", err)
	}
	found := make([]container, 0, len(inspected))
	for _, c := range inspected {
		node := container{ID: c.ID, Name: strings.TrimPrefix(c.Name, "/"), Cluster: c.Config.Labels[clusterLabel], Role: c.Config.Labels[roleLabel], ImageID: c.Image, Created: c.Created}
		for _, mount := range c.Mounts {
			if mount.Destination == mountPoint {
				node.Mount = mount.Source
			}
		}
		found = append(found, node)
	}
	return found, nil
}

// removeTimeout limits the removal of a cluster's containers: a node with a
// hundred pods takes seconds on a busy machine.
const removeTimeout = 3 * time.Minute

func (d docker) remove(ctx context.Context, names []string) error {
	if len(names) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, removeTimeout)
	defer cancel()
	err := d.do(ctx, io.Discard, append([]string{"rm", "--force", "--volumes"}, names...)...)
	if err != nil && isGone(err) {
		return nil
	}
	return err
}

func (d docker) exec(ctx context.Context, container string, stdout io.Writer, args ...string) error {
	return d.do(ctx, stdout, append([]string{"exec", container}, args...)...)
}
