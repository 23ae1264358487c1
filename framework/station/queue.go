package station

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/exposition"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/stats"
)

// Queue is a queue other than a client-side limiter in which work of the burst may have
// waited.
type Queue struct {
	// Component is the process that has the queue.
	Component string `json:"component"`
	// Kind is the kind of queue: "apf" is API Priority and Fairness, "workqueue" a
	// controller's, and "scheduling" that of kube-scheduler.
	Kind string `json:"kind" jsonschema:"enum=apf,enum=workqueue,enum=scheduling"`
	// Name is the name of the priority level ("workload-high") or of the controller
	// ("job"), or "scheduling".
	Name string `json:"name"`
	// Items is how many items went through the queue during the burst.
	Items int `json:"items"`
	// WaitSeconds is the sum of the waits of all items.
	WaitSeconds stats.Seconds `json:"waitSeconds"`
	// MaxWaitSeconds is an upper bound of the longest wait: the bound of a bucket of the
	// metric. 0 where the metrics do not tell (the scheduling queue).
	MaxWaitSeconds stats.Seconds `json:"maxWaitSeconds"`
	// Rejected is how many requests the queue turned away (API Priority and Fairness
	// only).
	Rejected int `json:"rejected"`
	// Depth is how many items were in the queue right after the burst.
	Depth int `json:"depth"`
}

// The metrics of queues (Kubernetes 1.26 to 1.37).
const (
	apfWait        = "apiserver_flowcontrol_request_wait_duration_seconds"
	apfRejected    = "apiserver_flowcontrol_rejected_requests_total"
	workqueueWait  = "workqueue_queue_duration_seconds"
	workqueueDepth = "workqueue_depth"
	schedulingSLI  = "scheduler_pod_scheduling_sli_duration_seconds"
	schedulingWork = "scheduler_scheduling_attempt_duration_seconds"
	schedulingLeft = "scheduler_pending_pods"
)

// Queues lists the queues that took in work during the burst: the API server's
// priority levels, the work queue of the workload's controller, the scheduling queue. Those
// whose metrics were not recorded or cannot be compared are left out.
func Queues(b recording.Burst) []Queue {
	queues := []Queue{}
	if pair, ok := b.Metrics[string(clusters.KubeAPIServer)]; ok {
		queues = append(queues, apf(pair)...)
	}
	if pair, ok := b.Metrics[string(clusters.KubeControllerManager)]; ok {
		if waited, err := rise(pair.Before, pair.After, workqueueWait, "name"); err == nil {
			name := cmp.Or(b.Workload.Queue, "job")
			q := queueOf(string(clusters.KubeControllerManager), name, "workqueue", waited[name])
			q.Depth = int(last(pair, workqueueDepth, "name")[name])
			queues = append(queues, q)
		}
	}
	if pair, ok := b.Metrics[string(clusters.KubeScheduler)]; ok {
		if q, ok := scheduling(pair); ok {
			queues = append(queues, q)
		}
	}
	return slices.DeleteFunc(queues, func(q Queue) bool { return q.Items == 0 && q.Rejected == 0 && q.Depth == 0 })
}

func apf(pair recording.MetricsPair) []Queue {
	waited, err := rise(pair.Before, pair.After, apfWait, "priority_level")
	if err != nil {
		return nil
	}
	before, _ := exposition.Values(pair.Before, apfRejected, "priority_level") // absent until one is rejected
	after, _ := exposition.Values(pair.After, apfRejected, "priority_level")
	var queues []Queue
	for _, level := range slices.Sorted(maps.Keys(waited)) {
		q := queueOf(string(clusters.KubeAPIServer), level, "apf", waited[level])
		q.Rejected = int(max(0, min(after[level]-before[level], maxRequests)))
		queues = append(queues, q)
	}
	return queues
}

// scheduling is the scheduler's queue. Its own time is that from a pod's first
// entry until it is bound, without the attempts to schedule and bind it.
func scheduling(pair recording.MetricsPair) (Queue, bool) {
	whole, err := rise(pair.Before, pair.After, schedulingSLI, "")
	attempts, errAttempts := rise(pair.Before, pair.After, schedulingWork, "")
	if errors.Join(err, errAttempts) != nil {
		return Queue{}, false
	}
	q := queueOf(string(clusters.KubeScheduler), "scheduling", "scheduling", whole[""])
	q.WaitSeconds, q.MaxWaitSeconds = stats.SecondsOf(seconds(max(0, whole[""].Sum-attempts[""].Sum))), 0
	for _, n := range last(pair, schedulingLeft, "queue") {
		q.Depth += int(n)
	}
	return q, true
}

func queueOf(instance, name, kind string, h exposition.Histogram) Queue {
	return Queue{Component: instance, Name: name, Kind: kind, Items: int(min(h.Count, maxRequests)), WaitSeconds: stats.SecondsOf(seconds(h.Sum)), MaxWaitSeconds: stats.SecondsOf(seconds(h.Longest()))}
}

// last are the values after the burst, those that an int cannot hold left out.
func last(pair recording.MetricsPair, name, label string) map[string]float64 {
	values, _ := exposition.Values(pair.After, name, label)
	maps.DeleteFunc(values, func(_ string, v float64) bool { return v < 0 || v > maxRequests })
	return values
}
