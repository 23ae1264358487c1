package watch

import "sync"

// internLimit bounds the table. A full table is replaced by an empty one, which costs
// sharing but never correctness.
const internLimit = 1 << 16

// interner keeps one copy of each string. A burst of 10,000 pods decodes the
// same UIDs, names, nodes and condition types five times over; kept
// observations then hold one copy of each.
type interner struct {
	mu    sync.Mutex
	known map[string]string
}

func (i *interner) of(s string) string {
	if s == "" {
		return ""
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if known, ok := i.known[s]; ok {
		return known
	}
	if i.known == nil || len(i.known) >= internLimit {
		i.known = make(map[string]string)
	}
	i.known[s] = s
	return s
}
