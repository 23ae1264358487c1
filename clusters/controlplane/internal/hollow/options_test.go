package hollow

import (
	"strings"
	"testing"

	cliflag "k8s.io/component-base/cli/flag"

	"github.com/spf13/pflag"
)

// parse reads a command line as the command does.
func parse(t *testing.T, args ...string) (*options, error) {
	t.Helper()
	o, err := newOptions()
	if err != nil {
		t.Fatal(err)
	}
	var named cliflag.NamedFlagSets
	o.addFlags(&named)
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, set := range named.FlagSets {
		flags.AddFlagSet(set)
	}
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	return o, o.complete(flags)
}

var required = []string{"--name=node-1", "--kubeconfig=node-1.conf", "--root-dir=node-1", "--port=10251", "--client-ca-file=ca.crt"}

func TestUnsetFlagsLeaveTheKubeletsOwnDefaults(t *testing.T) {
	o, err := parse(t, required...)
	if err != nil {
		t.Fatal(err)
	}
	k := o.kubelet
	if k.KubeAPIQPS != 50 || k.KubeAPIBurst != 100 || k.EventRecordQPS != 50 || k.EventBurst != 100 {
		t.Errorf("limits are %d/%d and, for events, %d/%d; want 50/100 and 50/100", k.KubeAPIQPS, k.KubeAPIBurst, k.EventRecordQPS, k.EventBurst)
	}
	if k.MaxPods != 110 || !k.SerializeImagePulls || k.MaxParallelImagePulls != nil {
		t.Errorf("pods %d, serial pulls %v, parallel pulls %v; want 110, true and unset", k.MaxPods, k.SerializeImagePulls, k.MaxParallelImagePulls)
	}
	if k.Authentication.Anonymous.Enabled || k.Authorization.Mode != "Webhook" {
		t.Errorf("anonymous access %v, authorization %s", k.Authentication.Anonymous.Enabled, k.Authorization.Mode)
	}
}

func TestParallelImagePullsTurnSerialOnesOffAsInTheKubelet(t *testing.T) {
	for _, test := range []struct {
		name     string
		args     []string
		serial   bool
		parallel int32 // 0: unset
	}{
		{"two at a time", []string{"--max-parallel-image-pulls=2"}, false, 2},
		{"one at a time is serial", []string{"--max-parallel-image-pulls=1"}, true, 1},
		{"zero is unset", []string{"--max-parallel-image-pulls=0"}, true, 0},
		{"both said", []string{"--max-parallel-image-pulls=1", "--serialize-image-pulls=false"}, false, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			o, err := parse(t, append(test.args, required...)...)
			if err != nil {
				t.Fatal(err)
			}
			var parallel int32
			if o.kubelet.MaxParallelImagePulls != nil {
				parallel = *o.kubelet.MaxParallelImagePulls
			}
			if o.kubelet.SerializeImagePulls != test.serial || parallel != test.parallel {
				t.Errorf("serial %v, parallel %d; want %v, %d", o.kubelet.SerializeImagePulls, parallel, test.serial, test.parallel)
			}
		})
	}
}

func TestOptionsThatCannotBeAreRefusedByName(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		want []string // each is in the error
	}{
		{"nothing given", nil, []string{"--name is", "--kubeconfig is", "--root-dir is", "--port is", "--client-ca-file is"}},
		{"an address that others can reach", append([]string{"--address=0.0.0.0"}, required...), []string{"--address", "loopback"}},
		{"a node address that others can reach", append([]string{"--node-ip=192.0.2.1"}, required...), []string{"--node-ip", "loopback"}},
		{"a certificate without its key", append([]string{"--tls-cert-file=a.crt"}, required...), []string{"--tls-private-key-file"}},
		{"a name that no node can have", append(required[1:], "--name=Node_1"), []string{"--name"}},
		{"a machine without processors", append([]string{"--machine-cpus=0"}, required...), []string{"--machine-cpus"}},
		{"no operation could run", append([]string{"--runtime-parallelism=0"}, required...), []string{"parallelism"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := parse(t, test.args...)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error does not mention %q: %v", want, err)
				}
			}
		})
	}
}
