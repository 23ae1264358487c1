package slo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/podburst/podburst/framework/apicall"
	"github.com/podburst/podburst/internal/nearest"
)

// Any is every resource, or every subresource, in APICalls.
const Any = "*"

// APICalls chooses kinds of requests to the API server. Each kind that is found (verb,
// resource, scope) is judged by itself, so that a slow one cannot hide among others.
type APICalls struct {
	// Class chooses requests as Kubernetes' own objectives do: "mutating" (create, update,
	// patch, delete), "single-object-reads" (get, and list of one object) or
	// "collection-reads" (list of a namespace or of the cluster). Either class or verb.
	Class Class `json:"class,omitempty"`
	// Verb is one verb: create, update, patch, delete, deletecollection, get or list.
	// Either class or verb.
	Verb string `json:"verb,omitempty"`
	// Resource is a resource's plural name: "pods"; with its API group to choose among
	// resources of that name: "events.events.k8s.io"; or "*" for all.
	Resource string `json:"resource" jsonschema:"minLength=1"`
	// Subresource is a subresource as "binding" or "status", or "*" for the object and all
	// of its subresources. Default: the object itself; with resource "*", all.
	Subresource string `json:"subresource,omitempty"`
	// Scope chooses requests about one object ("resource"), the objects of a namespace
	// ("namespace") or those of the cluster ("cluster"). Default: all.
	Scope apicall.Scope `json:"scope,omitempty" jsonschema:"enum=resource,enum=namespace,enum=cluster"`
}

// Class is a kind of requests that share an objective of Kubernetes.
type Class string

// The classes.
const (
	// Mutating requests change objects: 99 % within 1 s, by resource and verb.
	Mutating Class = "mutating"
	// SingleObjectReads read one object: 99 % within 1 s, by resource.
	SingleObjectReads Class = "single-object-reads"
	// CollectionReads read a namespace or the cluster: 99 % within 30 s, by resource and
	// scope.
	CollectionReads Class = "collection-reads"
)

func classes() []string {
	return []string{string(Mutating), string(SingleObjectReads), string(CollectionReads)}
}

// matches tells whether the call is among those chosen.
func (a *APICalls) matches(c apicall.Call) bool {
	switch a.Class {
	case Mutating:
		if !c.Mutates() {
			return false
		}
	case SingleObjectReads:
		if c.Mutates() || c.Scope != apicall.OneObject {
			return false
		}
	case CollectionReads:
		if c.Mutates() || c.Scope == apicall.OneObject {
			return false
		}
	}
	return (a.Verb == "" || a.Verb == c.Verb) &&
		(a.Scope == "" || a.Scope == c.Scope) &&
		(a.Resource == Any || c.Resource == a.Resource || strings.HasPrefix(c.Resource, a.Resource+".")) &&
		(a.subresource() == Any || a.Subresource == c.Subresource)
}

func (a *APICalls) subresource() string {
	if a.Resource == Any && a.Subresource == "" {
		return Any
	}
	return a.Subresource
}

// single tells whether the choice is one kind of request and not a set of unknown size.
func (a *APICalls) single() bool {
	scoped := a.Verb != "list" && a.Verb != "deletecollection" || a.Scope != ""
	return a.Verb != "" && a.Resource != Any && a.subresource() != Any && scoped
}

// String describes the choice: "create pods/binding", "mutating calls".
func (a *APICalls) String() string {
	name := a.Verb
	if a.Class != "" {
		name = string(a.Class)
	}
	switch resource := a.Resource; {
	case resource == Any && a.subresource() == Any:
		name += " of any resource"
	case a.Subresource != "":
		name += " " + resource + "/" + a.Subresource
	default:
		name += " " + resource
	}
	if a.Scope != "" {
		name += " (scope " + string(a.Scope) + ")"
	}
	return name
}

// faults returns pairs of a field and what is wrong with it.
func (a *APICalls) faults() (found [][2]string) {
	add := func(field, format string, args ...any) {
		found = append(found, [2]string{field, fmt.Sprintf(format, args...)})
	}
	switch {
	case a.Class != "" && a.Verb != "":
		add("verb", "class and verb are both set; choose by one of them")
	case a.Class != "":
		if !slices.Contains(classes(), string(a.Class)) {
			add("class", "unknown class %q%s", a.Class, nearest.Hint(string(a.Class), "classes", classes()))
		}
	case slices.Contains(apicall.LongRunning(), a.Verb):
		add("verb", "%s is long-running: it lasts as long as its client likes and has no latency; the verbs are %s", a.Verb, strings.Join(apicall.Verbs(), ", "))
	case a.Verb == "":
		add("verb", "is empty, and so is class; choose by one of them")
	case !slices.Contains(apicall.Verbs(), a.Verb):
		add("verb", "unknown verb %q%s", a.Verb, nearest.Hint(a.Verb, "verbs", apicall.Verbs()))
	}
	resource, subresource, slash := strings.Cut(a.Resource, "/")
	switch {
	case a.Resource == Any:
	case slash:
		add("resource", "%q has a subresource in it; write resource: %s and subresource: %s", a.Resource, resource, subresource)
	case !apicall.IsResource(a.Resource):
		add("resource", `is %q, must be "*" or a resource's plural name in lower case, as pods or jobs.batch`, a.Resource)
	}
	switch {
	case a.Subresource == "" || a.Subresource == Any:
	case apicall.Streams(a.Subresource):
		add("subresource", "requests to %s are long-running: they last as long as their client likes and have no latency", a.Subresource)
	case !apicall.IsSubresource(a.Subresource):
		add("subresource", `is %q, must be "*" or a subresource's name, as binding or status`, a.Subresource)
	}
	if scope := string(a.Scope); scope != "" && !slices.Contains(apicall.Scopes(), scope) {
		add("scope", "unknown scope %q%s", scope, nearest.Hint(scope, "scopes", apicall.Scopes()))
	} else if scope != "" && !a.possible() {
		add("scope", "no request that %s chooses has the scope %q", a.chosenBy(), scope)
	}
	return found
}

// chosenBy is the class or the verb with its field's name.
func (a *APICalls) chosenBy() string {
	if a.Class != "" {
		return "class: " + string(a.Class)
	}
	return "verb: " + a.Verb
}

// possible tells whether there can be requests of the scope.
func (a *APICalls) possible() bool {
	for _, verb := range apicall.Verbs() {
		call := apicall.Call{Verb: verb, Scope: apicall.OneObject}
		if verb == "list" || verb == "deletecollection" {
			call.Scope = a.Scope
		}
		any := APICalls{Class: a.Class, Verb: a.Verb, Resource: Any, Scope: a.Scope}
		if any.matches(call) {
			return true
		}
	}
	return !slices.Contains(classes(), string(a.Class)) && !slices.Contains(apicall.Verbs(), a.Verb)
}
