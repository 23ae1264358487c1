package clusters

import (
	"context"
	"io"
	"time"
)

// Descriptor is what is known about a provider before it makes anything. Each
// provider's package has one, and clusters/providers lists them. Callers ask
// the descriptor what a provider can do; they never infer it from the name.
type Descriptor struct {
	// Name is the provider's name as PROVIDER= takes it.
	Name string
	// Adopts means that its clusters exist before the run and are measured as they
	// are (see Adopter). A run has one such cluster and one profile, so it cannot
	// compare two.
	Adopts bool
	// Local means that its components run on this machine, whose CPUs, memory and
	// disk must suffice.
	Local bool
	// Idle is what an idle cluster next to the measured one needs so as not to
	// disturb it. It is zero for clusters that do not run on this machine.
	Idle Cost
	// Start is roughly how long a start takes on two cores; 0 for a provider that
	// adopts.
	Start time.Duration
	// Ready says what stands between this machine and a first cluster, and changes
	// nothing. It takes well under a second. nil if nothing can be known
	// beforehand.
	Ready func(ctx context.Context) Readiness
	// Open returns the provider, built first if necessary, and what to say about
	// the choice besides its name, if anything.
	Open func(ctx context.Context, o OpenOptions) (Provider, string, error)
	// List lists its clusters on this machine, including those in use; Clean
	// removes those whose owner has died. If nothing is left over, an engine that
	// does not answer is not an error. Both are nil for a provider that makes no
	// clusters.
	List, Clean func(ctx context.Context) ([]Leftover, error)
}

// Cost is how much of a machine something takes.
type Cost struct {
	CPUs int
	// Memory in bytes.
	Memory int64
}

// Readiness is what stands between this machine and a provider's first cluster.
type Readiness struct {
	// Subject says in a few words what was checked: "node image".
	Subject string
	// Detail is what was found.
	Detail string
	// Ready means that Open and Create start at once. Otherwise something is built
	// or fetched first, or they fail if Err is set.
	Ready bool
	Err   error
	// Advice is what to do if it is not ready.
	Advice string
}

// OpenOptions is what a provider needs to know besides having been chosen.
type OpenOptions struct {
	// Out receives progress, one line per step.
	Out io.Writer
	// Terminal says that Out is a terminal.
	Terminal bool
	// Kubeconfig, Context and AuditLog say which cluster to adopt; see
	// existing.Options.
	Kubeconfig, Context, AuditLog string
	// Passive means that pods are only watched and none are created; see
	// existing.Options.
	Passive bool
}
