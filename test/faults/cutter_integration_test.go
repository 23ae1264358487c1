//go:build integration

package faults_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/watch"
)

// guarded is a value that several goroutines use.
type guarded[T any] struct {
	mu    sync.Mutex
	value T
}

func (g *guarded[T]) set(value T) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.value = value
}

func (g *guarded[T]) get() T {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.value
}

// cutter stands between a watcher and the API server. It breaks the pods' watch, and
// can answer in the API server's place when the watch is resumed.
type cutter struct {
	l       *lab
	watcher *watch.Watcher

	mu      sync.Mutex
	cut     context.CancelFunc    // for the open stream
	answers []metav1.StatusReason // for the next requests
	held    chan struct{}         // closed: requests pass
	opened  int                   // streams that the API server has answered
}

func newCutter(l *lab) *cutter {
	c := &cutter{l: l, held: make(chan struct{})}
	close(c.held)
	c.watcher = l.watch(cuttable{l.cluster, c}, watch.Options{})
	return c
}

// cuttable is a cluster whose clients go through a cutter.
type cuttable struct {
	clusters.Cluster
	cutter *cutter
}

func (c cuttable) RESTConfig() *rest.Config {
	config := c.Cluster.RESTConfig()
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return passage{c.cutter, next} })
	return config
}

// now breaks the watch and waits until it is open again, after the given answers.
func (c *cutter) now(ctx context.Context, answers ...metav1.StatusReason) error {
	c.mu.Lock()
	before := c.opened
	c.answers = answers
	c.cut()
	c.mu.Unlock()
	return c.l.eventually(ctx, "the watch to open again", func() (bool, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.opened > before, nil
	})
}

// hold breaks the watch and keeps it down until release is called.
func (c *cutter) hold() (release func(answers ...metav1.StatusReason)) {
	held := make(chan struct{})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = held
	c.cut()
	return func(answers ...metav1.StatusReason) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.answers = answers
		close(held)
	}
}

type passage struct {
	*cutter
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (p passage) RoundTrip(request *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(request.URL.Path, "/pods") || request.URL.Query().Get("watch") == "" {
		return p.next.RoundTrip(request)
	}
	p.mu.Lock()
	held := p.held
	p.mu.Unlock()
	select {
	case <-held:
	case <-request.Context().Done():
		return nil, request.Context().Err()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.answers) > 0 {
		reason := p.answers[0]
		p.answers = p.answers[1:]
		return refusal(request, reason)
	}
	ctx, cut := context.WithCancel(request.Context())
	response, err := p.next.RoundTrip(request.WithContext(ctx))
	p.cut = cut
	if err == nil {
		p.opened++
		response.Body = breaking{response.Body, ctx}
	}
	return response, err
}

// breaking is a stream that, when cut, ends like one whose connection is lost.
type breaking struct {
	io.ReadCloser
	cut context.Context
}

func (b breaking) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && b.cut.Err() != nil {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// refusal is the API server's answer with that reason.
func refusal(request *http.Request, reason metav1.StatusReason) (*http.Response, error) {
	code := map[metav1.StatusReason]int32{metav1.StatusReasonExpired: http.StatusGone, metav1.StatusReasonTooManyRequests: http.StatusTooManyRequests}[reason]
	text, err := json.Marshal(metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure, Reason: reason, Code: code, Message: "by the test",
	})
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: int(code), Status: http.StatusText(int(code)), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(text)), Request: request,
	}, nil
}
