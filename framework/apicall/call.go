package apicall

import (
	"regexp"
	"slices"
	"strings"
)

// Scope is how much a request is about, as Kubernetes' metrics call it.
type Scope string

// The scopes.
const (
	// OneObject is a request about one object.
	OneObject Scope = "resource"
	// Namespace is a request about all objects of a namespace.
	Namespace Scope = "namespace"
	// Cluster is a request about all objects of the cluster.
	Cluster Scope = "cluster"
)

// Scopes lists the scopes, spelled as in files.
func Scopes() []string { return []string{string(OneObject), string(Namespace), string(Cluster)} }

// Call is a kind of request.
type Call struct {
	// Verb is one of Verbs.
	Verb string
	// Resource is plural, followed by its API group where that is not the core group:
	// "pods", "jobs.batch".
	Resource string
	// Subresource is empty for the object itself.
	Subresource string
	// Scope tells reads apart.
	Scope Scope
}

// String names the call as users write it: "create pods/binding", "list nodes in the
// cluster".
func (c Call) String() string {
	name := c.Verb + " " + c.Resource
	if c.Subresource != "" {
		name += "/" + c.Subresource
	}
	if c.Verb != "list" && c.Verb != "deletecollection" {
		return name
	}
	switch c.Scope {
	case OneObject:
		name += " of one object"
	case Namespace:
		name += " in a namespace"
	case Cluster:
		name += " in the cluster"
	}
	return name
}

// Compare orders calls by their names.
func (c Call) Compare(o Call) int { return strings.Compare(c.String(), o.String()) }

// Mutates tells whether the call changes objects.
func (c Call) Mutates() bool { return c.Verb != "get" && c.Verb != "list" }

// verbs are those of the audit log (and of RBAC), by the metrics' names for them. An
// "apply" is a patch in the audit log.
var verbs = map[string]string{
	"POST": "create", "PUT": "update", "PATCH": "patch", "APPLY": "patch", "DELETE": "delete", "DELETECOLLECTION": "deletecollection",
	"GET": "get", "LIST": "list",
}

// Verbs lists the verbs of calls that have a latency.
func Verbs() []string {
	return []string{"create", "update", "patch", "delete", "deletecollection", "get", "list"}
}

// LongRunning lists the verbs of calls that last as long as the client likes.
func LongRunning() []string { return []string{"watch", "connect", "proxy"} }

// streams are the subresources whose requests are long-running, whatever their verb.
var streams = []string{"attach", "exec", "log", "portforward", "proxy"}

// Streams tells whether requests to the subresource are long-running.
func Streams(subresource string) bool { return slices.Contains(streams, subresource) }

var (
	// resourceName is what can be the name of a resource, with its group.
	resourceName = regexp.MustCompile(`^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$`)
	// subresourceName allows for subresources of subresources ("proxy/path").
	subresourceName = regexp.MustCompile(`^[a-z0-9]([-./a-z0-9]*[a-z0-9])?$`)
)

// maxName is the longest name of a resource with its group, and of a subresource.
const maxName = 253 + 1 + 63

// IsResource tells whether name can name a resource: plural and lower case, with its
// group after a dot.
func IsResource(name string) bool { return len(name) <= maxName && resourceName.MatchString(name) }

// IsSubresource tells whether name can name a subresource.
func IsSubresource(name string) bool {
	return len(name) <= maxName && subresourceName.MatchString(name)
}

// newCall is the call of a resource of an API group. Only requests about a collection
// have a scope of their own: all others are about one object, whatever older versions of
// Kubernetes say of creations.
func newCall(verb, resource, group, subresource string, scope Scope) Call {
	if group != "" {
		resource += "." + group
	}
	if verb != "list" && verb != "deletecollection" {
		scope = OneObject
	}
	return Call{Verb: verb, Resource: resource, Subresource: subresource, Scope: scope}
}
