package listcost

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

// Style is a way in which several consumers of one process come to know all pods.
type Style string

// The styles. Both use the same client, encoding and kind of work queue, and one
// connection (HTTP/2), so that they differ only in their informers.
const (
	// Private: each consumer has its own informer with an indexer (from
	// cache.NewListWatchFromClient) and its own work queue.
	Private Style = "private"
	// Shared: all consumers register with the pod informer of one
	// SharedInformerFactory, each with its own work queue.
	Shared Style = "shared"
)

// Styles are all styles.
func Styles() []Style { return []Style{Private, Shared} }

// consumer takes keys from a work queue, as a controller's worker does, and counts
// how many pods it has seen and how many have the awaited change.
type consumer struct {
	queue workqueue.TypedRateLimitingInterface[string]

	mu        sync.Mutex
	get       func(key string) (any, bool, error)
	seen      map[string]bool
	value     string
	changed   map[string]bool
	delivered int
	// progressed is told after each key.
	progressed chan<- struct{}
}

func newConsumer(progressed chan<- struct{}) *consumer {
	return &consumer{
		queue: workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()),
		seen:  map[string]bool{}, changed: map[string]bool{}, progressed: progressed,
	}
}

// handler adds keys to the queue, as most controllers' handlers do.
func (c *consumer) handler() cache.ResourceEventHandler {
	enqueue := func(object any) {
		if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object); err == nil {
			c.queue.Add(key)
		}
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc: enqueue, DeleteFunc: enqueue,
		UpdateFunc: func(_, object any) { enqueue(object) },
	}
}

// work runs until the queue is shut down.
func (c *consumer) work() {
	for {
		key, ended := c.queue.Get()
		if ended {
			return
		}
		object, exists, err := c.get(key)
		c.mu.Lock()
		c.delivered++
		if pod, ok := object.(*corev1.Pod); ok && err == nil && exists {
			c.seen[key] = true
			if c.value != "" && pod.Annotations[annotationChange] == c.value {
				c.changed[key] = true
			}
		}
		c.mu.Unlock()
		c.queue.Forget(key)
		c.queue.Done(key)
		select {
		case c.progressed <- struct{}{}:
		default:
		}
	}
}

// await makes the consumer look for a change.
func (c *consumer) await(value string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.value, c.changed = value, map[string]bool{}
}

func (c *consumer) counts() (seen, changed, delivered int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.seen), len(c.changed), c.delivered
}

// crowd is a number of consumers of one style, running.
type crowd struct {
	consumers  []*consumer
	progressed chan struct{}
	cancel     context.CancelFunc
	running    sync.WaitGroup
	stopped    func()
}

// start runs n consumers of the style on the pods of a namespace.
func start(ctx context.Context, style Style, n int, client kubernetes.Interface, namespace string) (*crowd, error) {
	// Reflectors log each retry; what matters of it is counted. A controller's
	// context has no deadline, so one here would come from the measurement and not
	// from the style.
	ctx, cancel := context.WithCancel(klog.NewContext(context.WithoutCancel(ctx), klog.Logger{}))
	c := &crowd{progressed: make(chan struct{}, 1), cancel: cancel, stopped: func() {}}
	for range n {
		c.consumers = append(c.consumers, newConsumer(c.progressed))
	}
	var err error
	switch style {
	case Private:
		c.private(ctx, client, namespace)
	case Shared:
		err = c.shared(ctx, client, namespace)
	default:
		err = fmt.Errorf("client style %q: known are %v", style, Styles())
	}
	if err != nil {
		cancel()
		return nil, err
	}
	for _, one := range c.consumers {
		c.running.Go(one.work)
	}
	return c, nil
}

func (c *crowd) private(ctx context.Context, client kubernetes.Interface, namespace string) {
	for _, one := range c.consumers {
		source := cache.NewListWatchFromClient(client.CoreV1().RESTClient(), "pods", namespace, fields.Everything())
		store, controller := cache.NewInformerWithOptions(cache.InformerOptions{
			ListerWatcher: source, ObjectType: &corev1.Pod{}, Handler: one.handler(),
			Indexers: cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc},
		})
		one.get = store.GetByKey
		c.running.Go(func() { controller.RunWithContext(ctx) })
	}
}

func (c *crowd) shared(ctx context.Context, client kubernetes.Interface, namespace string) error {
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	informer := factory.Core().V1().Pods().Informer()
	for _, one := range c.consumers {
		one.get = informer.GetIndexer().GetByKey
		if _, err := informer.AddEventHandler(one.handler()); err != nil {
			return fmt.Errorf("register a consumer: %w", err)
		}
	}
	factory.StartWithContext(ctx)
	c.stopped = factory.Shutdown
	return nil
}

// wait returns once done holds for every consumer.
func (c *crowd) wait(ctx context.Context, what string, done func(seen, changed int) bool) error {
	for {
		left := 0
		for _, one := range c.consumers {
			if seen, changed, _ := one.counts(); !done(seen, changed) {
				left++
			}
		}
		if left == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait until %s: %d of %d consumers are not there: %w", what, left, len(c.consumers), context.Cause(ctx))
		case <-c.progressed:
		case <-time.After(10 * time.Millisecond): // a signal stands for many
		}
	}
}

func (c *crowd) delivered() (sum int) {
	for _, one := range c.consumers {
		_, _, n := one.counts()
		sum += n
	}
	return sum
}

// stop stops the consumers and waits for all goroutines.
func (c *crowd) stop() {
	c.cancel()
	c.stopped()
	for _, one := range c.consumers {
		one.queue.ShutDown()
	}
	c.running.Wait()
}
