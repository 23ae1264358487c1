package listcost

import (
	"net/url"
	"strconv"
)

// Accept headers. Each names JSON last, as client-go's do, for a resource that has no
// other encoding.
const (
	acceptProtobuf = "application/vnd.kubernetes.protobuf,application/json"
	acceptJSON     = "application/json"
	acceptMetadata = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
	acceptTable    = "application/json;as=Table;g=meta.k8s.io;v=v1"
)

// Strategy is one way to list all pods of a namespace.
type Strategy struct {
	// Name is what records and reports call it.
	Name string
	// Help says in a few words what it is and who lists that way.
	Help string
	// Limited strategies ask for pages of Plan.Limit items.
	Limited bool
	// Streaming strategies read the initial events of a watch, up to the bookmark
	// that ends them (KEP-3157).
	Streaming bool

	accept string
	// version is the resourceVersion asked for: "" for the latest, "0" for any.
	version string
}

// Strategies are the ways to list that are measured. The others are compared with
// "full", and each differs from it in one thing.
func Strategies() []Strategy {
	return []Strategy{
		{Name: "full", Help: "resourceVersion unset, no limit, protobuf: the latest state in one answer", accept: acceptProtobuf},
		{Name: "paged", Help: "resourceVersion unset, limit: the latest state in pages, as client-go's pager asks for it", accept: acceptProtobuf, Limited: true},
		{Name: "cached", Help: "resourceVersion=0, no limit: any state, from the watch cache, as reflectors began before streaming lists", accept: acceptProtobuf, version: "0"},
		{Name: "cached-limit", Help: "resourceVersion=0 with a limit: is it honored?", accept: acceptProtobuf, version: "0", Limited: true},
		{Name: "json", Help: "as full, in JSON, client-go's encoding unless another is asked for", accept: acceptJSON},
		{Name: "metadata", Help: "as full, metadata only (PartialObjectMetadata)", accept: acceptMetadata},
		{Name: "table", Help: "as full, the table that kubectl get prints, in JSON", accept: acceptTable},
		{Name: "streaming", Help: "a watch that begins with all objects (sendInitialEvents), as reflectors of client-go 1.35 and later begin", accept: acceptProtobuf, Streaming: true},
	}
}

// Accept is the header that says which format is wanted.
func (s Strategy) Accept() string { return s.accept }

// Query returns the parameters of a request; resume is the continue token of the page
// before, empty for the first.
func (s Strategy) Query(plan Plan, resume string) url.Values {
	q := url.Values{}
	switch {
	case s.Streaming:
		q.Set("watch", "true")
		q.Set("sendInitialEvents", "true")
		q.Set("resourceVersionMatch", "NotOlderThan")
		q.Set("allowWatchBookmarks", "true")
	case resume != "":
		// A token already says what it continues: with a resourceVersion beside it,
		// it is refused.
		q.Set("continue", resume)
	case s.version != "":
		q.Set("resourceVersion", s.version)
	}
	if s.Limited {
		q.Set("limit", strconv.Itoa(plan.Limit))
	}
	return q
}
