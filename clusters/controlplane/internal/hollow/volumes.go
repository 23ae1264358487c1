package hollow

import (
	"k8s.io/kubernetes/pkg/volume"
	"k8s.io/kubernetes/pkg/volume/configmap"
	"k8s.io/kubernetes/pkg/volume/downwardapi"
	"k8s.io/kubernetes/pkg/volume/emptydir"
	"k8s.io/kubernetes/pkg/volume/hostpath"
	"k8s.io/kubernetes/pkg/volume/projected"
	"k8s.io/kubernetes/pkg/volume/secret"
	"k8s.io/mount-utils"
)

// volumePlugins are those whose volumes come from the API server or are empty
// directories: the kubelet asks for their contents as on a real node, tokens of
// service accounts among them. A host path is taken as it is and neither
// checked nor made.
func volumePlugins() []volume.VolumePlugin {
	var plugins []volume.VolumePlugin
	plugins = append(plugins, configmap.ProbeVolumePlugins()...)
	plugins = append(plugins, downwardapi.ProbeVolumePlugins()...)
	plugins = append(plugins, emptydir.ProbeVolumePlugins()...)
	plugins = append(plugins, hostpath.FakeProbeVolumePlugins(volume.VolumeConfig{})...)
	plugins = append(plugins, projected.ProbeVolumePlugins()...)
	plugins = append(plugins, secret.ProbeVolumePlugins()...)
	return plugins
}

// mounter remembers mounts and performs none. The one that it is made of also
// remembers every call for ever, which a node that lives long cannot afford.
type mounter struct {
	*mount.FakeMounter
}

func newMounter() mounter { return mounter{mount.NewFakeMounter(nil)} }

// Mount implements mount.Interface.
func (m mounter) Mount(source, target, fstype string, options []string) error {
	defer m.ResetLog()
	return m.FakeMounter.Mount(source, target, fstype, options)
}

// MountSensitive implements mount.Interface.
func (m mounter) MountSensitive(source, target, fstype string, options, sensitive []string) error {
	defer m.ResetLog()
	return m.FakeMounter.MountSensitive(source, target, fstype, options, sensitive)
}

// MountSensitiveWithoutSystemd implements mount.Interface.
func (m mounter) MountSensitiveWithoutSystemd(source, target, fstype string, options, sensitive []string) error {
	defer m.ResetLog()
	return m.FakeMounter.MountSensitiveWithoutSystemd(source, target, fstype, options, sensitive)
}

// MountSensitiveWithoutSystemdWithMountFlags implements mount.Interface.
func (m mounter) MountSensitiveWithoutSystemdWithMountFlags(source, target, fstype string, options, sensitive, flags []string) error {
	defer m.ResetLog()
	return m.FakeMounter.MountSensitiveWithoutSystemdWithMountFlags(source, target, fstype, options, sensitive, flags)
}

// Unmount implements mount.Interface.
func (m mounter) Unmount(target string) error {
	defer m.ResetLog()
	return m.FakeMounter.Unmount(target)
}
