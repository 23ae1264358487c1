package nodeimage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/podburst/podburst/internal/command"
)

// suite is the Debian release of the root file system. Its systemd still starts
// on a host with cgroup v1, which later ones refuse.
const suite = "bookworm"

// packages are what a node needs beyond Debian's minimal base: an init, what
// kubeadm and the kubelet call, what reads metrics within the node (curl), and
// the low-level container runtime with its network plugins.
var packages = []string{
	"ca-certificates", "conntrack", "containernetworking-plugins", "curl", "dbus", "ebtables", "ethtool",
	"iproute2", "iptables", "kmod", "libseccomp2", "procps", "runc", "socat", "systemd", "systemd-sysv",
}

// leftOut is what the layer does without: caches, documentation, whatever
// belongs to one running machine, and the units that a Debian starts by default.
var leftOut = regexp.MustCompile(`^(` + strings.Join([]string{
	`(dev|proc|sys|run|tmp|var/tmp|var/cache/apt|var/lib/apt/lists|var/cache/debconf|var/log)/.*`,
	`usr/share/(doc|man|locale|info|lintian|bug)(/.*)?`,
	`etc/systemd/system/.*\.wants(/.*)?`,
	`etc/(machine-id|hostname|resolv\.conf)`,
	`var/lib/dbus/machine-id`,
	`debootstrap(/.*)?`,
}, "|") + `)$`)

var debootstrapStep = regexp.MustCompile(`^I: (Retrieving|Validating|Extracting|Unpacking|Configuring)`)

// rootfs returns the tar of the root file system and makes it first if the
// cache does not hold it.
func (o Options) makeRootfs(ctx context.Context, in inputs, work string) (path string, err error) {
	path = filepath.Join(o.CacheDir, "rootfs-"+in.rootfs+".tar")
	if _, err := os.Stat(path); err == nil {
		o.say("root file system: kept from an earlier build")
		return path, nil
	}
	o.say("root file system: debootstrap %s with %d packages, about 2 min", suite, len(packages))
	root := filepath.Join(work, "rootfs")
	args := []string{"debootstrap", "--variant=minbase", "--include=" + strings.Join(packages, ","), suite, root}
	if o.Mirror != "" {
		args = append(args, o.Mirror)
	}
	describe := func(_ int, last string) string {
		if debootstrapStep.MatchString(last) {
			return strings.TrimPrefix(last, "I: ")
		}
		return "at work"
	}
	if err := o.follow(ctx, "root file system", "", o.Environ, describe, args...); err != nil {
		// The reason is in a log of its own, and the folder is about to go.
		if log, readErr := os.ReadFile(filepath.Join(root, "debootstrap", "debootstrap.log")); readErr == nil {
			err = fmt.Errorf("%w\n%s", err, command.LastLines(string(log), 12))
		}
		return "", err
	}
	layer, err := newLayer(filepath.Join(work, "rootfs.tar"))
	if err != nil {
		return "", err
	}
	err = layer.tree(root, "", func(name string) bool { return leftOut.MatchString(name) })
	if _, closeErr := layer.close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return "", fmt.Errorf("write the root file system: %w", err)
	}
	if err := o.forgetOlder("rootfs-*.tar"); err != nil {
		return "", err
	}
	return path, os.Rename(filepath.Join(work, "rootfs.tar"), path)
}

// forgetOlder removes cached files of the pattern: only the newest is of use.
func (o Options) forgetOlder(pattern string) error {
	old, err := filepath.Glob(filepath.Join(o.CacheDir, pattern))
	for _, path := range old {
		if removeErr := os.Remove(path); removeErr != nil && !errors.Is(removeErr, fs.ErrNotExist) {
			err = errors.Join(err, removeErr)
		}
	}
	return err
}
