package html

import (
	"strconv"

	"github.com/podburst/podburst/framework/timeline"
)

// maxProfiles is how many profiles the palette can tell apart.
const maxProfiles = 8

// lineKey is a profile's entry in a legend.
func lineKey(p *profile) key {
	var d path
	d.move(0, 6)
	d.line(26, 6)
	return key{Class: "bold " + p.class, Path: d.String(), Label: p.name}
}

// marker draws a profile's marker, of a shape of its own.
func marker(number int, x, y, r float64) path {
	var d path
	switch number % 4 {
	case 0: // an octagon reads as a disc
		c := r * 0.41
		d.polygon(x-c, y-r, x+c, y-r, x+r, y-c, x+r, y+c, x+c, y+r, x-c, y+r, x-r, y+c, x-r, y-c)
	case 1:
		d.box(x-r*.9, y-r*.9, 1.8*r, 1.8*r)
	case 2:
		d.polygon(x, y-1.2*r, x+1.15*r, y+.9*r, x-1.15*r, y+.9*r)
	default:
		d.polygon(x, y-1.3*r, x+1.3*r, y, x, y+1.3*r, x-1.3*r, y)
	}
	return d
}

// cross marks what failed.
func cross(x, y, r float64) path {
	var d path
	d.move(x-r, y-r)
	d.line(x+r, y+r)
	d.move(x-r, y+r)
	d.line(x+r, y-r)
	return d
}

// whose says in a few words what a phase of the chain is.
var whose = map[string]string{
	"submit_to_create":   "Job controller creates the pod",
	"create_to_schedule": "scheduler binds it",
	"schedule_to_accept": "kubelet notices it",
	"accept_to_sandbox":  "runtime makes the sandbox",
	"sandbox_to_started": "runtime starts containers",
	"started_to_run":     "kubelet reports Running",
	"run_to_observed":    "the watch delivers it",
	"pod_startup":        "created to observed running (SLI)",
	"submit_to_ready":    "the whole way to Ready",
}

// phaseKeys are the chain's phases as fills, numbered in order.
func phaseKeys() []key {
	var keys []key
	for i, ph := range timeline.Chain() {
		n := strconv.Itoa(i)
		var d path
		d.box(0, 0, 26, 12)
		keys = append(keys, key{Class: "f" + n, Path: d.String(), Digit: strconv.Itoa(i + 1), Label: ph.Name + ": " + whose[ph.Name]})
	}
	return keys
}
