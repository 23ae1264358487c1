package html

import (
	"strconv"

	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/document/svg"
)

// whose says in a few words whose work a phase of the chain is.
func (v *view) whose(phase string) string {
	if phase == "submit_to_create" {
		return v.Workload().Controller + " creates the pod"
	}
	return whose[phase]
}

// whose has the words for all phases except the workload controller's own.
var whose = map[string]string{
	"create_to_schedule": "scheduler binds it",
	"schedule_to_accept": "kubelet notices it",
	"accept_to_sandbox":  "runtime makes the sandbox",
	"sandbox_to_started": "runtime starts containers",
	"started_to_run":     "kubelet reports Running",
	"run_to_observed":    "the watch delivers it",
	"pod_startup":        "created to observed running (SLI)",
	"submit_to_ready":    "the whole way to Ready",
}

// lineKey is a profile's entry in a legend.
func lineKey(p *profile) svg.Key { return svg.NewKey("bold "+p.class, svg.KeyLine(), p.name) }

// phaseKeys returns the chain's phases as fills, numbered in order.
func (v *view) phaseKeys() []svg.Key {
	var keys []svg.Key
	for i, ph := range timeline.Chain() {
		k := svg.NewKey("f"+strconv.Itoa(i), svg.KeyBox(), ph.Name+": "+v.whose(ph.Name))
		k.Digit = strconv.Itoa(i + 1)
		keys = append(keys, k)
	}
	return keys
}
