package nodeimage

import (
	"errors"
	"path/filepath"
	"slices"
)

// masked are units of a Debian that have no business in a container: they
// belong to hardware, to the host's kernel, or to logins.
var masked = []string{
	"console-getty.service", "dev-hugepages.mount", "dev-mqueue.mount", "e2scrub_reap.service", "getty.target",
	"kmod-static-nodes.service", "modprobe@.service", "proc-sys-fs-binfmt_misc.automount", "sys-fs-fuse-connections.mount",
	"sys-kernel-config.mount", "sys-kernel-debug.mount", "sys-kernel-tracing.mount", "systemd-binfmt.service",
	"systemd-firstboot.service", "systemd-hwdb-update.service", "systemd-logind.service", "systemd-modules-load.service",
	"systemd-random-seed.service", "systemd-remount-fs.service", "systemd-udev-trigger.service", "systemd-udevd.service",
	"systemd-udevd-control.socket", "systemd-udevd-kernel.socket",
}

// writeMachine fills the layer that makes the Debian root file system a node:
// programs, units and settings.
func writeMachine(l *layer, in inputs, built programs, pauseImage string) error {
	var errs []error
	file := func(name, from string, mode int64, replacements ...string) {
		text, err := readFile(from, replacements...)
		if err == nil {
			err = l.content(name, mode, []byte(text))
		}
		errs = append(errs, err)
	}
	const units = "etc/systemd/system/"

	errs = append(errs, l.content("kind/version", 0o644, []byte(in.version+"\n")))
	file("usr/local/bin/podburst-entrypoint", "entrypoint.sh", 0o755)
	file("usr/local/bin/podburst-cni", "cni.sh", 0o755)
	file("usr/local/bin/podburst-cgroups", "cgroups.sh", 0o755)
	file("etc/containerd/config.toml", "containerd.toml", 0o644, "@PAUSE@", pauseImage)
	file("etc/crictl.yaml", "crictl.yaml", 0o644)
	file("etc/default/kubelet", "kubelet.default", 0o644)
	file("etc/systemd/journald.conf.d/podburst.conf", "journald.conf", 0o644)
	file(units+"containerd.service", "containerd.service", 0o644)
	file(units+"kubelet.service", "kubelet.service", 0o644)
	file(units+"kubelet.service.d/10-kubeadm.conf", "kubelet-kubeadm.conf", 0o644)
	file(units+"podburst-cni.service", "cni.service", 0o644)
	for _, unit := range []string{"containerd.service", "kubelet.service", "podburst-cni.service"} {
		errs = append(errs, l.link(units+"multi-user.target.wants/"+unit, "/"+units+unit))
	}
	errs = append(errs, l.link(units+"default.target", "/lib/systemd/system/multi-user.target"))
	for _, unit := range masked {
		errs = append(errs, l.link(units+unit, "/dev/null"))
	}

	errs = append(errs, l.link("opt/cni/bin", "/usr/lib/cni"))
	names := make([]string, 0, len(built.runtime))
	for name := range built.runtime {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		errs = append(errs, l.copy(filepath.ToSlash(filepath.Join("usr/local/bin", name)), built.runtime[name]))
	}
	errs = append(errs, l.copy(binaryPath, built.node))
	for _, name := range []string{"kubeadm", "kubectl", "kubelet"} {
		errs = append(errs, l.link("usr/bin/"+name, "/"+binaryPath))
	}
	return errors.Join(errs...)
}
