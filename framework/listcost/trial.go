package listcost

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/podburst/podburst/framework/watch"
)

// trialTimeout bounds one try of a client style.
const trialTimeout = 2 * time.Minute

// try runs one crowd: start it, wait until all have seen every pod, then change some
// pods and wait until all have seen the changes.
func (m *measurement) try(ctx context.Context, style Style, consumers, round int) InformerSample {
	sample := InformerSample{Style: string(style), Consumers: consumers, Round: round}
	ctx, cancel := context.WithTimeout(ctx, trialTimeout)
	defer cancel()
	if err := m.attempt(ctx, style, &sample); err != nil {
		sample.Error = err.Error()
	}
	return sample
}

func (m *measurement) attempt(ctx context.Context, style Style, sample *InformerSample) error {
	meter := NewMeter(m.Clock)
	client, err := crowdClient(m.Cluster.RESTConfig(), meter)
	if err != nil {
		return err
	}
	// Connect before the clock runs.
	if _, err := client.Discovery().ServerVersion(); err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	meter.Reset()
	counted := m.counters(ctx)
	live := liveHeap()
	before, began := readUsage(), m.Clock()
	crowd, err := start(ctx, style, sample.Consumers, client, m.Namespace)
	if err != nil {
		return err
	}
	defer crowd.stop()
	if err := crowd.wait(ctx, "all pods are seen", func(seen, _ int) bool { return seen >= m.pods.made }); err != nil {
		sample.Sync = Sum(meter.Requests())
		return err
	}
	sample.SyncedSeconds = m.Clock().Sub(began).Seconds()
	after := readUsage()
	if before.cpuKnown && after.cpuKnown {
		seconds := (after.cpu - before.cpu).Seconds()
		sample.CPUSeconds = &seconds
	}
	sample.AllocatedBytes = after.allocated - before.allocated
	sample.LiveBytes = liveHeap() - live
	settle(ctx, meter)
	synced := meter.Requests()
	sample.Sync = Sum(synced)
	for _, r := range synced {
		if r.Open && r.Verb != VerbList {
			sample.OpenWatches++
		}
	}

	value := fmt.Sprintf("%s-%d-%d-%d", style, sample.Consumers, m.pods.made, sample.Round)
	for _, one := range crowd.consumers {
		one.await(value)
	}
	began = m.Clock()
	changes := min(m.Plan.Changes, m.pods.made)
	if err := m.pods.change(ctx, changes, value); err != nil {
		return err
	}
	if err := crowd.wait(ctx, "all changes are seen", func(_, changed int) bool { return changed >= changes }); err != nil {
		return err
	}
	sample.ChangesSeconds = m.Clock().Sub(began).Seconds()
	sample.Delivered = crowd.delivered()
	sample.Changes = Sum(difference(synced, meter.Requests()))
	if counted != nil {
		if later := m.counters(ctx); later != nil {
			sample.Server = since(counted, later)
		}
	}
	runtime.KeepAlive(crowd)
	return nil
}

// settle waits until there is an open watch for every full read: an informer that
// began with a LIST is synced before it watches.
func settle(ctx context.Context, meter *Meter) {
	for range 100 {
		reads, open := 0, 0
		for _, r := range meter.Requests() {
			answered := r.Err == nil && r.Status == http.StatusOK
			switch {
			case r.Verb == VerbStreamingList && answered:
				reads++
				if r.Open {
					open++
				}
			case r.Verb == VerbWatch && answered && r.Open:
				open++
			case r.Verb == VerbList && answered:
				reads++
			}
		}
		if open > 0 && open >= reads {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// difference is what came after the earlier reading: new requests, and what was read
// from open ones.
func difference(before, after []Request) []Request {
	var out []Request
	for i, r := range after {
		if i < len(before) {
			if r.Bytes == before[i].Bytes && r.WireBytes == before[i].WireBytes {
				continue
			}
			r.Bytes -= before[i].Bytes
			r.WireBytes -= before[i].WireBytes
		}
		out = append(out, r)
	}
	return out
}

// crowdClient is a client like a controller's: protobuf, but without a limiter, which
// would decide the result.
func crowdClient(config *rest.Config, meter *Meter) (kubernetes.Interface, error) {
	if config.QPS >= 0 || config.RateLimiter != nil {
		return nil, fmt.Errorf("make a client for %s: it would have a limiter: set QPS to -1", config.Host)
	}
	config = rest.CopyConfig(config)
	config.UserAgent = watch.UserAgent()
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = acceptProtobuf
	meter.Attach(config)
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("make a client for %s: %w", config.Host, err)
	}
	return client, nil
}
