package fakeruntime

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// Every test runs in a synctest bubble: its time passes only while all its
// goroutines wait, so that latencies are exact.

func newRuntime(t *testing.T, options Options) *Runtime {
	t.Helper()
	if options.Parallelism == 0 {
		options.Parallelism = DefaultParallelism
	}
	r, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func sandboxConfig(uid string, annotations map[string]string) *runtimeapi.PodSandboxConfig {
	return &runtimeapi.PodSandboxConfig{
		Metadata:    &runtimeapi.PodSandboxMetadata{Name: "pod-" + uid, Namespace: "default", Uid: uid},
		Labels:      map[string]string{"uid": uid},
		Annotations: annotations,
	}
}

func containerConfig(name string) *runtimeapi.ContainerConfig {
	return &runtimeapi.ContainerConfig{
		Metadata: &runtimeapi.ContainerMetadata{Name: name},
		Image:    &runtimeapi.ImageSpec{Image: "example.com/image:1"},
		Labels:   map[string]string{"container": name},
	}
}

// runPod makes a sandbox with one container in it and starts that.
func runPod(t *testing.T, r *Runtime, config *runtimeapi.PodSandboxConfig) (sandboxID, containerID string) {
	t.Helper()
	sandboxID, err := r.RunPodSandbox(t.Context(), config, "")
	if err != nil {
		t.Fatal(err)
	}
	containerID, err = r.CreateContainer(t.Context(), sandboxID, containerConfig("c"), config)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.StartContainer(t.Context(), containerID); err != nil {
		t.Fatal(err)
	}
	return sandboxID, containerID
}

func containerStatus(t *testing.T, r *Runtime, id string) *runtimeapi.ContainerStatus {
	t.Helper()
	response, err := r.ContainerStatus(t.Context(), id, false)
	if err != nil {
		t.Fatal(err)
	}
	return response.Status
}

func wantCode(t *testing.T, err error, want codes.Code) {
	t.Helper()
	if got := status.Code(err); got != want {
		t.Errorf("error %v has code %v, want %v", err, got, want)
	}
}

func TestEachOperationTakesItsLatencyAndStampsTheTimeAtItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRuntime(t, Options{SandboxLatency: 20 * time.Millisecond, CreateLatency: 10 * time.Millisecond, StartLatency: 5 * time.Millisecond})
		start := time.Now()
		sandboxID, containerID := runPod(t, r, sandboxConfig("1", nil))

		sandbox, err := r.PodSandboxStatus(t.Context(), sandboxID, false)
		if err != nil {
			t.Fatal(err)
		}
		c := containerStatus(t, r, containerID)
		for _, stamp := range []struct {
			name  string
			nanos int64
			want  time.Duration
		}{
			{"sandbox created", sandbox.Status.CreatedAt, 20 * time.Millisecond},
			{"container created", c.CreatedAt, 30 * time.Millisecond},
			{"container started", c.StartedAt, 35 * time.Millisecond},
		} {
			if got := time.Unix(0, stamp.nanos).Sub(start); got != stamp.want {
				t.Errorf("%s after %v, want %v", stamp.name, got, stamp.want)
			}
		}
		if c.FinishedAt != 0 {
			t.Errorf("a running container has FinishedAt %d", c.FinishedAt)
		}
	})
}

func TestNothingExistsUntilItsLatencyIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRuntime(t, Options{SandboxLatency: time.Second})
		go func() { _, _ = r.RunPodSandbox(t.Context(), sandboxConfig("1", nil), "") }()
		time.Sleep(999 * time.Millisecond)
		if list, _ := r.ListPodSandbox(t.Context(), nil); len(list) != 0 {
			t.Errorf("the sandbox is listed before it was made: %v", list)
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if list, _ := r.ListPodSandbox(t.Context(), nil); len(list) != 1 {
			t.Errorf("%d sandboxes are listed after the latency, want 1", len(list))
		}
	})
}

// 5 sandboxes of 1 s, 2 at a time: they take ceil(5/2) = 3 s.
func TestOperationsBeyondTheParallelismWaitTheirTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRuntime(t, Options{SandboxLatency: time.Second, Parallelism: 2})
		start := time.Now()
		done := make(chan time.Duration, 5)
		for range 5 {
			go func() {
				if _, err := r.RunPodSandbox(t.Context(), sandboxConfig("1", nil), ""); err != nil {
					t.Error(err)
				}
				done <- time.Since(start)
			}()
		}
		for i, want := range []time.Duration{1, 1, 2, 2, 3} {
			if got := <-done; got != want*time.Second {
				t.Errorf("operation %d ended after %v, want %v", i, got, want*time.Second)
			}
		}
	})
}

func TestAnOperationThatIsCancelledHasNotHappened(t *testing.T) {
	for _, test := range []struct {
		name    string
		timeout time.Duration
	}{
		{"while it waits for a slot", 500 * time.Millisecond},
		{"while it runs", 1500 * time.Millisecond},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRuntime(t, Options{SandboxLatency: time.Second, Parallelism: 1})
				first := make(chan error, 1)
				go func() {
					_, err := r.RunPodSandbox(t.Context(), sandboxConfig("first", nil), "")
					first <- err
				}()
				synctest.Wait()

				ctx, cancel := context.WithTimeout(t.Context(), test.timeout)
				defer cancel()
				start := time.Now()
				_, err := r.RunPodSandbox(ctx, sandboxConfig("cancelled", nil), "")
				wantCode(t, err, codes.DeadlineExceeded)
				if took := time.Since(start); took != test.timeout {
					t.Errorf("it returned after %v, want %v", took, test.timeout)
				}
				if err := <-first; err != nil {
					t.Error(err)
				}
				if list, _ := r.ListPodSandbox(t.Context(), nil); len(list) != 1 {
					t.Errorf("%d sandboxes exist, want only the first", len(list))
				}
				// The slot is free again.
				if _, err := r.RunPodSandbox(t.Context(), sandboxConfig("next", nil), ""); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func TestOptionsThatCannotBeSimulatedAreRefused(t *testing.T) {
	for _, test := range []struct {
		name    string
		options Options
	}{
		{"no operation could run", Options{Parallelism: 0}},
		{"negative sandbox latency", Options{Parallelism: 1, SandboxLatency: -1}},
		{"negative create latency", Options{Parallelism: 1, CreateLatency: -1}},
		{"negative start latency", Options{Parallelism: 1, StartLatency: -1}},
		{"negative image pull latency", Options{Parallelism: 1, ImagePullLatency: -1}},
		{"negative lifetime", Options{Parallelism: 1, ContainerLifetime: -1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := New(test.options); err == nil {
				t.Error("no error")
			}
		})
	}
}

func TestTheRuntimeIsReadyAndSpeaksTheVersionTheKubeletWants(t *testing.T) {
	r := newRuntime(t, Options{})
	response, err := r.Status(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	ready := map[string]bool{}
	for _, condition := range response.Status.Conditions {
		ready[condition.Type] = condition.Status
	}
	if !ready[runtimeapi.RuntimeReady] || !ready[runtimeapi.NetworkReady] {
		t.Errorf("conditions are %v", ready)
	}
	version, err := r.Version(t.Context(), "0.1.0")
	if err != nil || version.Version != "0.1.0" {
		t.Errorf("version is %v (%v)", version, err)
	}
}
