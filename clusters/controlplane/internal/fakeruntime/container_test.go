package fakeruntime

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

func TestAContainerEndsByItselfAsItsPodOrTheRuntimeSays(t *testing.T) {
	for _, test := range []struct {
		name        string
		lifetime    time.Duration
		annotations map[string]string
		wantAfter   time.Duration // negative: it does not end
		wantCode    int32
		wantReason  string
	}{
		{name: "it runs on by default", wantAfter: -1},
		{name: "the runtime's lifetime", lifetime: 3 * time.Second, wantAfter: 3 * time.Second, wantReason: "Completed"},
		{name: "the pod's time replaces the runtime's", lifetime: 3 * time.Second,
			annotations: map[string]string{ExitAfterAnnotation: "5s"}, wantAfter: 5 * time.Second, wantReason: "Completed"},
		{name: "a crash after a time",
			annotations: map[string]string{ExitAfterAnnotation: "1.5s", ExitCodeAnnotation: "7"}, wantAfter: 1500 * time.Millisecond, wantCode: 7, wantReason: "Error"},
		{name: "a code alone ends it at once",
			annotations: map[string]string{ExitCodeAnnotation: "1"}, wantAfter: 0, wantCode: 1, wantReason: "Error"},
		{name: "a code alone keeps the runtime's lifetime", lifetime: 3 * time.Second,
			annotations: map[string]string{ExitCodeAnnotation: "255"}, wantAfter: 3 * time.Second, wantCode: 255, wantReason: "Error"},
		{name: "other annotations mean nothing", annotations: map[string]string{"exit-code": "1"}, wantAfter: -1},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRuntime(t, Options{ContainerLifetime: test.lifetime})
				_, id := runPod(t, r, sandboxConfig("1", test.annotations))
				if test.wantAfter < 0 {
					time.Sleep(24 * time.Hour)
					if c := containerStatus(t, r, id); c.State != runtimeapi.ContainerState_CONTAINER_RUNNING {
						t.Errorf("after a day its state is %v", c.State)
					}
					return
				}
				if test.wantAfter > 0 {
					time.Sleep(test.wantAfter - time.Nanosecond)
					if c := containerStatus(t, r, id); c.State != runtimeapi.ContainerState_CONTAINER_RUNNING {
						t.Fatalf("its state is %v before its time", c.State)
					}
					time.Sleep(time.Nanosecond)
				}
				synctest.Wait()
				c := containerStatus(t, r, id)
				if c.State != runtimeapi.ContainerState_CONTAINER_EXITED || c.ExitCode != test.wantCode || c.Reason != test.wantReason {
					t.Errorf("state %v, exit code %d, reason %q; want exited, %d, %q", c.State, c.ExitCode, c.Reason, test.wantCode, test.wantReason)
				}
				if ran := time.Duration(c.FinishedAt - c.StartedAt); ran != test.wantAfter {
					t.Errorf("it ran for %v, want %v", ran, test.wantAfter)
				}
			})
		})
	}
}

func TestAnnotationsThatCannotBeReadFailThePod(t *testing.T) {
	for _, test := range []struct{ name, key, value string }{
		{"a code that is no number", ExitCodeAnnotation, "seven"},
		{"a code below 0", ExitCodeAnnotation, "-1"},
		{"a code above 255", ExitCodeAnnotation, "256"},
		{"an empty code", ExitCodeAnnotation, ""},
		{"a time without a unit", ExitAfterAnnotation, "5"},
		{"a negative time", ExitAfterAnnotation, "-5s"},
		{"an empty time", ExitAfterAnnotation, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRuntime(t, Options{})
			_, err := r.RunPodSandbox(t.Context(), sandboxConfig("1", map[string]string{test.key: test.value}), "")
			wantCode(t, err, codes.InvalidArgument)
		})
	}
}

func TestAStoppedContainerHasRunUntilItWasStopped(t *testing.T) {
	for _, test := range []struct {
		name    string
		timeout int64
		code    int32
	}{
		{"terminated within its grace period", 1, terminatedExitCode},
		{"killed when it has none", 0, killedExitCode},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRuntime(t, Options{ContainerLifetime: time.Hour})
				_, id := runPod(t, r, sandboxConfig("1", nil))
				time.Sleep(2 * time.Second)
				if err := r.StopContainer(t.Context(), id, test.timeout); err != nil {
					t.Fatal(err)
				}
				c := containerStatus(t, r, id)
				if c.State != runtimeapi.ContainerState_CONTAINER_EXITED || c.ExitCode != test.code || c.Reason != "Error" {
					t.Errorf("state %v, exit code %d, reason %q; want exited, %d, Error", c.State, c.ExitCode, c.Reason, test.code)
				}
				if ran := time.Duration(c.FinishedAt - c.StartedAt); ran != 2*time.Second {
					t.Errorf("it ran for %v, want 2s", ran)
				}
				// The end of its lifetime changes nothing any more.
				time.Sleep(2 * time.Hour)
				if again := containerStatus(t, r, id); again.FinishedAt != c.FinishedAt || again.ExitCode != c.ExitCode {
					t.Errorf("it ended twice: %v, then %v", c, again)
				}
			})
		})
	}
}

