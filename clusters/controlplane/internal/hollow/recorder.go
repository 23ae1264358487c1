package hollow

import (
	"context"

	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
	v1 "k8s.io/api/core/v1"
	corev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/kubelet"
)

// newRecorder records events as a kubelet does: to the log at verbosity 3, and
// to the API server through client.
func newRecorder(ctx context.Context, client corev1.EventsGetter, nodeName string) record.EventRecorderLogger {
	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	broadcaster.StartStructuredLogging(3)
	broadcaster.StartRecordingToSink(&corev1.EventSinkImpl{Interface: client.Events("")})
	return broadcaster.NewRecorder(legacyscheme.Scheme, v1.EventSource{Component: "kubelet", Host: nodeName})
}

// recorderSwap lets a kubelet have a recorder without watching the machine for
// out-of-memory kills, which a hollow node must not report as its own, and for
// which it would need to read the kernel's log.
//
// While it is made, a kubelet starts that watch unless its recorder is client-go's
// FakeRecorder; it then asks for its tracer, and only then hands its recorder
// on to its parts. The swap takes place at that request. It depends on this
// order, which is the one of the version that go.mod pins: done reports whether
// the request came at all, and without the real recorder the node sends no
// "Starting" event.
type recorderSwap struct {
	trace.TracerProvider
	dependencies *kubelet.Dependencies
	recorder     record.EventRecorderLogger
	done         bool
}

// kubeletTracer is the name under which the kubelet asks for its tracer.
const kubeletTracer = "k8s.io/kubernetes/pkg/kubelet"

// installRecorderSwap prepares dependencies, which are about to make a kubelet.
func installRecorderSwap(dependencies *kubelet.Dependencies, recorder record.EventRecorderLogger) *recorderSwap {
	swap := &recorderSwap{
		TracerProvider: noop.NewTracerProvider(),
		dependencies:   dependencies,
		recorder:       recorder,
	}
	dependencies.Recorder = &record.FakeRecorder{}
	dependencies.TracerProvider = swap
	return swap
}

// Tracer implements trace.TracerProvider. Nothing is traced.
func (s *recorderSwap) Tracer(name string, options ...trace.TracerOption) trace.Tracer {
	if name == kubeletTracer && !s.done {
		s.dependencies.Recorder = s.recorder
		s.done = true
	}
	return s.TracerProvider.Tracer(name, options...)
}
