package experiment

import "github.com/podburst/podburst/framework/recording"

// Kind tells programs that follow a run what a step is. Most steps have none.
type Kind string

// The kinds of steps that a program may wait for.
const (
	RunStart     Kind = "run-start"
	ClusterReady Kind = "cluster-ready"
	BurstStart   Kind = "burst-start"
	BurstEnd     Kind = "burst-end"
)

// Step is one step of a run.
type Step struct {
	Kind Kind
	// Message is a sentence for people.
	Message string
	// Run and Dir are the run's ID and folder, for RunStart.
	Run, Dir string
	// State is the state of the burst, for BurstStart and BurstEnd; for ClusterReady
	// it has the profile and how long the cluster took.
	State Live
	// EndReason is why the burst ended, for BurstEnd; empty if it could not be sent.
	EndReason recording.EndReason
}