func TestAContainerThatIsStoppedWhileItStartsDoesNotRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRuntime(t, Options{StartLatency: time.Second})
		sandboxID, err := r.RunPodSandbox(t.Context(), sandboxConfig("1", nil), "")
		if err != nil {
			t.Fatal(err)
		}
		id, err := r.CreateContainer(t.Context(), sandboxID, containerConfig("c"), nil)
		if err != nil {
			t.Fatal(err)
		}
		started := make(chan error, 1)
		go func() { started <- r.StartContainer(t.Context(), id) }()
		synctest.Wait()
		if err := r.StopContainer(t.Context(), id, 1); err != nil {
			t.Fatal(err)
		}
		wantCode(t, <-started, codes.FailedPrecondition)
		if c := containerStatus(t, r, id); c.State != runtimeapi.ContainerState_CONTAINER_EXITED || c.StartedAt != 0 {
			t.Errorf("it is %v, started at %d", c.State, c.StartedAt)
		}
	})
}

func TestEveryAttemptHasAnIdentifierOfItsOwn(t *testing.T) {
	r := newRuntime(t, Options{})
	seen := map[string]bool{}
	for range 100 {
		sandboxID, containerID := runPod(t, r, sandboxConfig("same", nil))
		for _, id := range []string{sandboxID, containerID} {
			if seen[id] || len(id) != 64 {
				t.Fatalf("identifier %q is not new or not 64 characters long", id)
			}
			seen[id] = true
		}
	}
}

func TestAContainerNeedsAReadySandbox(t *testing.T) {
	r := newRuntime(t, Options{})
	_, err := r.CreateContainer(t.Context(), "none", containerConfig("c"), nil)
	wantCode(t, err, codes.NotFound)

	sandboxID, err := r.RunPodSandbox(t.Context(), sandboxConfig("1", nil), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.StopPodSandbox(t.Context(), sandboxID); err != nil {
		t.Fatal(err)
	}
	_, err = r.CreateContainer(t.Context(), sandboxID, containerConfig("c"), nil)
	wantCode(t, err, codes.FailedPrecondition)
}

func TestAContainerStartsOnce(t *testing.T) {
	r := newRuntime(t, Options{})
	_, id := runPod(t, r, sandboxConfig("1", nil))
	wantCode(t, r.StartContainer(t.Context(), id), codes.FailedPrecondition)
	wantCode(t, r.StartContainer(t.Context(), "none"), codes.NotFound)
}

func TestContainersAreListedByWhatTheFilterSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRuntime(t, Options{CreateLatency: time.Millisecond})
		sandbox1, container1 := runPod(t, r, sandboxConfig("1", nil))
		_, container2 := runPod(t, r, sandboxConfig("2", nil))
		if err := r.StopContainer(t.Context(), container2, 1); err != nil {
			t.Fatal(err)
		}
		exited := &runtimeapi.ContainerStateValue{State: runtimeapi.ContainerState_CONTAINER_EXITED}
		for _, test := range []struct {
			name   string
			filter *runtimeapi.ContainerFilter
			want   []string
		}{
			{"no filter, oldest first", nil, []string{container1, container2}},
			{"by identifier", &runtimeapi.ContainerFilter{Id: container2}, []string{container2}},
			{"by sandbox", &runtimeapi.ContainerFilter{PodSandboxId: sandbox1}, []string{container1}},
			{"by state", &runtimeapi.ContainerFilter{State: exited}, []string{container2}},
			{"by label", &runtimeapi.ContainerFilter{LabelSelector: map[string]string{"container": "c"}}, []string{container1, container2}},
			{"by a label with another value", &runtimeapi.ContainerFilter{LabelSelector: map[string]string{"container": "d"}}, nil},
			{"by several at once", &runtimeapi.ContainerFilter{PodSandboxId: sandbox1, State: exited}, nil},
		} {
			list, err := r.ListContainers(t.Context(), test.filter)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range list {
				got = append(got, c.Id)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%s: got %v, want %v", test.name, got, test.want)
			}
		}
	})
}

