//go:build integration

package causes

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/embedded"
)

// starvedObserver holds back what the observer's watches receive by WatchDelay while a
// burst has the cause.
func starvedObserver(testing.TB) *injection {
	on := &atomic.Bool{}
	set := func(to bool) func(context.Context, *bench) error {
		return func(context.Context, *bench) error { on.Store(to); return nil }
	}
	return &injection{
		wrap:  func(c clusters.Cluster) clusters.Cluster { return delayed{c.(*embedded.Cluster), on} },
		start: set(true), stop: set(false),
	}
}

// delayed is a cluster whose watches are seen late.
type delayed struct {
	*embedded.Cluster
	on *atomic.Bool
}

func (d delayed) Unwrap() clusters.Cluster { return d.Cluster }

func (d delayed) RESTConfig() *rest.Config {
	config := d.Cluster.RESTConfig()
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return transport(func(r *http.Request) (*http.Response, error) {
			answer, err := next.RoundTrip(r)
			if err == nil && r.URL.Query().Get("watch") == "true" {
				answer.Body = late(answer.Body, d.on)
			}
			return answer, err
		})
	})
	return config
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// late passes on what body has, WatchDelay after it came if on is set then.
func late(body io.ReadCloser, on *atomic.Bool) io.ReadCloser {
	type piece struct {
		at   time.Time
		data []byte
		err  error
	}
	pieces := make(chan piece, 1<<16)
	go func() {
		for {
			buffer := make([]byte, 32<<10)
			n, err := body.Read(buffer)
			at := time.Now()
			if on.Load() {
				at = at.Add(WatchDelay)
			}
			pieces <- piece{at, buffer[:n], err}
			if err != nil {
				close(pieces)
				return
			}
		}
	}()
	read, write := io.Pipe()
	go func() {
		for p := range pieces {
			time.Sleep(time.Until(p.at))
			if _, err := write.Write(p.data); err != nil {
				return // the reader has left; body's own end frees the other goroutine
			}
			if p.err != nil {
				_ = write.CloseWithError(p.err)
			}
		}
	}()
	return closer{read, body}
}

type closer struct {
	*io.PipeReader
	body io.Closer
}

func (c closer) Close() error {
	_ = c.PipeReader.Close()
	return c.body.Close()
}
