package listcost

import (
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/fingerprint"
	"github.com/podburst/podburst/framework/recording"
)

// Options of a run. Provider, Profiles, Plan and Artifacts are required.
type Options struct {
	// Provider starts the clusters; ProviderReason is the sentence that says why it
	// was taken.
	Provider       clusters.Provider
	ProviderReason string
	// Profiles are measured one after the other, each on a cluster of its own.
	Profiles []clusters.Profile
	// Plan says what is measured. See DefaultPlan.
	Plan Plan
	// Seed of the order of tries.
	Seed int64
	// Artifacts is the folder that gets a folder for this run.
	Artifacts string
	// Environment is the machine's fingerprint.
	Environment fingerprint.Environment
	// Load reads how busy the machine is, before and after each size. Default: it is
	// not read.
	Load func() fingerprint.Load
	// AuditTimeout bounds the wait for the audit log to catch up, once a size. Default: 30 s.
	AuditTimeout time.Duration
	// Progress receives one sentence a step. Default: none.
	Progress func(string)
	// Files is where the run is recorded. Default: recording.Disk.
	Files recording.FileSystem
	// Clock defaults to time.Now.
	Clock func() time.Time

	// keep records what was observed so far. Default: it is not recorded.
	keep func(Observation) error
}

func (o *Options) setDefaults() {
	if o.AuditTimeout == 0 {
		o.AuditTimeout = 30 * time.Second
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	if o.Files == nil {
		o.Files = recording.Disk{}
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.keep == nil {
		o.keep = func(Observation) error { return nil }
	}
}
