package station

import (
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/exposition"
	"github.com/podburst/podburst/framework/recording"
)

// Queue is a queue other than a client-side limiter in which work of the burst
// may have waited.
type Queue struct {
	// Instance is the process that has the queue.
	Instance string
	// Name is the queue's: a priority level of API Priority and Fairness
	// ("workload-high"), a controller's work queue ("job"), "scheduling".
	Name string
	// Kind is "apf", "workqueue" or "scheduling".
	Kind string
	// Items went through the queue during the burst, and waited Wait together.
	Items int
	Wait  time.Duration
	// MaxWait bounds the longest wait from above, by the histogram's buckets;
	// 0 where the metrics do not tell (the scheduling queue).
	MaxWait time.Duration
	// Rejected were refused by the queue (API Priority and Fairness).
	Rejected int
	// Depth is how many were in the queue right after the burst.
	Depth int
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
// priority levels, the Job controller's work queue, the scheduling queue. Those
// whose metrics were not recorded or cannot be compared are left out.
func Queues(b recording.Burst) []Queue {
	var queues []Queue
	if pair, ok := b.Metrics[string(clusters.KubeAPIServer)]; ok {
		queues = append(queues, apf(pair)...)
	}
	if pair, ok := b.Metrics[string(clusters.KubeControllerManager)]; ok {
		if waited, err := rise(pair.Before, pair.After, workqueueWait, "name"); err == nil {
			q := queueOf(string(clusters.KubeControllerManager), "job", "workqueue", waited["job"])
			q.Depth = int(last(pair, workqueueDepth, "name")["job"])
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
	q.Wait, q.MaxWait = seconds(max(0, whole[""].Sum-attempts[""].Sum)), 0
	for _, n := range last(pair, schedulingLeft, "queue") {
		q.Depth += int(n)
	}
	return q, true
}

func queueOf(instance, name, kind string, h exposition.Histogram) Queue {
	return Queue{Instance: instance, Name: name, Kind: kind, Items: int(min(h.Count, maxRequests)), Wait: seconds(h.Sum), MaxWait: seconds(h.Longest())}
}

// last are the values after the burst, those that an int cannot hold left out.
func last(pair recording.MetricsPair, name, label string) map[string]float64 {
	values, _ := exposition.Values(pair.After, name, label)
	maps.DeleteFunc(values, func(_ string, v float64) bool { return v < 0 || v > maxRequests })
	return values
}
