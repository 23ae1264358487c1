package listcost

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/exposition"
)

// Names of the kube-apiserver metrics that are read, as ListServed.Counters and
// InformerSample.Server hold them. All except CounterCPU count only pods.
const (
	// CounterWatchCache and CounterEtcd count lists by what served them
	// (apiserver_storage_list_total; with a storage label from Kubernetes 1.35 on).
	CounterWatchCache = "listsFromWatchCache"
	CounterEtcd       = "listsFromEtcd"
	// CounterLists and CounterListSeconds are LISTs (apiserver_request_duration_seconds).
	CounterLists       = "lists"
	CounterListSeconds = "listSeconds"
	// CounterStreams and CounterStreamSeconds are streaming lists up to their
	// bookmark (apiserver_watch_list_duration_seconds).
	CounterStreams       = "streamingLists"
	CounterStreamSeconds = "streamingListSeconds"
	// CounterEvents are watch events sent (apiserver_watch_events_total).
	CounterEvents = "watchEvents"
	// CounterCPU is all CPU time of the process, in seconds; it moves in steps of 10 ms.
	CounterCPU = "cpuSeconds"
)

// counters reads them from an exposition. A metric that the server does not have is
// left out.
func counters(text []byte) (map[string]float64, error) {
	out := map[string]float64{}
	pods := ofPods(text)
	var errs []error
	values := func(name, label string) map[string]float64 {
		found, err := exposition.Values(pods, name, label)
		if err != nil && !errors.Is(err, exposition.ErrNoMetric) {
			errs = append(errs, err)
		}
		return found
	}
	histograms := func(name, label string) map[string]exposition.Histogram {
		found, err := exposition.Histograms(pods, name, label)
		if err != nil && !errors.Is(err, exposition.ErrNoMetric) {
			errs = append(errs, err)
		}
		return found
	}
	for storage, n := range values("apiserver_storage_list_total", "storage") {
		switch storage {
		case "watchcache":
			out[CounterWatchCache] = n
		case "etcd":
			out[CounterEtcd] = n
		}
	}
	if h, ok := histograms("apiserver_request_duration_seconds", "verb")["LIST"]; ok {
		out[CounterLists], out[CounterListSeconds] = h.Count, h.Sum
	}
	if h, ok := histograms("apiserver_watch_list_duration_seconds", "")[""]; ok {
		out[CounterStreams], out[CounterStreamSeconds] = h.Count, h.Sum
	}
	if events, ok := values("apiserver_watch_events_total", "")[""]; ok {
		out[CounterEvents] = events
	}
	cpu, err := exposition.Values(text, "process_cpu_seconds_total", "")
	if err == nil {
		out[CounterCPU] = cpu[""]
	}
	return out, errors.Join(errs...)
}

// ofPods are the exposition's lines about pods themselves, plus all comments.
func ofPods(text []byte) []byte {
	var own bytes.Buffer
	for line := range bytes.Lines(text) {
		switch {
		case bytes.HasPrefix(line, []byte("#")):
			own.Write(line)
		case bytes.Contains(line, []byte(`resource="pods"`)) &&
			(!bytes.Contains(line, []byte(`subresource="`)) || bytes.Contains(line, []byte(`subresource=""`))):
			own.Write(line)
		}
	}
	return own.Bytes()
}

// since returns the differences. A counter that only the later reading has began at
// 0.
func since(before, after map[string]float64) map[string]float64 {
	out := make(map[string]float64, len(after))
	for name, v := range after {
		if d := v - before[name]; d >= 0 {
			out[name] = d
		}
	}
	return out
}

// apiServer reads the counters of the cluster's API server.
func apiServer(ctx context.Context, cluster clusters.Cluster) (map[string]float64, error) {
	var servers []clusters.Instance
	for _, i := range cluster.Instances() {
		if i.Component == clusters.KubeAPIServer {
			servers = append(servers, i)
		}
	}
	if len(servers) != 1 {
		return nil, fmt.Errorf("read kube-apiserver's counters: %w: the cluster has %d of them, and which one answered cannot be told", clusters.ErrUnsupported, len(servers))
	}
	text, err := cluster.Metrics(ctx, servers[0])
	if err != nil {
		return nil, err
	}
	found, err := counters(text)
	if err != nil {
		return nil, fmt.Errorf("read kube-apiserver's counters: %w", err)
	}
	return found, nil
}
