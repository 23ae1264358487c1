package kind

import (
	"context"
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/kind/pkg/apis/config/v1alpha4"
	"sigs.k8s.io/kind/pkg/exec"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/command"
)

func defaultProfile(t *testing.T) clusters.Profile {
	return parse(t, "{apiVersion: podburst.dev/v1alpha1, kind: Profile, metadata: {name: default}}")
}

// nothingLeft fails if a container or a cluster's folder is left.
func nothingLeft(t *testing.T, w *world) {
	t.Helper()
	if w.engine.has("podburst-test") {
		t.Error("containers are left")
	}
	if _, err := os.Stat(filepath.Join(w.provider.options.BaseDir, "podburst-test")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the cluster's folder is left (%v)", err)
	}
}

func TestClusterHasTheNodesOfItsProfile(t *testing.T) {
	w := newWorld(t)
	cluster, err := w.provider.Create(t.Context(), defaultProfile(t))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(cluster.WorkerNodes()), "[podburst-test-worker podburst-test-worker2]"; got != want {
		t.Errorf("workers are %s, want %s", got, want)
	}
	// Four control plane components and three kubelets.
	if got := len(cluster.Instances()); got != 7 {
		t.Errorf("%d instances, want 7: %v", got, cluster.Instances())
	}
	if cluster.RESTConfig().QPS != -1 {
		t.Error("the observer's client has a limiter")
	}
	for range 2 { // Idempotent.
		if err := cluster.Delete(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	nothingLeft(t, w)
}

// Each fault ends in an error that says what to do, and nothing is left behind.
func TestFaultsOfCreate(t *testing.T) {
	failed := func(text string) error { return errors.New(text) }
	for name, test := range map[string]struct {
		arrange func(w *world)
		is      error
		says    []string
	}{
		"Docker is not installed": {
			arrange: func(w *world) {
				w.engine.down = explainEngine(&command.Error{Args: []string{"docker"}, Err: osexec.ErrNotFound})
			},
			is: ErrNoEngine, says: []string{"install Docker", "PROVIDER=embedded"},
		},
		"the socket may not be opened": {
			arrange: func(w *world) {
				w.engine.down = explainEngine(failed("permission denied while trying to connect to the Docker daemon socket"))
			},
			is: ErrNoEngine, says: []string{"group docker"},
		},
		"the engine stops halfway": {
			arrange: func(w *world) {
				w.maker.during = func(*v1alpha4.Cluster) error {
					w.engine.mu.Lock()
					defer w.engine.mu.Unlock()
					w.engine.down = explainEngine(failed("Cannot connect to the Docker daemon at unix:///var/run/docker.sock"))
					w.engine.nodes = nil
					return failed("command \"docker exec\" failed")
				}
			},
			is: ErrNoEngine, says: []string{"podburst clusters clean"},
		},
		"the engine's disk is full": {
			arrange: func(w *world) {
				w.maker.during = func(*v1alpha4.Cluster) error {
					return &exec.RunError{Command: []string{"docker", "run"}, Output: []byte("write /var/lib: no space left on device"), Inner: failed("exit status 125")}
				}
			},
			is: ErrDiskFull, says: []string{"docker system df"},
		},
		"the image is neither here nor to be pulled": {
			arrange: func(w *world) {
				w.engine.images = map[string]image{}
				w.engine.pullErr = failed("lookup registry: no such host")
			},
			is: ErrNoImage, says: []string{PublishedImage, "make node-image", "no such host"},
		},
		"kubeadm fails": {
			arrange: func(w *world) {
				w.engine.programs["podburst-test-control-plane journalctl"] = "I1129 fine\nE1129 16:18:11.834042     145 run.go:72] \"command failed\" err=\"missing paths\"\nlast"
				w.maker.during = func(*v1alpha4.Cluster) error {
					return fmt.Errorf("failed to init node: %w", &exec.RunError{Command: []string{"docker", "exec", "kubeadm"}, Output: []byte("[kubelet-check] dial tcp 172.18.0.2:6443: connect: connection refused"), Inner: failed("exit status 1")})
				}
			},
			says: []string{"kubelet-check", `kubelet of podburst-test-control-plane: E1129 16:18:11.834042     145 run.go:72] "command failed" err="missing paths"`, "logs of its nodes are kept in"},
		},
		"a worker never joins": {
			arrange: func(w *world) {
				w.client.status = func() (map[string]string, error) {
					return map[string]string{"podburst-test-control-plane": "", "podburst-test-worker": "NetworkNotReady: cni plugin not initialized"}, nil
				}
			},
			says: []string{"podburst-test-worker2 is not Ready", "never joined", "cni plugin not initialized", "kubelet says why"},
		},
		"the API server does not answer": {
			arrange: func(w *world) {
				w.client.status = func() (map[string]string, error) { return nil, failed("connection reset") }
			},
			says: []string{"connection reset"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			test.arrange(w)
			_, err := w.provider.Create(t.Context(), defaultProfile(t))
			if err == nil {
				t.Fatal("no error")
			}
			for _, known := range []error{ErrNoEngine, ErrNoImage, ErrDiskFull, ErrNameTaken} {
				if is, want := errors.Is(err, known), errors.Is(test.is, known); is != want {
					t.Errorf("error is %q: got %t, want %t: %v", known, is, want, err)
				}
			}
			for _, text := range append(test.says, `create cluster "default"`) {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("error does not say %q: %v", text, err)
				}
			}
			w.engine.mu.Lock()
			stopped := w.engine.down != nil
			w.engine.down = nil
			w.engine.mu.Unlock()
			if !stopped { // Otherwise no engine answered, as the error says, so nothing could be removed.
				nothingLeft(t, w)
			}
		})
	}
}

func TestNamedOfflineImageIsNeverPulled(t *testing.T) {
	w := newWorld(t)
	w.engine.images = map[string]image{}
	_, err := w.provider.Create(t.Context(), parse(t, "{apiVersion: podburst.dev/v1alpha1, kind: Profile, metadata: {name: x}, spec: {kubernetesVersion: v1.37.2}}"))
	if !errors.Is(err, ErrNoImage) || len(w.engine.pulled) != 0 {
		t.Errorf("got %v, pulled %v", err, w.engine.pulled)
	}
}

func TestPublishedImageIsPulledWhereThereIsNoOther(t *testing.T) {
	w := newWorld(t)
	w.engine.images = map[string]image{}
	cluster, err := w.provider.Create(t.Context(), defaultProfile(t))
	if err != nil {
		t.Fatal(err)
	}
	if got := cluster.(*Cluster).Image(); got != PublishedImage || fmt.Sprint(w.engine.pulled) != "["+PublishedImage+"]" {
		t.Errorf("image %s, pulled %v", got, w.engine.pulled)
	}
}

func TestNameOfAnotherClusterIsRefusedAndLeftAlone(t *testing.T) {
	for name, mount := range map[string]string{"did not make": "", "another podburst cluster": "/elsewhere/shared"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.engine.add(container{Name: "theirs", Cluster: "podburst-test", Role: "control-plane", Mount: mount})
			_, err := w.provider.Create(t.Context(), defaultProfile(t))
			if !errors.Is(err, ErrNameTaken) || !strings.Contains(err.Error(), name) {
				t.Errorf("got %v", err)
			}
			if len(w.engine.removed) != 0 || !w.engine.has("podburst-test") {
				t.Errorf("removed %v", w.engine.removed)
			}
		})
	}
}

