package existing

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
)

func TestCPUProfilesComeThroughTheAPIServer(t *testing.T) {
	s := newServer(t)
	s.text["/debug/pprof/profile"] = "of the API server"
	s.text["/api/v1/nodes/node-1/proxy/debug/pprof/profile"] = "of the kubelet"
	c := s.create(t, Options{})
	for instance, want := range map[clusters.Instance]string{apiserver: "of the API server", node1: "of the kubelet"} {
		if got, err := c.CPUProfile(t.Context(), instance, time.Second); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", instance, got, err)
		}
	}
	for instance, want := range map[clusters.Instance]string{scheduler: "on its own node", node2: "it serves no profiles"} {
		if _, err := c.CPUProfile(t.Context(), instance, time.Second); !errors.Is(err, clusters.ErrUnsupported) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one that says %q", instance, err, want)
		}
	}
}

// The shipped manifest does not grant profiles, and is not widened in silence.
func TestARefusedCPUProfileNamesTheRight(t *testing.T) {
	s := newServer(t)
	s.forbidden = []string{"/debug/", "/api/v1/nodes/node-1/proxy/debug/"}
	c := s.create(t, Options{})
	for instance, want := range map[clusters.Instance]string{apiserver: "lacks get on the nonResourceURL /debug/pprof/profile", node1: "lacks get on nodes/proxy"} {
		if _, err := c.CPUProfile(t.Context(), instance, time.Second); !errors.Is(err, clusters.ErrUnsupported) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one that says %q", instance, err, want)
		}
	}
}
