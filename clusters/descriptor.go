package clusters

import (
	"context"
	"io"
	"time"
)

// Descriptor is what is known of a provider before it makes anything. Each
// provider's package has one, and clusters/providers lists them. Callers ask a
// descriptor what a provider can do; they never guess it from a name.
type Descriptor struct {
	// Name is the provider's name as PROVIDER= takes it.
	Name string
	// Adopts: its clusters are there before the run, and are measured as they are
	// (Adopter). A run has one of them and one profile, and cannot compare two.
	Adopts bool
	// Local: its components are processes of this machine, whose processors, memory
	// and disk must suffice.
	Local bool
	// Idle is what an idle cluster beside the measured one needs so as not to be
	// felt. It is zero where a cluster does not run on this machine.
	Idle Cost
	// Start is about how long a start takes on two cores; 0 for one that adopts.
	Start time.Duration
	// Ready tells what stands between this machine and a first cluster, and changes
	// nothing. It takes well under a second. nil: nothing to be known beforehand.
	Ready func(ctx context.Context) Readiness
	// Open returns the provider, built first if need be, and what to say of its
	// choice beside its name; "" for nothing.
	Open func(ctx context.Context, o OpenOptions) (Provider, string, error)
	// List lists its clusters on this machine, those in use included; Clean removes
	// those whose owner has died. An engine that does not answer is no error where
	// nothing is left. nil: it makes none.
	List, Clean func(ctx context.Context) ([]Leftover, error)
}

// Cost is what something takes of a machine.
type Cost struct {
	CPUs int
	// Memory in bytes.
	Memory int64
}

// Readiness is what stands between this machine and a first cluster of a provider.
type Readiness struct {
	// Subject says in a few words what was looked at: "node image".
	Subject string
	// Detail is what was found.
	Detail string
	// Ready: Open and Create start at once. Otherwise something is built or fetched
	// first, or, with Err, they fail.
	Ready bool
	Err   error
	// Advice is what to do where it is not ready.
	Advice string
}

// OpenOptions is what a provider needs that its choice does not decide.
type OpenOptions struct {
	// Out receives progress, a line a step.
	Out io.Writer
	// Terminal says that Out is a terminal.
	Terminal bool
	// Kubeconfig, Context and AuditLog say which cluster to adopt; see
	// existing.Options.
	Kubeconfig, Context, AuditLog string
	// Passive: pods are only watched and none are sent; see existing.Options.
	Passive bool
}
