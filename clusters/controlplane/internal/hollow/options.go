package hollow

import (
	"errors"
	"fmt"
	"net"
	"path/filepath"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
	cliflag "k8s.io/component-base/cli/flag"
	logsapi "k8s.io/component-base/logs/api/v1"
	kubeletoptions "k8s.io/kubernetes/cmd/kubelet/app/options"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"

	"github.com/podburst/podburst/clusters/controlplane/internal/fakeruntime"
)

// options are what the command line says.
type options struct {
	kubeconfig string
	nodeName   string
	rootDir    string
	nodeIP     string
	nodeLabels map[string]string
	cpus       int
	memory     resource.QuantityValue

	// kubelet holds every setting that the kubelet itself has, under the name
	// that it has there.
	kubelet *kubeletconfig.KubeletConfiguration
	// maxParallelImagePulls of 0 leaves the kubelet's own default.
	maxParallelImagePulls int32

	runtime fakeruntime.Options
}

func newOptions() (*options, error) {
	defaults, err := kubeletoptions.NewKubeletConfiguration()
	if err != nil {
		return nil, fmt.Errorf("make the kubelet's default configuration: %w", err)
	}
	// Where a kubelet's flags and its configuration file have different
	// defaults, the file's are the ones that clusters have.
	defaults.Address = "127.0.0.1"
	defaults.Port = 0
	defaults.Authentication.Anonymous.Enabled = false
	defaults.Authorization.Mode = kubeletconfig.KubeletAuthorizationModeWebhook
	return &options{
		nodeIP:     "127.0.0.1",
		nodeLabels: map[string]string{},
		// A machine of ordinary size: on a very large one a small pod does not
		// change the scheduler's whole-number score of the node, and all pods of
		// a burst land on the same one.
		cpus:    8,
		memory:  resource.QuantityValue{Quantity: resource.MustParse("32Gi")},
		kubelet: defaults,
		runtime: fakeruntime.Options{
			SandboxLatency: fakeruntime.DefaultSandboxLatency,
			CreateLatency:  fakeruntime.DefaultCreateLatency,
			StartLatency:   fakeruntime.DefaultStartLatency,
			Parallelism:    fakeruntime.DefaultParallelism,
		},
	}, nil
}

