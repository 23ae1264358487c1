package watch

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// Options of a Watcher. The zero value watches the pods, nodes and Events of
// the whole cluster.
type Options struct {
	// Namespace limits pods and Events to one namespace; a run passes its own.
	// Empty: all namespaces.
	Namespace string
	// LabelSelector limits the pods to those that match; one tracker then keeps all
	// of them (TrackMatching). Empty (for a run of our own bursts): every pod of the
	// namespace, so that foreign pods are seen, too.
	LabelSelector string
	// WithoutNodes and WithoutEvents leave out these informers, for a user who may
	// not list them.
	WithoutNodes, WithoutEvents bool
	// SyncTimeout bounds Start. Default: 30 s.
	SyncTimeout time.Duration
	// MaxForeign bounds the kept observations of foreign pods, MaxEvents the kept
	// Kubernetes Events. Defaults: 4,096 and 100,000. What does not fit is counted as
	// dropped.
	MaxForeign, MaxEvents int
	// Now is the observer's clock. Default: time.Now.
	Now func() time.Time
}

func (o *Options) setDefaults() {
	if o.SyncTimeout == 0 {
		o.SyncTimeout = 30 * time.Second
	}
	if o.MaxForeign == 0 {
		o.MaxForeign = 4096
	}
	if o.MaxEvents == 0 {
		o.MaxEvents = 100_000
	}
	if o.Now == nil {
		o.Now = time.Now
	}
}

// Watcher observes one cluster. Its methods may be called concurrently.
type Watcher struct {
	options  Options
	client   kubernetes.Interface
	requests *counter
	factory  informers.SharedInformerFactory
	handlers []cache.DoneChecker
	strings  interner

	lifecycle sync.Mutex
	cancel    context.CancelFunc

	mu       sync.RWMutex
	trackers map[string]*Tracker
	// matching is the one tracker of all pods; nil without Options.LabelSelector.
	matching *Tracker
	closed   map[string]bool
	foreign  []record
	tally    tally
	maxDelay time.Duration
	last     time.Time
	lastErr  error

	nodes  nodeLog
	events eventLog
}

// UserAgent names the observer in the audit log.
func UserAgent() string {
	version := "devel"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = strings.Trim(info.Main.Version, "()")
	}
	return "podburst-observer/" + version
}

// New prepares a watcher with its own client. The configuration must not have a
// limiter (QPS -1, no RateLimiter): an observer that waits for itself would report
// its own delay as the cluster's. New sends no requests; Start does.
func New(config *rest.Config, options Options) (*Watcher, error) {
	if config.QPS >= 0 || config.RateLimiter != nil {
		return nil, fmt.Errorf("watch %s: the client has a limiter (QPS %v, RateLimiter set: %t): set QPS to -1, the observer must never throttle itself",
			config.Host, config.QPS, config.RateLimiter != nil)
	}
	config = rest.CopyConfig(config)
	config.UserAgent = UserAgent()
	if config.ContentType == "" {
		// Protobuf decodes several times faster than JSON, which brings the stamp
		// closer to the event and takes less CPU from the burst.
		config.ContentType = "application/vnd.kubernetes.protobuf"
		config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	}
	requests := &counter{}
	config.Wrap(requests.wrap)
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("watch %s: make a client: %w", config.Host, err)
	}
	w, err := NewForClient(client, options)
	if err != nil {
		return nil, err
	}
	w.requests = requests
	return w, nil
}

