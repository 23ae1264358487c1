//go:build integration

package causes

import "testing"

// injections put the causes into bursts that are no matter of their profile.
var injections = map[string]func(testing.TB) *injection{
	"busy-processors":  busyProcessors,
	"webhook":          slowWebhook,
	"starved-of-seats": seats,
	"etcd":             slowEtcd,
	"extender":         slowExtender,
	"image-pulls":      pulls,
	"gated":            gates,
	"full-nodes":       fullNodes,
	"starved-observer": starvedObserver,
}
