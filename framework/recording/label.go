package recording

// Labels that mark what podburst creates in a cluster. Everything it creates there
// carries them, so that it can be told from what was there before, and be removed
// again.
const (
	// LabelManagedBy is the common label; podburst's value is ManagedBy.
	LabelManagedBy = "app.kubernetes.io/managed-by"
	ManagedBy      = "podburst"
	// LabelRun holds the run's ID.
	LabelRun = "podburst.dev/run"
	// LabelBurst holds Burst.BurstID; the workload and each of its pods have it.
	LabelBurst = "podburst.dev/burst"
)
