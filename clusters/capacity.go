package clusters

import "fmt"

// Capacity is how many pods the workers may hold: workers × maxPods, with
// defaults for what is unset. System pods take some of it, if the provider runs
// any.
func (p Profile) Capacity() int {
	spec := p.WithDefaults().Spec
	return *spec.Topology.Workers * *spec.Kubelet.MaxPods
}

// CheckBurst returns an error if a burst of that many pods can never be
// entirely ready.
func (p Profile) CheckBurst(pods int) error {
	if pods < 1 {
		return fmt.Errorf("a burst of %d pods: it takes at least 1", pods)
	}
	if capacity := p.Capacity(); pods > capacity {
		spec := p.WithDefaults().Spec
		workers, maxPods := *spec.Topology.Workers, *spec.Kubelet.MaxPods
		nodes := "nodes"
		if workers == 1 {
			nodes = "node"
		}
		return fmt.Errorf("profile %q: %d pods do not fit %d %s of %d (%d in all); ask for fewer, or raise spec.topology.workers to %d or spec.kubelet.maxPods to %d",
			p.Metadata.Name, pods, workers, nodes, maxPods, capacity, (pods-1)/maxPods+1, (pods-1)/workers+1)
	}
	return nil
}
