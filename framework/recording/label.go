package recording

// Labels that mark what podburst makes in a cluster. Everything it makes there
// carries them, so that it can be told from what it found and be removed again.
const (
	// LabelManagedBy is the common label; podburst's value is ManagedBy.
	LabelManagedBy = "app.kubernetes.io/managed-by"
	ManagedBy      = "podburst"
	// LabelRun holds the run's ID.
	LabelRun = "podburst.dev/run"
	// LabelBurst holds Burst.BurstID; it is on the workload and on each of its pods.
	LabelBurst = "podburst.dev/burst"
)
