package evidence

import (
	"slices"
	"strings"

	"github.com/podburst/podburst/framework/recording"
)

// Requests are the burst's audited requests in the order in which they were received,
// each once: an audit log that was read twice, or a webhook that repeats itself,
// counts no request again.
type Requests struct {
	Events []recording.AuditEvent
	// Repeated are lines that were left out because their auditID had come before.
	Repeated int
}

// RequestsOf reads the audit stream. Events without both times are left out.
func RequestsOf(b *recording.Burst) Requests {
	var r Requests
	seen := make(map[string]bool, len(b.Audit))
	for i := range b.Audit {
		e := &b.Audit[i]
		if e.Received.IsZero() || e.Completed.Before(e.Received) {
			continue
		}
		if e.AuditID != "" {
			if seen[e.AuditID] {
				r.Repeated++
				continue
			}
			seen[e.AuditID] = true
		}
		r.Events = append(r.Events, *e)
	}
	slices.SortStableFunc(r.Events, func(a, b recording.AuditEvent) int { return a.Received.Compare(b.Received) })
	return r
}

// Sender tells clients apart. kube-controller-manager has one for each of its
// controllers, which differ in user (with service account credentials) and in the last
// part of the user agent (always).
type Sender struct{ User, Agent string }

// SenderOf is who sent the request.
func SenderOf(e *recording.AuditEvent) Sender { return Sender{e.User, e.UserAgent} }

// Compare orders senders by name.
func (s Sender) Compare(o Sender) int {
	if c := strings.Compare(s.User, o.User); c != 0 {
		return c
	}
	return strings.Compare(s.Agent, o.Agent)
}

// Most is the sender of most of the requests; of equals the first by name.
func Most(count map[Sender]int) (Sender, int) {
	var most Sender
	n := 0
	for s, c := range count {
		if c > n || c == n && s.Compare(most) < 0 {
			most, n = s, c
		}
	}
	return most, n
}
