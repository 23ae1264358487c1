package clusters

import "context"

// Account names processes on this machine whose use of it is read together.
type Account struct {
	// Name is an instance's (Instance.String), another program's of a node
	// ("containerd-NODE"), or "node NAME" for a node's container with all in it, those
	// that have accounts of their own included.
	Name string
	// PIDs are the processes, by their pids on this machine; their children do not
	// count. Empty: it does not run now, or is not visible here.
	PIDs []int
	// Container, if not empty, is the full ID of the container whose first process is
	// the only one of PIDs. The account is then all that runs in the container, or has
	// ended there.
	Container string
}

// Accountant is a Cluster whose processes run on this machine and can be told apart.
type Accountant interface {
	// Accounts lists what can be accounted for now. An instance that restarts has
	// other processes afterwards: ask again for every burst. If the processes run on
	// another machine, the error wraps ErrUnsupported.
	Accounts(ctx context.Context) ([]Account, error)
}
