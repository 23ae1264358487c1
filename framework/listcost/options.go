package listcost

import (
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/fingerprint"
	"github.com/podburst/podburst/framework/recording"
)

// Options of a run. Provider, Profiles, Plan and Artifacts are required.
type Options struct {
	// Provider starts the clusters; ProviderReason is a sentence that says why it was
	// chosen.
	Provider       clusters.Provider
	ProviderReason string
	// Profiles are measured one after the other, each on its own cluster.
	Profiles []clusters.Profile
	// Plan says what is measured. See DefaultPlan.
	Plan Plan
	// Seed of the order of tries.
	Seed int64
	// Artifacts is the folder in which the run's folder is created.
	Artifacts string
	// Environment is the machine's fingerprint.
	Environment fingerprint.Environment
	// Load reads how busy the machine is, before and after each size. Default: not
	// read.
	Load func() fingerprint.Load
	// AuditTimeout bounds the wait, once per size, for the audit log to catch up.
	// Default: 30 s.
	AuditTimeout time.Duration
	// Progress receives one sentence per step. Default: none.
	Progress func(string)
	// Files is where the run is recorded. Default: recording.Disk.
	Files recording.FileSystem
	// Clock defaults to time.Now.
	Clock func() time.Time

	// keep records what was observed so far. Default: not recorded.
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
