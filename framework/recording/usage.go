package recording

import "time"

// Accounts that are no component's.
const (
	// AccountMachine is the account of everything that runs on the machine.
	AccountMachine = "machine"
	// AccountObserver is the account of podburst's own process.
	AccountObserver = "observer"
)

// UsageSample is what the processes of an account had used at one time, since they
// started: counters, of which the difference of two samples counts.
type UsageSample struct {
	// At is the observer's clock.
	At time.Time `json:"at"`
	// Account is an instance ("kube-scheduler", "kubelet-node-1"), a node's container
	// with all in it ("node kind-worker"), AccountObserver or AccountMachine.
	Account string `json:"account"`
	// CPUSeconds is processor time. Of the machine it is the time that its processors
	// were not idle, all of them together.
	CPUSeconds float64 `json:"cpuSeconds"`
	// RunQueueSeconds is how long threads were ready to run and waited for a processor,
	// summed up over threads (/proc/<pid>/schedstat). Of the machine it is the time in
	// which at least one task waited (PSI, "some"). nil where the kernel does not tell.
	RunQueueSeconds *float64 `json:"runQueueSeconds,omitempty"`
	// MemoryBytes is resident memory at that time; 0 where it is not known. Of a node's
	// container it is what its control group is charged for, caches included; of the
	// machine, what is not available to programs.
	MemoryBytes int64 `json:"memoryBytes,omitempty"`
}
