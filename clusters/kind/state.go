package kind

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/podburst/podburst/clusters"
)

// state is a cluster's folder on this machine.
type state struct {
	dir string
}

// shared is mounted into every node, read-only; it holds no secret.
func (s state) shared() string { return filepath.Join(s.dir, "shared") }

// kubeconfig is the cluster administrator's, for this process only.
func (s state) kubeconfig() string { return filepath.Join(s.dir, "kubeconfig") }

func (s state) owner() string { return filepath.Join(s.shared(), "owner.json") }

// maxName is the longest cluster name that leaves room for the node's suffix in
// a host name of at most 63 characters.
const maxName = 48

// clusterName returns a unique name: two runs of one profile may share a machine.
func (o Options) clusterName(profile clusters.Profile) (string, error) {
	if o.Name != "" {
		return o.Name, nil
	}
	var random [4]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", err
	}
	suffix := "-" + hex.EncodeToString(random[:])
	name := "podburst-" + profile.Metadata.Name
	return name[:min(len(name), maxName-len(suffix))] + suffix, nil
}

// newState makes the cluster's folder with the files that its nodes mount.
func (o Options) newState(name string, profile clusters.Profile) (s state, err error) {
	s = state{dir: filepath.Join(o.BaseDir, name)}
	if err := os.MkdirAll(o.BaseDir, 0o755); err != nil {
		return s, fmt.Errorf("make the folder for clusters: %w", err)
	}
	// Mkdir, not MkdirAll: a folder that already exists belongs to another cluster.
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		if errors.Is(err, os.ErrExist) {
			return s, fmt.Errorf("%w: folder %s is there already; `podburst clusters clean` removes what a crash has left", ErrNameTaken, s.dir)
		}
		return s, fmt.Errorf("make the cluster's folder: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(s.dir))
		}
	}()
	if err := os.Mkdir(s.shared(), 0o755); err != nil {
		return s, err
	}
	return s, errors.Join(
		clusters.WriteOwner(s.owner(), clusters.Owner{Cluster: name, Profile: profile.Metadata.Name, RunID: o.RunID, Created: o.now().UTC()}, 0o644),
		os.WriteFile(filepath.Join(s.shared(), auditPolicyFile), clusters.AuditPolicy, 0o644),
	)
}
