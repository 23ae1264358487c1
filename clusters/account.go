package clusters

import "context"

// Account names processes on this machine whose use of it can be read together.
type Account struct {
	// Name is an instance's (Instance.String), or "node NAME" for a node's container
	// with all in it.
	Name string
	// PIDs are the processes. Empty where Cgroup stands for them.
	PIDs []int
	// Cgroup is a folder below /sys/fs/cgroup that counts the account's processor time,
	// children that have ended included; empty: the PIDs count.
	Cgroup string
}

// Accountant is a Cluster whose processes run on this machine and can be told apart.
type Accountant interface {
	// Accounts lists what can be accounted for now. An instance that restarts has
	// other processes afterwards: ask again for every burst.
	Accounts(ctx context.Context) ([]Account, error)
}
