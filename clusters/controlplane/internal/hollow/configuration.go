package hollow

import (
	"fmt"
	"path/filepath"

	"k8s.io/component-base/configz"
	"k8s.io/kubelet/config/v1beta1"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	kubeletscheme "k8s.io/kubernetes/pkg/kubelet/apis/config/scheme"

	"github.com/podburst/podburst/clusters/controlplane/internal/fakeruntime"
)

// adaptToHollowNode turns off in a kubelet's configuration what needs a real
// machine. The rest stays as the command line or the kubelet's defaults say.
func adaptToHollowNode(c *kubeletconfig.KubeletConfiguration, rootDir string) {
	// The one port is the TLS one.
	c.EnableServer = true
	c.ReadOnlyPort = 0
	c.HealthzPort = 0
	// The machine's own logs are none of a hollow node's business.
	c.EnableSystemLogHandler = false

	c.PodLogsDir = filepath.Join(rootDir, "pod-logs")
	// There are no container log files to rotate; a negative size is the
	// kubelet's way to say so.
	c.ContainerLogMaxSize = "-1"
	c.ContainerRuntimeEndpoint = "in-process:" + fakeruntime.Name
	c.VolumePluginDir = filepath.Join(rootDir, "volume-plugins")

	c.CgroupsPerQOS = false
	c.EnforceNodeAllocatable = nil
	c.FailCgroupV1 = false
	c.FailSwapOn = false
	c.ProtectKernelDefaults = false
	c.MakeIPTablesUtilChains = false
	// Nothing is used up on a simulated machine, so nothing is ever evicted.
	c.EvictionHard = map[string]string{}
	c.LocalStorageCapacityIsolation = false

	// A kubelet without a cluster DNS sends a Warning event for every pod, which
	// no node of a normal cluster does. Nobody answers at this address.
	c.ClusterDNS = []string{"10.96.0.10"}
	c.ClusterDomain = "cluster.local"
	c.ResolverConfig = ""
}

// publishConfiguration makes the effective configuration readable at /configz,
// under the name and in the form that the kubelet has there.
func publishConfiguration(c *kubeletconfig.KubeletConfiguration) error {
	scheme, _, err := kubeletscheme.NewSchemeAndCodecs()
	if err != nil {
		return fmt.Errorf("make the scheme of the kubelet's configuration: %w", err)
	}
	versioned := &v1beta1.KubeletConfiguration{}
	if err := scheme.Convert(c, versioned, nil); err != nil {
		return fmt.Errorf("convert the kubelet's configuration: %w", err)
	}
	versioned.SetGroupVersionKind(v1beta1.SchemeGroupVersion.WithKind("KubeletConfiguration"))
	published, err := configz.New("kubeletconfig")
	if err != nil {
		return fmt.Errorf("publish the kubelet's configuration: %w", err)
	}
	if err := published.Set(versioned); err != nil {
		return fmt.Errorf("publish the kubelet's configuration: %w", err)
	}
	return nil
}
