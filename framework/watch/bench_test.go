package watch

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/internal/procfs"
)

// BenchmarkWatcherReplay10000 replays the life of 10,000 pods (five events each:
// created, bound, accepted, sandbox, running and ready) through everything an event
// passes here: transform, store, handler, tracker. Making the pods stands in for
// decoding and is left out of the figures. Targets: at most 50 µs of CPU per event,
// and 8 KiB of live memory per pod with all its observations kept.
func BenchmarkWatcherReplay10000(b *testing.B) {
	const pods, batch, eventsPerPod = 10_000, 500, 5
	for b.Loop() {
		b.StopTimer()
		w, err := NewForClient(nil, Options{})
		if err != nil {
			b.Fatal(err)
		}
		tracker, err := w.Track(burstID, pods)
		if err != nil {
			b.Fatal(err)
		}
		store := cache.NewStore(cache.MetaNamespaceKeyFunc)
		handler := podHandler{w}
		before := liveBytes()
		var cpu time.Duration
		for first := 0; first < pods; first += batch {
			events := make([]*corev1.Pod, 0, batch*eventsPerPod)
			for stage := range eventsPerPod {
				for i := first; i < first+batch; i++ {
					events = append(events, lifeOf(i, stage))
				}
			}
			b.StartTimer()
			from, _ := procfs.SelfCPU()
			for _, pod := range events {
				object, err := w.trimPod(pod)
				if err != nil {
					b.Fatal(err)
				}
				old, exists, _ := store.Get(object)
				_ = store.Update(object)
				if exists {
					handler.OnUpdate(old, object)
				} else {
					handler.OnAdd(object, false)
				}
			}
			to, _ := procfs.SelfCPU()
			cpu += to - from
			b.StopTimer()
		}
		if !tracker.AllReady() {
			b.Fatalf("counts %+v, want all ready", tracker.Counts())
		}
		live := liveBytes() - before
		b.ReportMetric(float64(cpu.Nanoseconds())/(pods*eventsPerPod), "cpu-ns/event")
		b.ReportMetric(float64(live)/pods, "B/pod")
		runtime.KeepAlive(store)
		runtime.KeepAlive(tracker)
		b.StartTimer()
	}
}

func liveBytes() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// lifeOf is a new pod, as a decoder makes it: no two share a string.
func lifeOf(i, stage int) *corev1.Pod {
	fresh := func(format string, args ...any) string { return fmt.Sprintf(format, args...) }
	now, controller := metav1.Now(), true
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: fresh("default-burst-1-%05d", i), GenerateName: fresh("default-burst-1-%s", ""),
			Namespace: fresh("podburst-%s", "20261129-150000"), UID: types.UID(fresh("%08d-0000-4000-8000-000000000000", i)),
			ResourceVersion: fresh("%d", 1000+5*i+stage), CreationTimestamp: now,
			Labels: map[string]string{
				recording.LabelBurst: burstID, recording.LabelManagedBy: "podburst", recording.LabelRun: "20261129-150000",
				"batch.kubernetes.io/job-name": "default-burst-1", "batch.kubernetes.io/controller-uid": jobUID,
			},
			OwnerReferences: []metav1.OwnerReference{{Kind: "Job", Name: "default-burst-1", UID: types.UID(fresh("%s-0000-4000-8000-000000000000", "jobjobjo")), Controller: &controller}},
			Finalizers:      []string{"batch.kubernetes.io/job-tracking"},
			ManagedFields:   make([]metav1.ManagedFieldsEntry, 2),
		},
		Spec:   corev1.PodSpec{Containers: []corev1.Container{{Name: "pause", Image: "registry.k8s.io/pause:3.10"}}},
		Status: corev1.PodStatus{Phase: corev1.PodPending},
	}
	condition := func(kind corev1.PodConditionType, status corev1.ConditionStatus) {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{
			Type: corev1.PodConditionType(fresh("%s", kind)), Status: corev1.ConditionStatus(fresh("%s", status)), LastTransitionTime: now,
		})
	}
	if stage >= 1 {
		p.Spec.NodeName = fresh("node-%d", i%10)
		condition(corev1.PodScheduled, corev1.ConditionTrue)
	}
	if stage >= 2 {
		p.Status.StartTime = &now
		status := corev1.ConditionFalse
		if stage == 4 {
			status = corev1.ConditionTrue
		}
		condition(corev1.PodReadyToStartContainers, corev1.ConditionTrue)
		condition(corev1.PodInitialized, corev1.ConditionTrue)
		condition(corev1.PodReady, status)
		condition(corev1.ContainersReady, status)
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "pause", State: corev1.ContainerState{
			Waiting: &corev1.ContainerStateWaiting{Reason: fresh("Container%s", "Creating")},
		}}}
	}
	if stage == 4 {
		p.Status.Phase = corev1.PodRunning
		p.Status.ContainerStatuses[0].Ready = true
		p.Status.ContainerStatuses[0].State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}}
	}
	return p
}
