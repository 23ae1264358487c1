package hollow

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
	kubeletapp "k8s.io/kubernetes/cmd/kubelet/app"
	kubeletoptions "k8s.io/kubernetes/cmd/kubelet/app/options"
	"k8s.io/kubernetes/pkg/capabilities"
	"k8s.io/kubernetes/pkg/kubelet"
	"k8s.io/kubernetes/pkg/kubelet/apis/config/validation"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	kubeletutil "k8s.io/kubernetes/pkg/kubelet/util"
	"k8s.io/kubernetes/pkg/util/oom"
	"k8s.io/kubernetes/pkg/volume/util/hostutil"
	"k8s.io/kubernetes/pkg/volume/util/subpath"

	"github.com/podburst/podburst/clusters/controlplane/internal/fakeruntime"
	"github.com/podburst/podburst/clusters/controlplane/internal/rootdir"
)

// run runs the kubelet until ctx ends.
func run(ctx context.Context, o *options) error {
	adaptToHollowNode(o.kubelet, o.rootDir)
	if err := validation.ValidateKubeletConfiguration(o.kubelet, utilfeature.DefaultFeatureGate); err != nil {
		return fmt.Errorf("validate the kubelet's configuration: %w", err)
	}
	if err := os.MkdirAll(o.rootDir, 0o750); err != nil {
		return fmt.Errorf("make --root-dir: %w", err)
	}

	flags := kubeletoptions.NewKubeletFlags()
	flags.RootDirectory = o.rootDir
	flags.CertDirectory = filepath.Join(o.rootDir, "pki")
	flags.HostnameOverride = o.nodeName
	flags.NodeLabels = maps.Clone(o.nodeLabels)
	if err := kubeletoptions.ValidateKubeletFlags(flags); err != nil {
		return fmt.Errorf("validate the kubelet's flags: %w", err)
	}
	// The kubelet gives a node the addresses of the name that it takes for its
	// host's, and refuses loopback ones unless that name is one itself. So the
	// host is called by its address, and the label that would say so is put right.
	flags.NodeLabels[v1.LabelHostname] = o.nodeName

	clients, err := newClients(o.kubeconfig, o.kubelet)
	if err != nil {
		return err
	}
	dependencies, err := newDependencies(ctx, o, flags, clients)
	if err != nil {
		return err
	}
	if err := publishConfiguration(o.kubelet); err != nil {
		return err
	}

	swap := installRecorderSwap(dependencies, newRecorder(ctx, clients.events, o.nodeName))
	capabilities.Initialize(capabilities.Capabilities{AllowPrivileged: true})
	node, err := kubelet.NewMainKubelet(ctx,
		o.kubelet,
		dependencies,
		&flags.ContainerRuntimeOptions,
		o.nodeIP,
		types.NodeName(o.nodeName),
		nil, // node addresses: see above
		o.kubelet.ProviderID,
		flags.CloudProvider,
		flags.CertDirectory,
		flags.RootDirectory,
		o.kubelet.PodLogsDir,
		"", "", // image credential providers
		o.kubelet.RegisterNode,
		nil, // taints
		nil, // unsafe sysctls
		"",  // mounter path
		false, false,
		flags.MinimumGCAge,
		flags.MaxPerPodContainerCount,
		flags.MaxContainerCount,
		flags.NodeLabels,
		o.kubelet.NodeStatusMaxImages,
		false, // default seccomp profile
	)
	if err != nil {
		return fmt.Errorf("make the kubelet: %w", err)
	}
	if !swap.done {
		return errors.New("make the kubelet: it never asked for its tracer, so that it could not be given its event recorder; this kubelet version needs another way")
	}

	node.BirthCry()
	node.StartGarbageCollection(ctx)
	go node.Run(ctx, dependencies.PodConfig.Updates())
	go node.ListenAndServe(ctx, o.kubelet, dependencies.TLSConfig, dependencies.Auth, dependencies.TracerProvider)
	klog.FromContext(ctx).Info("Started hollow kubelet", "node", o.nodeName, "port", o.kubelet.Port)

	// There is nothing to take leave of: pods exist in this process only, and
	// the node object is for the cluster's owner to remove.
	<-ctx.Done()
	return nil
}

// newDependencies makes what a kubelet is given from outside: clients and
// authentication are real, the machine is simulated.
func newDependencies(ctx context.Context, o *options, flags *kubeletoptions.KubeletFlags, clients *clients) (*kubelet.Dependencies, error) {
	runtime, err := fakeruntime.New(o.runtime)
	if err != nil {
		return nil, fmt.Errorf("make the simulated runtime: %w", err)
	}
	files, err := rootdir.New(o.rootDir)
	if err != nil {
		return nil, err
	}
	tlsOptions, err := kubeletapp.InitializeTLS(ctx, flags, o.kubelet)
	if err != nil {
		return nil, fmt.Errorf("prepare the server's certificate: %w", err)
	}
	auth, runAuth, err := kubeletapp.BuildAuth(types.NodeName(o.nodeName), clients.authorization, *o.kubelet)
	if err != nil {
		return nil, fmt.Errorf("prepare the server's authentication: %w", err)
	}
	runAuth(ctx.Done())
	return &kubelet.Dependencies{
		Auth:                      auth,
		CAdvisorInterface:         machine{nodeName: o.nodeName, processors: o.cpus, memory: o.memory.Quantity},
		ContainerManager:          containerManager{cm.NewStubContainerManager()},
		EventClient:               clients.events,
		HeartbeatClient:           clients.heartbeat,
		KubeClient:                clients.kubelet,
		Mounter:                   newMounter(),
		HostUtil:                  hostutil.NewFakeHostUtil(nil),
		OOMAdjuster:               oom.NewFakeOOMAdjuster(),
		OSInterface:               files,
		ProbeManager:              probes{},
		Subpather:                 &subpath.FakeSubpath{},
		VolumePlugins:             volumePlugins(),
		TLSOptions:                tlsOptions,
		RemoteRuntimeService:      runtime,
		RemoteImageService:        fakeruntime.NewImages(o.runtime),
		PodStartupLatencyTracker:  kubeletutil.NewPodStartupLatencyTracker(),
		NodeStartupLatencyTracker: kubeletutil.NewNodeStartupLatencyTracker(klog.FromContext(ctx)),
	}, nil
}