func (o *options) addFlags(flags *cliflag.NamedFlagSets) {
	node := flags.FlagSet("node")
	node.StringVar(&o.nodeName, "name", "", "Name of the node. Required.")
	node.StringVar(&o.kubeconfig, "kubeconfig", "", "Kubeconfig file of the node's user. Required.")
	node.StringVar(&o.rootDir, "root-dir", "", "Directory for all files of this kubelet; it is made if need be and not removed. Required.")
	node.StringVar(&o.nodeIP, "node-ip", o.nodeIP, "Address of the node, a loopback one, at which the API server reaches this kubelet.")
	node.Var(cliflag.NewMapStringString(&o.nodeLabels), "node-labels", "Labels of the node, as key=value pairs separated by commas.")
	node.IntVar(&o.cpus, "machine-cpus", o.cpus, "Processors of the simulated machine.")
	node.Var(&o.memory, "machine-memory", "Memory of the simulated machine.")
	node.Int32Var(&o.kubelet.MaxPods, "max-pods", o.kubelet.MaxPods, "Number of pods that the node takes.")
	node.Var(cliflag.NewMapStringBool(&o.kubelet.FeatureGates), "feature-gates", "Feature gates of the kubelet, as Name=true|false pairs separated by commas.")

	server := flags.FlagSet("server")
	server.StringVar(&o.kubelet.Address, "address", o.kubelet.Address, "Loopback address to listen on.")
	server.Int32Var(&o.kubelet.Port, "port", o.kubelet.Port, "TLS port to listen on. Required.")
	server.StringVar(&o.kubelet.TLSCertFile, "tls-cert-file", "", "Certificate to serve with. Without it and --tls-private-key-file a self-signed one is made below --root-dir.")
	server.StringVar(&o.kubelet.TLSPrivateKeyFile, "tls-private-key-file", "", "Private key of --tls-cert-file.")
	server.StringVar(&o.kubelet.Authentication.X509.ClientCAFile, "client-ca-file", "", "Authority that signs the certificates of those who may ask this kubelet; the API server is asked what each may do. Required: nobody is served without a certificate.")

	limits := flags.FlagSet("limits")
	limits.Int32Var(&o.kubelet.KubeAPIQPS, "kube-api-qps", o.kubelet.KubeAPIQPS, "Requests a second to the API server.")
	limits.Int32Var(&o.kubelet.KubeAPIBurst, "kube-api-burst", o.kubelet.KubeAPIBurst, "Requests to the API server that may go at once after a pause.")
	limits.Int32Var(&o.kubelet.EventRecordQPS, "event-qps", o.kubelet.EventRecordQPS, "Events a second. 0: no limit.")
	limits.Int32Var(&o.kubelet.EventBurst, "event-burst", o.kubelet.EventBurst, "Events that may go at once after a pause.")
	limits.BoolVar(&o.kubelet.SerializeImagePulls, "serialize-image-pulls", o.kubelet.SerializeImagePulls, "Pull one image at a time.")
	limits.Int32Var(&o.maxParallelImagePulls, "max-parallel-image-pulls", 0, "Number of images pulled at a time. 0: the kubelet's own default.")

	runtime := flags.FlagSet("simulated runtime")
	runtime.DurationVar(&o.runtime.SandboxLatency, "runtime-sandbox-latency", o.runtime.SandboxLatency, "How long making one pod sandbox takes.")
	runtime.DurationVar(&o.runtime.CreateLatency, "runtime-create-latency", o.runtime.CreateLatency, "How long creating one container takes.")
	runtime.DurationVar(&o.runtime.StartLatency, "runtime-start-latency", o.runtime.StartLatency, "How long starting one container takes.")
	runtime.IntVar(&o.runtime.Parallelism, "runtime-parallelism", o.runtime.Parallelism, "How many such operations run at once; others wait their turn.")
	runtime.DurationVar(&o.runtime.ImagePullLatency, "runtime-image-pull-latency", 0, "How long pulling one image takes; a node then lacks an image until it has pulled it. 0: every image is there, and pulls take no time.")
	runtime.DurationVar(&o.runtime.ContainerLifetime, "runtime-container-lifetime", 0, "End every container with exit code 0 that long after its start. 0: containers run until they are stopped.")

	logsapi.AddFlags(&o.kubelet.Logging, flags.FlagSet("logs"))
}

// complete sets what follows from other options, and then reports every option
// that is missing or cannot be.
func (o *options) complete(flags *pflag.FlagSet) error {
	var errs []error
	for _, required := range []string{"name", "kubeconfig", "root-dir", "port", "client-ca-file"} {
		if !flags.Changed(required) {
			errs = append(errs, fmt.Errorf("--%s is required", required))
		}
	}
	if problems := validation.IsDNS1123Subdomain(o.nodeName); flags.Changed("name") && problems != nil {
		errs = append(errs, fmt.Errorf("--name %q: %v", o.nodeName, problems))
	}
	for name, address := range map[string]string{"address": o.kubelet.Address, "node-ip": o.nodeIP} {
		if ip := net.ParseIP(address); ip == nil || !ip.IsLoopback() {
			errs = append(errs, fmt.Errorf("--%s %q is not a loopback address such as 127.0.0.1", name, address))
		}
	}
	if (o.kubelet.TLSCertFile == "") != (o.kubelet.TLSPrivateKeyFile == "") {
		errs = append(errs, errors.New("--tls-cert-file and --tls-private-key-file go together"))
	}
	if o.cpus < 1 || o.memory.Sign() <= 0 {
		errs = append(errs, fmt.Errorf("--machine-cpus %d and --machine-memory %s must be positive", o.cpus, &o.memory))
	}
	if err := o.runtime.Validate(); err != nil {
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}

	root, err := filepath.Abs(o.rootDir)
	if err != nil {
		return fmt.Errorf("find --root-dir %q: %w", o.rootDir, err)
	}
	o.rootDir = root
	o.runtime.NodeName = o.nodeName
	if flags.Changed("max-parallel-image-pulls") && o.maxParallelImagePulls != 0 {
		o.kubelet.MaxParallelImagePulls = &o.maxParallelImagePulls
		// The kubelet's own default when only this one is set.
		if !flags.Changed("serialize-image-pulls") {
			o.kubelet.SerializeImagePulls = o.maxParallelImagePulls < 2
		}
	}
	return nil
}
