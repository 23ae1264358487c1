package recording

// Load is how busy the machine was right before and right after a burst, so that
// what happened during it is known, too.
type Load struct {
	Before LoadSample `json:"before"`
	After  LoadSample `json:"after"`
}

// LoadSample is how busy the observer's machine was at one time; see
// fingerprint.Load, whose fields these are.
type LoadSample struct {
	// OneMinute is the load average over one minute.
	OneMinute float64 `json:"oneMinute"`
	// CPUTicks is all CPU time since boot, idle or not, in ticks of 10 ms as a
	// rule; StolenTicks is what other guests of the host took of it. 0 where
	// it cannot be read.
	CPUTicks    int64 `json:"cpuTicks,omitempty"`
	StolenTicks int64 `json:"stolenTicks,omitempty"`
}

// Stolen is the share of the CPU time during the burst that other guests of the host
// took, from 0 to 1; ok is false if it is not known.
func (l Load) Stolen() (share float64, ok bool) {
	all, stolen := l.After.CPUTicks-l.Before.CPUTicks, l.After.StolenTicks-l.Before.StolenTicks
	if l.Before.CPUTicks <= 0 || all <= 0 || stolen < 0 || stolen > all {
		return 0, false
	}
	return float64(stolen) / float64(all), true
}

// NodeInfo is what a Node object says about its machine. Empty fields were not reported.
type NodeInfo struct {
	// Name is the name of the Node object.
	Name string `json:"name"`
	// Kubelet is the kubelet's version.
	Kubelet string `json:"kubelet,omitempty"`
	// ContainerRuntime is the name and version of the container runtime.
	ContainerRuntime string `json:"containerRuntime,omitempty"`
	// OSImage is the name of the operating system.
	OSImage string `json:"osImage,omitempty"`
	// Kernel is the kernel's version.
	Kernel string `json:"kernel,omitempty"`
}
