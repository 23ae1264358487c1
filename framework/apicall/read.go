package apicall

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/exposition"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/station/evidence"
)

// Metric is the API server's histogram of the SLI.
const Metric = "apiserver_request_sli_duration_seconds"

// Calls are the requests of one burst by kind.
type Calls struct {
	// Audited are those of the audit log: all requests in the burst's namespace. Empty
	// without an audit log.
	Audited map[Call]Latencies
	// Exposed are those of Metric: all requests between its two readings.
	Exposed map[Call]Latencies
	// Torn says of which calls the audit log has a request that was answered before it
	// was received, as it cannot be.
	Torn map[Call]int
	// Err says why Exposed is empty. It wraps an error of framework/station/evidence.
	Err error
}

// Of reads the burst's calls.
func Of(b *recording.Burst) Calls {
	c := Calls{Audited: map[Call]Latencies{}, Torn: map[Call]int{}}
	for i := range b.Audit {
		e := &b.Audit[i]
		if call, ok := callOf(e); ok && (e.Received.IsZero() || e.Completed.Before(e.Received)) {
			c.Torn[call]++
		}
	}
	requests := evidence.RequestsOf(b).Events
	for i := range requests {
		e := &requests[i]
		if call, ok := callOf(e); ok {
			l := c.Audited[call]
			l.Seconds = append(l.Seconds, e.Completed.Sub(e.Received).Seconds())
			c.Audited[call] = l
		}
	}
	c.Exposed, c.Err = exposed(b)
	return c
}

// callOf is false for long-running requests and for those of no resource.
func callOf(e *recording.AuditEvent) (Call, bool) {
	scope := Cluster
	switch {
	case e.Name != "":
		scope = OneObject
	case e.Namespace != "":
		scope = Namespace
	}
	call := newCall(e.Verb, e.Resource, e.APIGroup, e.Subresource, scope)
	return call, slices.Contains(Verbs(), call.Verb) && IsResource(call.Resource) &&
		(call.Subresource == "" || IsSubresource(call.Subresource) && !Streams(call.Subresource))
}

func exposed(b *recording.Burst) (map[Call]Latencies, error) {
	api := evidence.ProcessOf(b, string(clusters.KubeAPIServer))
	var strange []string
	rose, err := evidence.HistogramsBy(api, Metric, func(s exposition.Series) (Call, bool) {
		verb, known := verbs[s.Label("verb")]
		call := newCall(verb, s.Label("resource"), s.Label("group"), s.Label("subresource"), Scope(s.Label("scope")))
		if !known || s.Label("resource") == "" || Streams(call.Subresource) {
			return Call{}, false // long-running, or of no resource (/healthz)
		}
		if !IsResource(call.Resource) || call.Subresource != "" && !IsSubresource(call.Subresource) || !slices.Contains(Scopes(), string(call.Scope)) {
			strange = append(strange, fmt.Sprintf("%.80q", call.String()))
		}
		return call, true
	})
	if len(strange) > 0 {
		return nil, fmt.Errorf("%w: %s is of %s, which is no kind of request", evidence.ErrTorn, Metric, slices.Min(strange))
	}
	if errors.Is(err, evidence.ErrRestarted) {
		return nil, fmt.Errorf("%w: another kube-apiserver answered after the burst than before it, as happens where several take turns", err)
	}
	if err != nil {
		return nil, err
	}
	calls := map[Call]Latencies{}
	for call, h := range rose {
		if h.Count > maxRequests {
			return nil, fmt.Errorf("%w: %s rose by %g", evidence.ErrTorn, Metric, h.Count)
		}
		if l := bucketed(h); l.Count() > 0 {
			calls[call] = l
		}
	}
	return calls, nil
}

// maxRequests is more than an API server answers during a burst.
const maxRequests = 1e12

// Source says where latencies were read.
type Source string

// The sources.
const (
	// Audit is the audit log: exact, and of the burst's namespace.
	Audit Source = "audit"
	// Metrics are the two readings of Metric: bounds, and of the whole cluster.
	Metrics Source = "metrics"
	// Both is for latencies of several bursts, read here and there.
	Both Source = "audit+metrics"
)

// Latencies returns those of one call: exact if the audit log has any, else bounds. A
// call without requests has none; the error is for what cannot be known.
func (c Calls) Latencies(call Call) (l Latencies, from Source, err error) {
	if n := c.Torn[call]; n > 0 {
		return Latencies{}, "", fmt.Errorf("%w: by the audit log %d of its requests were answered before they were received", evidence.ErrTorn, n)
	}
	if l, ok := c.Audited[call]; ok {
		return l, Audit, nil
	}
	if c.Err != nil {
		return Latencies{}, "", c.Err
	}
	if l, ok := c.Exposed[call]; ok {
		return l, Metrics, nil
	}
	return Latencies{}, "", nil
}

// Seen lists all calls that have requests, by name.
func (c Calls) Seen() []Call {
	all := map[Call]bool{}
	for call := range c.Torn {
		all[call] = true
	}
	for call := range c.Audited {
		all[call] = true
	}
	for call := range c.Exposed {
		all[call] = true
	}
	return slices.SortedFunc(maps.Keys(all), Call.Compare)
}

// Absent tells whether err, from Err, means that such a cluster does not give the
// metrics. Any other error is a fault: they could be read and make no sense, or should
// have been readable.
func Absent(err error) bool {
	for _, absent := range []error{evidence.ErrUnavailable, evidence.ErrNotRecorded, evidence.ErrNoMetric, evidence.ErrRestarted} {
		if errors.Is(err, absent) {
			return true
		}
	}
	return false
}
