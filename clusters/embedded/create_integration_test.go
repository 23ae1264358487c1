//go:build integration

package embedded

import (
	"testing"
)

func TestSmoke(t *testing.T) {
	c := create(t, newTestProvider(t), profile("default"))
	e, err := c.EffectiveConfig(t.Context())
	t.Log(e, err)
	for _, i := range c.Instances() {
		m, err := c.Metrics(t.Context(), i)
		t.Log(i, len(m), err)
	}
	ps, _ := c.Processes(t.Context())
	t.Log(ps)
}
