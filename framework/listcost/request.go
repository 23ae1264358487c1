package listcost

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The verbs of Request, in addition to those of HTTP.
const (
	VerbList          = "LIST"
	VerbWatch         = "WATCH"
	VerbStreamingList = "STREAMING LIST"
)

// Request is one HTTP request as the transport saw it.
type Request struct {
	// Verb is VerbList, VerbWatch or VerbStreamingList for a GET of a collection,
	// otherwise the HTTP method.
	Verb     string
	Resource string
	// Query are the parameters, sorted, as sent; see stable.
	Query  string
	Accept string
	// Status is 0 until the request is answered.
	Status int
	// AuditID is the API server's ID for it.
	AuditID string
	// Bytes and WireBytes are how many bytes of the body were read, after and before
	// decompression.
	Bytes, WireBytes int64
	// Sent is when the transport got the request; FirstByte and LastRead are
	// when the first and the latest bytes of the body were read. Zero: not yet.
	Sent, FirstByte, LastRead time.Time
	// Deadline: the request's context has a deadline.
	Deadline bool
	// TimeoutSeconds is after how long the server was asked to end a watch; 0: it was
	// not asked.
	TimeoutSeconds float64
	// Open: the body has been neither read to its end nor closed.
	Open bool
	// Err is why it was not answered or why its body broke off; nil if neither
	// happened.
	Err error
}

func newRequest(r *http.Request, now time.Time) Request {
	query := r.URL.Query()
	out := Request{Verb: r.Method, Query: query.Encode(), Accept: r.Header.Get("Accept"), Sent: now}
	out.TimeoutSeconds, _ = strconv.ParseFloat(query.Get("timeoutSeconds"), 64)
	_, out.Deadline = r.Context().Deadline()
	resource, whole := collection(r.URL.Path)
	out.Resource = resource
	watching := query.Get("watch") == "true" || query.Get("watch") == "1"
	switch {
	case r.Method != http.MethodGet || !whole:
	case watching && query.Get("sendInitialEvents") == "true":
		out.Verb = VerbStreamingList
	case watching:
		out.Verb = VerbWatch
	default:
		out.Verb = VerbList
	}
	return out
}

// collection names the resource in a path of the Kubernetes API; whole tells whether
// it is all objects (of a namespace) or one.
func collection(path string) (resource string, whole bool) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case len(parts) > 2 && parts[0] == "api":
		parts = parts[2:]
	case len(parts) > 3 && parts[0] == "apis":
		parts = parts[3:]
	default:
		return "", false
	}
	if parts[0] == "namespaces" && len(parts) > 2 {
		parts = parts[2:]
	}
	return parts[0], len(parts) == 1
}

// stable is a query in which whatever differs each time is replaced by "*": continue
// tokens, timeouts that reflectors draw at random, and resourceVersions other than
// "0".
func stable(query string) string {
	values, err := url.ParseQuery(query)
	if err != nil {
		return query
	}
	for _, name := range []string{"continue", "timeout", "timeoutSeconds", "resourceVersion"} {
		if v := values.Get(name); v != "" && (name != "resourceVersion" || v != "0") {
			values.Set(name, "*")
		}
	}
	text, err := url.QueryUnescape(values.Encode())
	if err != nil {
		return query
	}
	return text
}

// Sum groups requests by verb, resource, parameters and encoding, in that order.
func Sum(requests []Request) []RequestCount {
	type key struct {
		verb, resource, query, accept string
		deadline                      bool
	}
	sums := map[key]*RequestCount{}
	var order []*RequestCount
	for i := range requests {
		r := &requests[i]
		k := key{r.Verb, r.Resource, stable(r.Query), r.Accept, r.Deadline}
		c := sums[k]
		if c == nil {
			c = &RequestCount{Verb: k.verb, Resource: k.resource, Query: k.query, Accept: k.accept, Deadline: k.deadline}
			sums[k] = c
			order = append(order, c)
		}
		c.Requests++
		c.Bytes += r.Bytes
		c.WireBytes += r.WireBytes
		if r.Err != nil || r.Status >= http.StatusBadRequest {
			c.Errors++
		}
		if t := r.TimeoutSeconds; t > 0 {
			if c.MinTimeoutSeconds == 0 || t < c.MinTimeoutSeconds {
				c.MinTimeoutSeconds = t
			}
			c.MaxTimeoutSeconds = max(c.MaxTimeoutSeconds, t)
		}
	}
	out := make([]RequestCount, 0, len(order))
	for _, c := range order {
		out = append(out, *c)
	}
	slices.SortStableFunc(out, func(a, b RequestCount) int {
		return strings.Compare(a.Verb+"\x00"+a.Resource+"\x00"+a.Query, b.Verb+"\x00"+b.Resource+"\x00"+b.Query)
	})
	return out
}
