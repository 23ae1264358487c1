package hollow

import (
	"context"
	"time"

	cadvisorapi "github.com/google/cadvisor/lib/model"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet/cadvisor"
	"k8s.io/kubernetes/pkg/kubelet/cm"
)

// diskBytes is the size of the simulated machine's one disk.
const diskBytes = 1 << 40

// machine says what cAdvisor would say of the simulated machine.
type machine struct {
	nodeName   string
	processors int
	memory     resource.Quantity
}

var _ cadvisor.Interface = machine{}

func (machine) Start() error { return nil }

// MachineInfo implements cadvisor.Interface.
func (m machine) MachineInfo(klog.Logger) (*cadvisorapi.MachineInfo, error) {
	return &cadvisorapi.MachineInfo{
		NumCores:         m.processors,
		NumPhysicalCores: m.processors,
		NumSockets:       1,
		MemoryCapacity:   uint64(m.memory.Value()),
		MachineID:        m.nodeName,
		SystemUUID:       m.nodeName,
		BootID:           m.nodeName,
		InstanceID:       cadvisorapi.InstanceID(m.nodeName),
	}, nil
}

// VersionInfo implements cadvisor.Interface.
func (machine) VersionInfo() (*cadvisorapi.VersionInfo, error) {
	return &cadvisorapi.VersionInfo{KernelVersion: "hollow", ContainerOsVersion: "hollow node (podburst)"}, nil
}

// ContainerInfoV2 implements cadvisor.Interface: a control group in which
// nothing was ever used.
func (machine) ContainerInfoV2(name string, _ cadvisorapi.RequestOptions) (map[string]cadvisorapi.ContainerInfo, error) {
	return map[string]cadvisorapi.ContainerInfo{
		name: {Stats: []*cadvisorapi.ContainerStats{{Timestamp: time.Now()}}},
	}, nil
}

// GetRequestedContainersInfo implements cadvisor.Interface: no containers.
func (machine) GetRequestedContainersInfo(string, cadvisorapi.RequestOptions) (map[string]*cadvisorapi.ContainerInfo, error) {
	return map[string]*cadvisorapi.ContainerInfo{}, nil
}

// ImagesFsInfo implements cadvisor.Interface.
func (machine) ImagesFsInfo(context.Context) (cadvisorapi.FsInfo, error) { return emptyDisk(), nil }

// RootFsInfo implements cadvisor.Interface.
func (machine) RootFsInfo() (cadvisorapi.FsInfo, error) { return emptyDisk(), nil }

// ContainerFsInfo implements cadvisor.Interface.
func (machine) ContainerFsInfo(context.Context) (cadvisorapi.FsInfo, error) { return emptyDisk(), nil }

// GetDirFsInfo implements cadvisor.Interface.
func (machine) GetDirFsInfo(string) (cadvisorapi.FsInfo, error) { return emptyDisk(), nil }

func emptyDisk() cadvisorapi.FsInfo {
	inodes := uint64(1 << 26)
	return cadvisorapi.FsInfo{
		Timestamp:  time.Now(),
		Device:     "hollow",
		Mountpoint: "/",
		Capacity:   diskBytes,
		Available:  diskBytes,
		Inodes:     &inodes,
		InodesFree: &inodes,
	}
}

// containerManager is the kubelet's own stub, which touches no control group,
// with a disk: pods may request ephemeral storage.
type containerManager struct {
	cm.ContainerManager
}

// GetCapacity implements cm.ContainerManager.
func (containerManager) GetCapacity(klog.Logger, bool) v1.ResourceList {
	return v1.ResourceList{v1.ResourceEphemeralStorage: *resource.NewQuantity(diskBytes, resource.BinarySI)}
}

// NewPodContainerManager implements cm.ContainerManager.
func (m containerManager) NewPodContainerManager() cm.PodContainerManager {
	return podContainerManager{m.ContainerManager.NewPodContainerManager()}
}

// podContainerManager is the stub's, but pods have no control groups instead of
// unreadable ones: otherwise the kubelet logs two errors for each status that
// it computes.
type podContainerManager struct {
	cm.PodContainerManager
}

// GetPodCgroupConfig implements cm.PodContainerManager.
func (podContainerManager) GetPodCgroupConfig(*v1.Pod, v1.ResourceName) (*cm.ResourceConfig, error) {
	return nil, nil
}

// SetPodCgroupConfig implements cm.PodContainerManager.
func (podContainerManager) SetPodCgroupConfig(klog.Logger, *v1.Pod, *cm.ResourceConfig) error {
	return nil
}
