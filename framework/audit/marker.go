package audit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/framework/recording"
)

// Marker is a request that marks a place in the log: the GET of a configmap
// that does not exist.
type Marker struct {
	Namespace, Name string
	// Sent and Answered are the observer's clock right before the request and
	// right after its answer.
	Sent, Answered time.Time
}

// markerPrefix is how the names of markers begin.
const markerPrefix = "podburst-marker-"

// Mark makes the request; id makes the name unique. Any answer is a mark, since a
// refusal is audited, too; only getting no answer is an error.
func Mark(ctx context.Context, client kubernetes.Interface, namespace, id string, now func() time.Time) (Marker, error) {
	m := Marker{Namespace: namespace, Name: markerPrefix + id, Sent: now()}
	_, err := client.CoreV1().ConfigMaps(namespace).Get(ctx, m.Name, metav1.GetOptions{})
	m.Answered = now()
	if status := apierrors.APIStatus(nil); err != nil && !errors.As(err, &status) {
		return m, fmt.Errorf("mark the audit log: %w", err)
	}
	return m, nil
}

// Is reports whether the event is the marker's own.
func (m Marker) Is(e recording.AuditEvent) bool {
	return e.Verb == "get" && e.Resource == "configmaps" && e.Namespace == m.Namespace && e.Name == m.Name
}

// IsMarker reports whether the event belongs to any marker.
func IsMarker(e recording.AuditEvent) bool {
	return e.Verb == "get" && e.Resource == "configmaps" && strings.HasPrefix(e.Name, markerPrefix)
}

// Offset bounds how far the API server's clock is ahead of the observer's, from the
// marker's own event: it was received after it was sent, and completed before its
// answer came in.
func (m Marker) Offset(e recording.AuditEvent) recording.ClockOffset {
	return recording.ClockOffset{
		LowSeconds:  e.Completed.Sub(m.Answered.Round(0)).Seconds(),
		HighSeconds: e.Received.Sub(m.Sent.Round(0)).Seconds(),
	}
}

// Reading is what WaitFor read.
type Reading struct {
	Events []recording.AuditEvent
	Stats  Stats
	// Rotated: the log was replaced or truncated meanwhile, so events may be missing.
	Rotated bool
	// Found is the awaited event; nil if it has not come yet.
	Found *recording.AuditEvent
}

// WaitFor keeps reading, every interval, until it finds an event, received in the
// window, for which until is true. If ctx ends first, it returns an error and what
// was read so far. The awaited event is in Events only if keep chooses it.
func (c *Cursor) WaitFor(ctx context.Context, window Window, keep, until Keep, interval time.Duration) (Reading, error) {
	var reading Reading
	looking := func(e recording.AuditEvent) bool {
		if reading.Found == nil && until(e) {
			reading.Found = &e
		}
		return keep == nil || keep(e)
	}
	for {
		events, stats, rotated, err := c.Next(ctx, window, looking)
		reading.Events = append(reading.Events, events...)
		reading.Stats.add(stats)
		reading.Rotated = reading.Rotated || rotated
		switch {
		case reading.Found != nil:
			return reading, nil
		case err != nil && ctx.Err() == nil:
			return reading, err
		}
		select {
		case <-ctx.Done():
			return reading, fmt.Errorf("wait for the audit log to catch up: %w (%d lines read; does the audit policy log GETs of configmaps?)",
				context.Cause(ctx), reading.Stats.Lines)
		case <-time.After(interval):
		}
	}
}