func TestCancelledCreateTakesTheNodesAwayUnderKind(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	w.maker.during = func(config *v1alpha4.Cluster) error {
		cancel(errors.New("signal: interrupt"))
		// kind gives up once its nodes have gone ...
		for w.engine.has(config.Name) {
			time.Sleep(time.Millisecond)
		}
		// ... and a command that it left running makes one more.
		w.engine.add(container{Name: "straggler", Cluster: config.Name, Role: "worker", Mount: "/x"})
		return errors.New("No such container")
	}
	_, err := w.provider.Create(ctx, defaultProfile(t))
	if err == nil || !strings.Contains(err.Error(), "signal: interrupt") {
		t.Errorf("got %v", err)
	}
	nothingLeft(t, w)
	if len(w.maker.logs) != 0 {
		t.Error("whoever interrupts had to wait for logs")
	}
}

func TestRemovalWaitsForCommandsThatKindHasLeftBehind(t *testing.T) {
	w := newWorld(t)
	busy := 5
	w.provider.options.busy = func(cluster string) bool {
		busy--
		if busy == 1 {
			w.engine.add(container{Name: "late", Cluster: cluster, Role: "worker", Mount: "/x"})
		}
		return busy > 0
	}
	w.maker.during = func(*v1alpha4.Cluster) error { return errors.New("docker run failed") }
	if _, err := w.provider.Create(t.Context(), defaultProfile(t)); err == nil {
		t.Fatal("no error")
	}
	nothingLeft(t, w)
}

