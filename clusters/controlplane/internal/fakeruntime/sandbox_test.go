package fakeruntime

import (
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

func sandboxStatus(t *testing.T, r *Runtime, id string) *runtimeapi.PodSandboxStatus {
	t.Helper()
	response, err := r.PodSandboxStatus(t.Context(), id, false)
	if err != nil {
		t.Fatal(err)
	}
	return response.Status
}

func TestStoppingASandboxEndsItsContainersAndGivesItsAddressBack(t *testing.T) {
	r := newRuntime(t, Options{})
	sandboxID, containerID := runPod(t, r, sandboxConfig("1", nil))
	if sandboxStatus(t, r, sandboxID).Network.Ip == "" {
		t.Error("a ready sandbox has no address")
	}
	if err := r.StopPodSandbox(t.Context(), sandboxID); err != nil {
		t.Fatal(err)
	}
	if s := sandboxStatus(t, r, sandboxID); s.State != runtimeapi.PodSandboxState_SANDBOX_NOTREADY || s.Network.Ip != "" {
		t.Errorf("the sandbox is %v with address %q", s.State, s.Network.Ip)
	}
	if c := containerStatus(t, r, containerID); c.State != runtimeapi.ContainerState_CONTAINER_EXITED {
		t.Errorf("the container is %v", c.State)
	}
	if len(r.addresses.inUse) != 0 {
		t.Errorf("addresses are still in use: %v", r.addresses.inUse)
	}
}

func TestStoppingAndRemovingWhatIsGoneSucceeds(t *testing.T) {
	r := newRuntime(t, Options{})
	for name, call := range map[string]func() error{
		"StopContainer":    func() error { return r.StopContainer(t.Context(), "gone", 1) },
		"RemoveContainer":  func() error { return r.RemoveContainer(t.Context(), "gone") },
		"StopPodSandbox":   func() error { return r.StopPodSandbox(t.Context(), "gone") },
		"RemovePodSandbox": func() error { return r.RemovePodSandbox(t.Context(), "gone") },
	} {
		if err := call(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAskingForWhatIsGoneIsNotFound(t *testing.T) {
	r := newRuntime(t, Options{})
	_, err := r.ContainerStatus(t.Context(), "gone", false)
	wantCode(t, err, codes.NotFound)
	_, err = r.PodSandboxStatus(t.Context(), "gone", false)
	wantCode(t, err, codes.NotFound)
	_, err = r.ContainerStats(t.Context(), "gone")
	wantCode(t, err, codes.NotFound)
	_, err = r.PodSandboxStats(t.Context(), "gone")
	wantCode(t, err, codes.NotFound)
}

// Pins the fault of the upstream fake, which keeps a record of every call.
func TestNothingIsKeptOfPodsThatWereRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRuntime(t, Options{ContainerLifetime: time.Hour})
		for i := range 1000 {
			sandboxID, containerID := runPod(t, r, sandboxConfig(fmt.Sprint(i), nil))
			if i%2 == 0 {
				if err := r.RemoveContainer(t.Context(), containerID); err != nil {
					t.Fatal(err)
				}
			}
			if err := r.RemovePodSandbox(t.Context(), sandboxID); err != nil {
				t.Fatal(err)
			}
		}
		if len(r.sandboxes.byID)+len(r.containers.byID)+len(r.addresses.inUse) != 0 {
			t.Errorf("%d sandboxes, %d containers and %d addresses are left", len(r.sandboxes.byID), len(r.containers.byID), len(r.addresses.inUse))
		}
	})
}

func TestPodsHaveAddressesOfTheirOwn(t *testing.T) {
	seen := map[string]string{}
	for _, node := range []string{"node-1", "node-2", "node-3"} {
		r := newRuntime(t, Options{NodeName: node})
		for i := range 500 {
			id, err := r.RunPodSandbox(t.Context(), sandboxConfig(fmt.Sprint(i), nil), "")
			if err != nil {
				t.Fatal(err)
			}
			address := sandboxStatus(t, r, id).Network.Ip
			if other, taken := seen[address]; taken {
				t.Fatalf("%s: address %s belongs to a pod of %s", node, address, other)
			}
			if !podNetwork.Contains(netip.MustParseAddr(address)) {
				t.Fatalf("address %s is outside of %s", address, podNetwork)
			}
			seen[address] = node
		}
	}
}

func TestAddressesThatAreInUseAreSkippedWhenThePoolStartsAnew(t *testing.T) {
	pool := newAddressPool("node")
	first := pool.take()
	// The network has 131,072 addresses: the pool comes round to the first.
	for range 131_072 {
		next := pool.take()
		if next == first {
			t.Fatalf("address %s was given twice", first)
		}
		pool.release(next)
	}
}

func TestAPodInTheNodesNetworkHasNoAddressOfItsOwn(t *testing.T) {
	r := newRuntime(t, Options{})
	config := sandboxConfig("1", nil)
	config.Linux = &runtimeapi.LinuxPodSandboxConfig{SecurityContext: &runtimeapi.LinuxSandboxSecurityContext{
		NamespaceOptions: &runtimeapi.NamespaceOption{Network: runtimeapi.NamespaceMode_NODE},
	}}
	id, err := r.RunPodSandbox(t.Context(), config, "")
	if err != nil {
		t.Fatal(err)
	}
	if ip := sandboxStatus(t, r, id).Network.Ip; ip != "" {
		t.Errorf("it has the address %s", ip)
	}
}

func TestSandboxesAreListedByWhatTheFilterSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRuntime(t, Options{SandboxLatency: time.Millisecond})
		first, _ := runPod(t, r, sandboxConfig("1", nil))
		second, _ := runPod(t, r, sandboxConfig("2", nil))
		if err := r.StopPodSandbox(t.Context(), first); err != nil {
			t.Fatal(err)
		}
		ready := &runtimeapi.PodSandboxStateValue{State: runtimeapi.PodSandboxState_SANDBOX_READY}
		for _, test := range []struct {
			name   string
			filter *runtimeapi.PodSandboxFilter
			want   []string
		}{
			{"no filter, oldest first", nil, []string{first, second}},
			{"by identifier", &runtimeapi.PodSandboxFilter{Id: first}, []string{first}},
			{"by state", &runtimeapi.PodSandboxFilter{State: ready}, []string{second}},
			{"by label", &runtimeapi.PodSandboxFilter{LabelSelector: map[string]string{"uid": "1"}}, []string{first}},
		} {
			list, err := r.ListPodSandbox(t.Context(), test.filter)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range list {
				got = append(got, s.Id)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%s: got %v, want %v", test.name, got, test.want)
			}
		}
	})
}

// For the race detector: a kubelet calls from many goroutines at once.
func TestTheRuntimeIsSafeForConcurrentUse(t *testing.T) {
	r := newRuntime(t, Options{ContainerLifetime: time.Microsecond, Parallelism: 4})
	var wait sync.WaitGroup
	for i := range 32 {
		wait.Go(func() {
			sandboxID, containerID := runPod(t, r, sandboxConfig(fmt.Sprint(i), nil))
			_, _ = r.ListContainers(t.Context(), nil)
			_, _ = r.ListPodSandboxStats(t.Context(), nil)
			_ = r.StopContainer(t.Context(), containerID, 1)
			_, _ = r.PodSandboxStatus(t.Context(), sandboxID, false)
			_ = r.RemovePodSandbox(t.Context(), sandboxID)
		})
	}
	wait.Wait()
}
