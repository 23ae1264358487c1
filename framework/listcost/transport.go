package listcost

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/rest"
)

// Meter counts what a client asks an API server for and what it gets, at its HTTP
// transport. So it sees all of client-go's own retries, pages and fallbacks, and
// counts bytes of bodies as they are read, whatever Content-Length says. Its methods
// may be called concurrently.
type Meter struct {
	now func() time.Time

	mu       sync.Mutex
	requests []*Request
}

// NewMeter makes a meter with the clock now; nil is time.Now.
func NewMeter(now func() time.Time) *Meter {
	if now == nil {
		now = time.Now
	}
	return &Meter{now: now}
}

// Attach makes clients of the configuration go through the meter.
func (m *Meter) Attach(config *rest.Config) {
	compressed := !config.DisableCompression
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return &transport{meter: m, next: next, compressed: compressed}
	})
}

// Requests are all requests so far, in the order they were sent.
func (m *Meter) Requests() []Request { return m.since(0) }

func (m *Meter) since(first int) []Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := make([]Request, 0, len(m.requests))
	for _, r := range m.requests[min(first, len(m.requests)):] {
		all = append(all, *r)
	}
	return all
}

// Reset forgets all requests; open ones are no longer counted.
func (m *Meter) Reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = nil
}

func (m *Meter) change(r *Request, by func(*Request)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	by(r)
}

type transport struct {
	meter *Meter
	next  http.RoundTripper
	// compressed: ask for gzip, as net/http would. It is done here because net/http
	// hides how many bytes came over the wire.
	compressed bool
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	m := t.meter
	seen := newRequest(request, m.now())
	record := &seen
	m.mu.Lock()
	m.requests = append(m.requests, record)
	m.mu.Unlock()

	unzip := t.compressed && request.Header.Get("Accept-Encoding") == "" && request.Header.Get("Range") == ""
	if unzip {
		// A RoundTripper must not change its request.
		request = request.Clone(request.Context())
		request.Header.Set("Accept-Encoding", "gzip")
	}
	response, err := t.next.RoundTrip(request)
	if err != nil {
		m.change(record, func(r *Request) { r.Err = err })
		return response, err
	}
	m.change(record, func(r *Request) {
		r.Status, r.AuditID, r.Open = response.StatusCode, response.Header.Get("Audit-Id"), true
	})
	wire := &countedBody{ReadCloser: response.Body, ctx: request.Context(), meter: m, record: record}
	body := &decodedBody{wire: wire, reader: wire}
	if unzip && response.Header.Get("Content-Encoding") == "gzip" {
		body.reader = &lazyGzip{wire: wire}
		response.Header.Del("Content-Encoding")
		response.Header.Del("Content-Length")
		response.ContentLength, response.Uncompressed = -1, true
	}
	response.Body = body
	return response, nil
}

// WrappedRoundTripper lets client-go find the transport below.
func (t *transport) WrappedRoundTripper() http.RoundTripper { return t.next }

// countedBody counts what comes over the wire.
type countedBody struct {
	io.ReadCloser
	ctx    context.Context
	meter  *Meter
	record *Request
	// closed: the client wants no more, so a failed read is not an error.
	closed atomic.Bool
}

// Read implements io.Reader.
func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	now := b.meter.now()
	b.meter.change(b.record, func(r *Request) {
		if n > 0 {
			r.WireBytes += int64(n)
			r.LastRead = now
			if r.FirstByte.IsZero() {
				r.FirstByte = now
			}
		}
		r.Open = r.Open && err == nil
	})
	b.failed(err)
	return n, err
}

// failed records that the body broke off, unless the client gave it up.
func (b *countedBody) failed(err error) {
	if err == nil || errors.Is(err, io.EOF) || b.closed.Load() || b.ctx.Err() != nil {
		return
	}
	b.meter.change(b.record, func(r *Request) {
		if r.Err == nil {
			r.Err = err
		}
	})
}

// decodedBody counts what the client reads.
type decodedBody struct {
	wire   *countedBody
	reader io.Reader
}

// Read implements io.Reader.
func (b *decodedBody) Read(p []byte) (int, error) {
	n, err := b.reader.Read(p)
	b.wire.meter.change(b.wire.record, func(r *Request) { r.Bytes += int64(n) })
	b.wire.failed(err)
	return n, err
}

// Close implements io.Closer.
func (b *decodedBody) Close() error {
	b.wire.closed.Store(true)
	b.wire.meter.change(b.wire.record, func(r *Request) { r.Open = false })
	return b.wire.ReadCloser.Close()
}

// lazyGzip reads the header only when the client reads: an answer may not have a body
// yet.
type lazyGzip struct {
	wire *countedBody
	gzip *gzip.Reader
	err  error
}

// Read implements io.Reader.
func (z *lazyGzip) Read(p []byte) (int, error) {
	if z.gzip == nil && z.err == nil {
		z.gzip, z.err = gzip.NewReader(z.wire)
	}
	if z.err != nil {
		return 0, z.err
	}
	return z.gzip.Read(p)
}