func TestCancelledWhileWaitingForNodes(t *testing.T) {
	w := newWorld(t)
	w.provider.options.ReadyTimeout = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	w.client.status = func() (map[string]string, error) {
		cancel()
		return nil, nil
	}
	if _, err := w.provider.Create(ctx, defaultProfile(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	nothingLeft(t, w)
}

func TestCreatesAreSerial(t *testing.T) {
	w := newWorld(t)
	creating <- struct{}{}
	defer func() { <-creating }()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := w.provider.Create(ctx, defaultProfile(t)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestSeveralControlPlanesNeedAPublishedImage(t *testing.T) {
	w := newWorld(t)
	_, err := w.provider.Create(t.Context(), parse(t, "{apiVersion: podburst.dev/v1alpha1, kind: Profile, metadata: {name: ha}, spec: {topology: {controlPlanes: 3}}}"))
	if err == nil || !strings.Contains(err.Error(), "load balancer") {
		t.Errorf("got %v", err)
	}
}

func TestAvailabilityNamesTheImageThatAProfileWouldGet(t *testing.T) {
	w := newWorld(t)
	found, err := Available(t.Context(), w.provider.options)
	if want := (Availability{Engine: "20.10", Image: "podburst/node:v1.37.2", Present: true}); err != nil || found != want {
		t.Errorf("got %+v, error %v", found, err)
	}
	w.engine.images = map[string]image{}
	found, err = Available(t.Context(), w.provider.options)
	if want := (Availability{Engine: "20.10", Image: PublishedImage}); err != nil || found != want {
		t.Errorf("with no image: got %+v, error %v", found, err)
	}
	if len(w.engine.pulled) != 0 {
		t.Error("looking has pulled an image")
	}
	w.engine.down = ErrNoEngine
	if _, err := Available(t.Context(), w.provider.options); !errors.Is(err, ErrNoEngine) {
		t.Errorf("with no engine: %v", err)
	}
}

// Output of kubeadm init (Kubernetes 1.37) on a node without cgroups for its
// kubelet.
func TestKubeadmsReasonIsShownWithoutItsStackTrace(t *testing.T) {
	output := strings.Join([]string{
		`I1129 16:20:00.000000      30 round_trippers.go:560] GET https://x:6443/livez?timeout=10s  in 0 milliseconds`,
		`[kubelet-check] The kubelet is not healthy after 4m0.00s`,
		``,
		`Unfortunately, an error has occurred, likely caused by:`,
		"\t- The kubelet is not running",
		`error execution phase kubelet-start: failed while waiting for the kubelet to start: context deadline exceeded`,
		`k8s.io/kubernetes/cmd/kubeadm/app/cmd/phases/workflow.(*Runner).Run.func1`,
		"\tk8s.io/kubernetes@v1.37.2/cmd/kubeadm/app/cmd/phases/workflow/runner.go:262",
		`github.com/spf13/cobra.(*Command).execute`,
		"\tgithub.com/spf13/cobra@v1.10.2/command.go:1015",
		`main.main.Kubeadm.func2`,
		"\tgithub.com/podburst/podburst/clusters/controlplane/internal/component/nodetool/kubeadm.go:15",
		`runtime.goexit`,
		"\truntime/asm_amd64.s:1771",
	}, "\n")
	err := explainMaker(&exec.RunError{Command: []string{"docker", "exec", "node", "kubeadm", "init"}, Output: []byte(output), Inner: errors.New("exit status 1")})
	for _, want := range []string{"[kubelet-check] The kubelet is not healthy", "- The kubelet is not running", "error execution phase kubelet-start"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("not shown: %s in\n%v", want, err)
		}
	}
	for _, noise := range []string{"round_trippers", "runner.go", "cobra", "runtime.goexit", "asm_amd64", "main.main"} {
		if strings.Contains(err.Error(), noise) {
			t.Errorf("shown: %s in\n%v", noise, err)
		}
	}
}
