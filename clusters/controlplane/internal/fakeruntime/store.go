package fakeruntime

import (
	"cmp"
	"slices"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// entity is what containers and sandboxes have in common.
type entity struct {
	id        string
	createdAt time.Time
}

func newEntity() entity { return entity{id: newID(), createdAt: time.Now()} }

func (e *entity) common() *entity { return e }

// store holds what exists, by its id. The runtime's lock guards it.
type store[T interface{ common() *entity }] struct {
	// kind names one in messages: "container".
	kind string
	byID map[string]T
}

func newStore[T interface{ common() *entity }](kind string) store[T] {
	return store[T]{kind: kind, byID: map[string]T{}}
}

func (s store[T]) add(one T) { s.byID[one.common().id] = one }

// get looks one up. The kubelet tells one that is gone from a failing runtime by
// the NotFound code.
func (s store[T]) get(id string) (T, error) {
	one, ok := s.byID[id]
	if !ok {
		return one, status.Errorf(codes.NotFound, "%s %q does not exist", s.kind, id)
	}
	return one, nil
}

// sorted lists those that wanted takes, oldest first.
func (s store[T]) sorted(wanted func(T) bool) []T {
	var list []T
	for _, one := range s.byID {
		if wanted(one) {
			list = append(list, one)
		}
	}
	slices.SortFunc(list, func(a, b T) int {
		return cmp.Or(a.common().createdAt.Compare(b.common().createdAt), cmp.Compare(a.common().id, b.common().id))
	})
	return list
}

// selects reports whether a filter's id and labels, each of which may be empty,
// take the one with this id and these labels.
func selects(filterID string, selector map[string]string, id string, labels map[string]string) bool {
	for key, value := range selector {
		if have, ok := labels[key]; !ok || have != value {
			return false
		}
	}
	return filterID == "" || filterID == id
}
