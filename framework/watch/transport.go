package watch

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
)

const podsResource = "pods"

// requests are what one resource's reflector asked the API server for.
type requests struct {
	// lists count first pages only: further pages belong to the same read.
	lists, streamingLists, watches int
	// errors are requests that failed or got a status of 400 or above, and streams
	// that broke; throttled of them got a 429.
	errors, throttled int
	// relists are full reads that were answered after the first sync.
	relists int
	// down: there was an error, and no watch has been answered since.
	down  bool
	bytes int64
}

// counter counts what the observer asks the API server for. It sees the requests
// themselves, so that nothing depends on what client-go reports.
type counter struct {
	mu        sync.Mutex
	synced    bool
	resources map[string]*requests
	lists     map[string]bool
}

// wrap is a WrapperFunc of client-go's transport package.
func (c *counter) wrap(next http.RoundTripper) http.RoundTripper {
	return countingTransport{counter: c, next: next}
}

type countingTransport struct {
	*counter
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (t countingTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	resource := collection(request)
	if resource == "" {
		return t.next.RoundTrip(request)
	}
	query := request.URL.Query()
	watching := query.Get("watch") == "true" || query.Get("watch") == "1"
	fullRead := !watching && query.Get("continue") == ""
	t.count(resource, func(r *requests) {
		switch {
		case watching && query.Get("sendInitialEvents") == "true":
			r.streamingLists++
			fullRead = true
		case watching:
			r.watches++
		case fullRead:
			r.lists++
		}
		// A reflector works in sequence: what it decodes between a LIST and
		// the next WATCH are the list's items.
		t.lists[resource] = !watching
	})

	response, err := t.next.RoundTrip(request)
	if err != nil {
		if request.Context().Err() == nil {
			t.count(resource, func(r *requests) { r.errors, r.down = r.errors+1, true })
		}
		return response, err
	}
	t.count(resource, func(r *requests) {
		switch {
		case response.StatusCode >= http.StatusBadRequest:
			r.errors, r.down = r.errors+1, true
			if response.StatusCode == http.StatusTooManyRequests {
				r.throttled++
			}
		case fullRead && t.synced:
			r.relists++
			fallthrough
		default:
			r.down = r.down && !watching
		}
	})
	response.Body = &countedBody{ReadCloser: response.Body, request: request, counter: t.counter, resource: resource}
	return response, nil
}

// collection names the core resource whose collection a GET reads (".../api/v1/pods",
// ".../api/v1/namespaces/x/pods"); empty if it reads none.
func collection(request *http.Request) string {
	if request.Method != http.MethodGet {
		return ""
	}
	_, path, ok := strings.Cut(request.URL.Path, "/api/v1/")
	if !ok {
		return ""
	}
	parts := strings.Split(path, "/")
	switch {
	case len(parts) == 1:
		return parts[0]
	case len(parts) == 3 && parts[0] == "namespaces":
		return parts[2]
	}
	return ""
}

func (c *counter) count(resource string, change func(*requests)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.resources == nil {
		c.resources = map[string]*requests{}
		c.lists = map[string]bool{}
	}
	r := c.resources[resource]
	if r == nil {
		r = &requests{}
		c.resources[resource] = r
	}
	change(r)
}

func (c *counter) markSynced() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.synced = true
}

// listing reports whether what the resource's reflector is decoding came from a LIST.
func (c *counter) listing(resource string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lists[resource]
}

// counts are the resource's, except throttled, which counts all resources.
func (c *counter) counts(resource string) requests {
	c.mu.Lock()
	defer c.mu.Unlock()
	var sum requests
	if r := c.resources[resource]; r != nil {
		sum = *r
	}
	sum.throttled = 0
	for _, r := range c.resources {
		sum.throttled += r.throttled
	}
	return sum
}

// countedBody counts bytes, and notes a stream that breaks instead of ending.
type countedBody struct {
	io.ReadCloser
	request  *http.Request
	counter  *counter
	resource string
	broken   sync.Once
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.counter.count(b.resource, func(r *requests) { r.bytes += int64(n) })
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, http.ErrBodyReadAfterClose) && b.request.Context().Err() == nil {
		b.broken.Do(func() { b.counter.count(b.resource, func(r *requests) { r.errors, r.down = r.errors+1, true }) })
	}
	return n, err
}