func TestOnlyRunningContainersHaveStatisticsInLists(t *testing.T) {
	r := newRuntime(t, Options{})
	sandboxID, running := runPod(t, r, sandboxConfig("1", nil))
	_, stopped := runPod(t, r, sandboxConfig("2", nil))
	if err := r.StopContainer(t.Context(), stopped, 1); err != nil {
		t.Fatal(err)
	}
	list, err := r.ListContainerStats(t.Context(), nil)
	if err != nil || len(list) != 1 || list[0].Attributes.Id != running {
		t.Errorf("got %v (%v), want the one of %s", list, err, running)
	}
	sandbox, err := r.PodSandboxStats(t.Context(), sandboxID)
	if err != nil || len(sandbox.Linux.Containers) != 1 {
		t.Errorf("got %v (%v), want one container", sandbox, err)
	}
}

func TestCommandsSucceedInRunningContainersOnly(t *testing.T) {
	r := newRuntime(t, Options{})
	_, id := runPod(t, r, sandboxConfig("1", nil))
	if _, _, err := r.ExecSync(t.Context(), id, []string{"true"}, 0); err != nil {
		t.Error(err)
	}
	if err := r.StopContainer(t.Context(), id, 1); err != nil {
		t.Fatal(err)
	}
	_, _, err := r.ExecSync(t.Context(), id, []string{"true"}, 0)
	wantCode(t, err, codes.FailedPrecondition)
	_, err = r.Exec(t.Context(), nil)
	wantCode(t, err, codes.Unimplemented)
}

func TestEveryImageIsPresentUnderItsOwnName(t *testing.T) {
	images := NewImages(Options{})
	named := &runtimeapi.ImageSpec{Image: "example.com/image:1"}
	response, err := images.ImageStatus(t.Context(), named, false)
	if err != nil || response.Image == nil || response.Image.Size == 0 {
		t.Fatalf("got %v (%v)", response, err)
	}
	pulled, err := images.PullImage(t.Context(), named, nil, nil)
	if err != nil || pulled != response.Image.Id {
		t.Errorf("pulled %q (%v), want %q", pulled, err, response.Image.Id)
	}

	// The kubelet creates a container by the digest, and keeps the name beside it.
	r := newRuntime(t, Options{})
	sandboxID, err := r.RunPodSandbox(t.Context(), sandboxConfig("1", nil), "")
	if err != nil {
		t.Fatal(err)
	}
	config := containerConfig("c")
	config.Image = &runtimeapi.ImageSpec{Image: response.Image.Id, UserSpecifiedImage: named.Image}
	id, err := r.CreateContainer(t.Context(), sandboxID, config, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := containerStatus(t, r, id)
	if c.Image.Image != named.Image || c.ImageId != response.Image.Id {
		t.Errorf("image %q with identifier %q, want %q and %q", c.Image.Image, c.ImageId, named.Image, response.Image.Id)
	}
}

func TestAnImageThatTakesTimeIsThereOnceItWasPulled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		images := NewImages(Options{ImagePullLatency: time.Second})
		named := &runtimeapi.ImageSpec{Image: "example.com/image:1"}
		if response, err := images.ImageStatus(t.Context(), named, false); err != nil || response.Image != nil {
			t.Fatalf("before any pull: %v (%v)", response, err)
		}
		// The second pull asks the registry again.
		for range 2 {
			start := time.Now()
			id, err := images.PullImage(t.Context(), named, nil, nil)
			if err != nil || time.Since(start) != time.Second {
				t.Fatalf("pulled %q after %s (%v), want 1 s", id, time.Since(start), err)
			}
			for _, name := range []string{named.Image, id} {
				response, err := images.ImageStatus(t.Context(), &runtimeapi.ImageSpec{Image: name}, false)
				if err != nil || response.Image.GetId() != id {
					t.Errorf("after the pull, %s: %v (%v)", name, response, err)
				}
			}
		}
	})
}

func TestAPullThatIsCutOffLeavesNoImage(t *testing.T) {
	images := NewImages(Options{ImagePullLatency: time.Hour})
	named := &runtimeapi.ImageSpec{Image: "example.com/image:1"}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := images.PullImage(ctx, named, nil, nil)
	wantCode(t, err, codes.Canceled)
	if response, err := images.ImageStatus(t.Context(), named, false); err != nil || response.Image != nil {
		t.Errorf("it is there: %v (%v)", response, err)
	}
}