// NewForClient is New with an existing client. Its requests cannot be counted: in
// Health, all counts of lists and watches are 0.
func NewForClient(client kubernetes.Interface, options Options) (*Watcher, error) {
	options.setDefaults()
	w := &Watcher{
		options:  options,
		client:   client,
		requests: &counter{},
		factory:  informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(options.Namespace)),
		trackers: map[string]*Tracker{},
		closed:   map[string]bool{},
		nodes:    nodeLog{ready: map[string]bool{}},
		events:   eventLog{max: options.MaxEvents},
	}
	if options.LabelSelector != "" {
		w.matching = &Tracker{watcher: w, changed: make(chan struct{}, 1), pods: map[string]podState{}, existing: map[string]bool{}}
	}
	pods := w.factory.InformerFor(&corev1.Pod{}, func(client kubernetes.Interface, resync time.Duration) cache.SharedIndexInformer {
		return coreinformers.NewFilteredPodInformer(client, options.Namespace, resync, cache.Indexers{}, func(list *metav1.ListOptions) {
			list.LabelSelector = options.LabelSelector
		})
	})
	err := w.add(pods, w.trimPod, podHandler{w})
	if !options.WithoutNodes {
		err = errors.Join(err, w.add(w.factory.Core().V1().Nodes().Informer(), w.trimNode, nodeHandler{w}))
	}
	if !options.WithoutEvents {
		err = errors.Join(err, w.add(w.factory.Core().V1().Events().Informer(), w.trimEvent, eventHandler{w}))
	}
	if err != nil {
		return nil, fmt.Errorf("watch: set up informers: %w", err)
	}
	return w, nil
}

func (w *Watcher) add(informer cache.SharedIndexInformer, transform cache.TransformFunc, handler cache.ResourceEventHandler) error {
	if err := informer.SetTransform(transform); err != nil {
		return err
	}
	if err := informer.SetWatchErrorHandlerWithContext(w.watchFailed); err != nil {
		return err
	}
	registration, err := informer.AddEventHandler(handler)
	if err != nil {
		return err
	}
	w.handlers = append(w.handlers, registration.HasSyncedChecker())
	return nil
}

// Start begins to watch and returns once every informer has read the cluster's state
// and passed it on. ctx and Options.SyncTimeout bound only the start; the watcher
// then runs until Stop, so that it can still help to clean up an interrupted burst. A
// watcher can start only once.
func (w *Watcher) Start(ctx context.Context) error {
	w.lifecycle.Lock()
	defer w.lifecycle.Unlock()
	if w.cancel != nil {
		return errors.New("start watcher: it has been started before; make a new one")
	}
	// Reflectors log each retry; what matters of it is counted and returned, and a
	// library should not write to stderr.
	running, cancel := context.WithCancel(klog.NewContext(context.WithoutCancel(ctx), klog.Logger{}))
	w.cancel = cancel
	w.factory.StartWithContext(running)

	syncing, done := context.WithTimeoutCause(ctx, w.options.SyncTimeout,
		fmt.Errorf("not synced within %v", w.options.SyncTimeout))
	defer done()
	synced := w.factory.WaitForCacheSyncWithContext(syncing)
	if err := synced.AsError(); err != nil {
		return w.startFailed(err)
	}
	if !cache.WaitFor(syncing, "", w.handlers...) {
		return w.startFailed(context.Cause(syncing))
	}
	w.requests.markSynced()
	return nil
}

func (w *Watcher) startFailed(err error) error {
	w.cancel()
	w.factory.Shutdown()
	scope := "all namespaces"
	if w.options.Namespace != "" {
		scope = "namespace " + w.options.Namespace
	}
	err = fmt.Errorf("start watcher of %s: %w", scope, err)
	if last := w.LastError(); last != nil {
		err = fmt.Errorf("%w; last answer of the API server: %w", err, last)
	}
	return fmt.Errorf("%w (it needs list and watch on pods, nodes and events)", err)
}

// Stop ends watching and waits for its goroutines. It is idempotent, and can be
// called on a watcher that was never started.
func (w *Watcher) Stop() {
	w.lifecycle.Lock()
	defer w.lifecycle.Unlock()
	if w.cancel == nil {
		return
	}
	w.cancel()
	w.factory.Shutdown()
}

func (w *Watcher) watchFailed(_ context.Context, _ *cache.Reflector, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lastErr = err
}

// LastError is the last error that ended a list or a watch; nil if none did.
func (w *Watcher) LastError() error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.lastErr
}
