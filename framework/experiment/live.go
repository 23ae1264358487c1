package experiment

import (
	"fmt"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/watch"
)

// Live is the state of a running burst.
type Live struct {
	// Label says which burst it is: "profile tuned, burst 2 of 3".
	Label string
	// Profile is its profile; Index its number, from 1, among the profile's Bursts;
	// Block its block, if the run has blocks.
	Profile              string
	Index, Bursts, Block int
	// Warmup marks a warm-up, whose Index counts warm-ups from 0.
	Warmup bool
	// Pods is how many were asked for; 0: not known.
	Pods int
	// Floor is the least time that kube-controller-manager's limiter needs to create
	// them (station.Spread); nil: its limits are not known, or others send the pods.
	Floor *time.Duration
	// Counts are its pods by how far they have got.
	Counts watch.Counts
	// Elapsed is the time since the burst was submitted, or observing began.
	Elapsed time.Duration
}

// String is one line for people.
func (l Live) String() string {
	of := ""
	if l.Counts.Expected > 0 {
		of = fmt.Sprintf("of %d pods ", l.Counts.Expected)
	}
	return fmt.Sprintf("%s: %.1f s, %s%d created, %d scheduled, %d running, %d ready",
		l.Label, l.Elapsed.Seconds(), of, l.Counts.Seen, l.Counts.Scheduled, l.Counts.Running, l.Counts.Ready)
}

// live is the state of a planned burst before it is sent.
func (a *Arm) live(label string, o burst.Options) Live {
	pods := o.Load.Terms().Pods
	l := Live{
		Label: label, Profile: a.profile.Metadata.Name, Index: o.Index, Bursts: a.experiment.options.Bursts, Block: o.Block,
		Warmup: o.Warmup, Pods: pods, Counts: watch.Counts{Expected: pods},
	}
	if limits, known := a.Record.Effective[string(clusters.KubeControllerManager)]; known && !o.Load.Terms().Others() {
		floor := station.Spread(pods, limits)
		l.Floor = &floor
	}
	return l
}
