//go:build integration && linux

package embedded

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/eventually"
)

func TestTwoClustersSideBySide(t *testing.T) {
	base := t.TempDir()
	provider := newTestProvider(t, base)
	both := make([]*Cluster, 2)
	var group sync.WaitGroup
	for i, name := range []string{"default", "tuned"} {
		group.Go(func() {
			made, err := provider.Create(t.Context(), shipped(t, name))
			if err != nil {
				t.Error(err)
				return
			}
			both[i] = made.(*Cluster)
			// The test's own context has ended by then.
			t.Cleanup(func() { _ = made.Delete(context.Background()) })
		})
	}
	group.Wait()
	if t.Failed() {
		return
	}
	for i, c := range both {
		effective, err := c.EffectiveConfig(t.Context())
		if err != nil {
			t.Error(err)
		}
		if found := clusters.Mismatches(c.Profile(), effective, c.Instances()); len(found) != 0 {
			t.Errorf("%s: %q", c.Name(), found)
		}
		if got := effective["kube-controller-manager"].KubeAPIQPS; got != []float64{20, 150}[i] {
			t.Errorf("%s: the controller manager has QPS %v", c.Name(), got)
		}
	}
	t.Run("delete with an ended context removes one and leaves the other", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := both[0].Delete(ctx); err != nil {
			t.Error(err)
		}
		if left := must(os.ReadDir(base))(t); len(left) != 1 || !strings.HasSuffix(both[1].Dir(), left[0].Name()) {
			t.Errorf("left are %v, want %s", left, both[1].Dir())
		}
	})
	t.Run("a port that is taken is known from what each component says", func(t *testing.T) { testTakenPorts(t, both[1]) })
	if err := both[1].Delete(t.Context()); err != nil {
		t.Error(err)
	}
	empty(t, base)
}

// testTakenPorts checks that Create would start over.
func testTakenPorts(t *testing.T, c *Cluster) {
	// Backwards: instances that others need stop last.
	for _, instance := range slices.Backward(c.Instances()) {
		t.Run(instance.String(), func(t *testing.T) {
			if err := c.StopComponent(t.Context(), instance); err != nil {
				t.Fatal(err)
			}
			other := must(listen(c.settings.ports.port(instance)))(t)
			defer other.Close()
			err := c.StartComponent(t.Context(), instance)
			var taken *portTakenError
			if !errors.As(err, &taken) || taken.instance != instance {
				t.Errorf("StartComponent = %v, want it known that the port is taken", err)
			}
		})
	}
}

func TestCreateThatIsCanceledLeavesNothing(t *testing.T) {
	base := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	steps := 0
	provider := New(Options{Binary: os.Getenv(binaryEnv), BaseDir: base, Progress: func(string) {
		if steps++; steps == 2 { // All components are being started.
			cancel()
		}
	}})
	if _, err := provider.Create(ctx, shipped(t, "default")); !errors.Is(err, context.Canceled) {
		t.Errorf("Create = %v, want context.Canceled", err)
	}
	empty(t, base)
}

func TestComponentThatRefusesItsFlagsIsReported(t *testing.T) {
	base := t.TempDir()
	profile := shipped(t, "default")
	profile.Spec.KubeScheduler.ExtraArgs = map[string]string{"no-such-flag": "1"}
	_, err := newTestProvider(t, base).Create(t.Context(), profile)
	if err == nil || !strings.Contains(err.Error(), "kube-scheduler ended: exit status 1") || !strings.Contains(err.Error(), "unknown flag: --no-such-flag") {
		t.Errorf("Create = %v, want the scheduler's own words", err)
	}
	empty(t, base)
}

// clusterHelper makes the test binary play a process that dies with a cluster.
const clusterHelper = "PODBURST_TEST_CLUSTER_HELPER"

// TestClusterHelper is not a test: it is the process that the next test kills.
func TestClusterHelper(t *testing.T) {
	base := os.Getenv(clusterHelper)
	if base == "" {
		t.Skip("only runs as a child of another test")
	}
	made, err := New(Options{Binary: os.Getenv(binaryEnv), BaseDir: base}).Create(t.Context(), shipped(t, "default"))
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range made.(*Cluster).pids() {
		fmt.Printf("pid %d\n", pid)
	}
	select {}
}

func TestNothingOfAClusterIsLeftAfterKill9(t *testing.T) {
	base := t.TempDir()
	helper := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestClusterHelper$", "-test.v")
	helper.Env = append(os.Environ(), clusterHelper+"="+base)
	output, err := helper.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := helper.Start(); err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(output)
	var children []int
	for range 6 { // etcd, API server, controller manager, scheduler, two kubelets
		children = append(children, readPID(t, scanner))
	}
	if err := helper.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = helper.Wait() // It fails, as it should.
	for _, pid := range children {
		eventually.True(t, "process "+itoa(pid)+" has ended", func() bool { return gone(pid) })
	}
	eventually.True(t, "the folder is removed", func() bool {
		left, _ := filepath.Glob(filepath.Join(base, "*"))
		return len(left) == 0
	})
}

// BenchmarkCreateDelete measures a cluster's life: create-s is until every node
// takes pods, delete-s until nothing is left.
func BenchmarkCreateDelete(b *testing.B) {
	provider := New(Options{Binary: os.Getenv(binaryEnv), BaseDir: b.TempDir()})
	profile := shipped(b, "default")
	var deleting float64
	for b.Loop() {
		made, err := provider.Create(b.Context(), profile)
		if err != nil {
			b.Fatal(err)
		}
		created := b.Elapsed()
		if err := made.Delete(b.Context()); err != nil {
			b.Fatal(err)
		}
		deleting += (b.Elapsed() - created).Seconds()
	}
	b.ReportMetric((b.Elapsed().Seconds()-deleting)/float64(b.N), "create-s")
	b.ReportMetric(deleting/float64(b.N), "delete-s")
}

// listeners returns the addresses that the process listens on, from the
// kernel's socket tables and the process's descriptors.
func listeners(t *testing.T, pid int) []net.IP {
	t.Helper()
	inodes := map[string]bool{}
	for _, link := range must(filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid)))(t) {
		target, err := os.Readlink(link)
		if inode, ok := strings.CutPrefix(target, "socket:["); err == nil && ok {
			inodes[strings.TrimSuffix(inode, "]")] = true
		}
	}
	var found []net.IP
	for _, table := range []string{"tcp", "tcp6", "udp", "udp6"} {
		text := must(os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table)))(t)
		for line := range bytes.Lines(text) {
			fields := strings.Fields(string(line))
			if len(fields) < 10 || !inodes[fields[9]] {
				continue
			}
			const tcpListens, udpUnconnected = "0A", "07"
			if state := fields[3]; state != tcpListens && (state != udpUnconnected || !strings.HasPrefix(table, "udp")) {
				continue
			}
			host, _, _ := strings.Cut(fields[1], ":")
			found = append(found, socketIP(t, host))
		}
	}
	return found
}

// socketIP decodes an address of /proc/net: 32-bit words in the host's order.
func socketIP(t *testing.T, text string) net.IP {
	t.Helper()
	raw := must(hex.DecodeString(text))(t)
	ip := make(net.IP, len(raw))
	for i := 0; i < len(raw); i += 4 {
		binary.NativeEndian.PutUint32(ip[i:], binary.BigEndian.Uint32(raw[i:]))
	}
	return ip
}
