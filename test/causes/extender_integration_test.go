//go:build integration

package causes

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters/embedded"
)

// slowExtender is an extender of the scheduler that filters no node out. With the cause
// it takes ExtenderDelay for each pod, without it no time.
func slowExtender(t testing.TB) *injection {
	var (
		mu  sync.Mutex
		now *bench
	)
	// The wire format of k8s.io/kube-scheduler/extender/v1 with nodeCacheCapable.
	type arguments struct{ NodeNames *[]string }
	type result struct{ NodeNames *[]string }
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from := time.Now()
		var asked arguments
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		mu.Lock()
		b := now
		mu.Unlock()
		if b != nil {
			time.Sleep(ExtenderDelay)
			b.works(from, time.Now())
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(result(asked)) // a client that is gone needs no answer
	}))
	t.Cleanup(server.Close)
	set := func(b *bench) error {
		mu.Lock()
		defer mu.Unlock()
		now = b
		return nil
	}
	return &injection{
		options: func(o *embedded.Options) {
			o.SchedulerConfiguration = fmt.Sprintf("extenders:\n- urlPrefix: %s\n  filterVerb: filter\n  nodeCacheCapable: true\n  enableHTTPS: false\n  httpTimeout: 30s\n", server.URL)
		},
		start: func(_ context.Context, b *bench) error { return set(b) },
		stop:  func(context.Context, *bench) error { return set(nil) },
	}
}
