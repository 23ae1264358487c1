package audit

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"k8s.io/client-go/kubernetes/fake"

	"github.com/podburst/podburst/framework/recording"
)

func TestTheWindowIsOfTheTimeReceived(t *testing.T) {
	at := func(µs int) time.Time {
		return time.Date(2026, 11, 29, 15, 0, 0, 0, time.UTC).Add(time.Duration(µs) * time.Microsecond)
	}
	// From the binding's time on, up to the last status's: four of eight.
	_, stats, err := Read(bytes.NewReader(readLog(t)), Window{From: at(1_030_000), To: at(2_000_000)}, nil)
	if err != nil || stats.Kept != 4 || stats.Outside != 4 {
		t.Errorf("stats %+v, error %v; both ends belong to the window", stats, err)
	}
	_, stats, _ = Read(bytes.NewReader(readLog(t)), Window{}, func(e recording.AuditEvent) bool { return e.Resource == "pods" })
	if stats.Kept != 6 || stats.Skipped != 2 {
		t.Errorf("stats %+v, want job and marker skipped", stats)
	}
}

func TestALineBeingWrittenIsLeft(t *testing.T) {
	log := readLog(t)
	for _, cut := range []int{1, 100, 2000} {
		events, stats, err := Read(bytes.NewReader(log[:len(log)-cut]), Window{}, nil)
		if err != nil || !stats.Truncated || stats.Malformed != 0 || len(events) >= 8 {
			t.Errorf("cut by %d: %d events, %+v, %v", cut, len(events), stats, err)
		}
	}
}

func TestALineTooLongIsSkippedAndCounted(t *testing.T) {
	line := readLog(t)
	first := line[:bytes.IndexByte(line, '\n')+1]
	log := io.MultiReader(bytes.NewReader(first), strings.NewReader(strings.Repeat("x", MaxLine+1)+"\n"), bytes.NewReader(first))
	events, stats, err := Read(log, Window{}, nil)
	if err != nil || len(events) != 2 || stats.Oversized != 1 || stats.Lines != 3 {
		t.Errorf("%d events, %+v, %v", len(events), stats, err)
	}
}

func TestAReaderThatFailsIsAnError(t *testing.T) {
	broken := errors.New("broken pipe")
	events, _, err := Read(io.MultiReader(bytes.NewReader(readLog(t)), iotest.ErrReader(broken)), Window{}, nil)
	if !errors.Is(err, broken) || len(events) != 8 {
		t.Errorf("%d events, error %v; want what was read, and the cause", len(events), err)
	}
}

// A log that the test writes, opened as a file (seekable) or as a stream.
type testLog struct {
	t        *testing.T
	path     string
	seekable bool
}

func (l testLog) open(context.Context) (io.ReadCloser, error) {
	f, err := os.Open(l.path)
	if err != nil || l.seekable {
		return f, err
	}
	return struct {
		io.Reader
		io.Closer
	}{iotest.HalfReader(f), f}, nil
}

func (l testLog) write(data []byte) {
	if err := os.WriteFile(l.path, data, 0o600); err != nil {
		l.t.Fatal(err)
	}
}

func bothLogs(t *testing.T, test func(*testing.T, testLog)) {
	for name, seekable := range map[string]bool{"a file": true, "a stream": false} {
		t.Run(name, func(t *testing.T) {
			test(t, testLog{t, filepath.Join(t.TempDir(), "audit.log"), seekable})
		})
	}
}

func next(t *testing.T, c *Cursor) ([]recording.AuditEvent, bool) {
	t.Helper()
	events, _, rotated, err := c.Next(t.Context(), Window{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return events, rotated
}

func TestACursorReadsEachLineOnce(t *testing.T) {
	bothLogs(t, func(t *testing.T, log testLog) {
		whole := readLog(t)
		cursor := NewCursor(log.open)
		// Grow the log by 137 bytes each time: lines are cut at many places, and the
		// first 512 bytes come in several reads.
		var got []recording.AuditEvent
		for end := 0; end < len(whole)+137; end += 137 {
			log.write(whole[:min(end, len(whole))])
			events, rotated := next(t, cursor)
			if rotated {
				t.Fatalf("at %d bytes: a growing log was taken for another", end)
			}
			got = append(got, events...)
		}
		want, _, _ := Read(bytes.NewReader(whole), Window{}, nil)
		if len(got) != len(want) {
			t.Fatalf("%d events, want %d", len(got), len(want))
		}
		for i := range want {
			if got[i].AuditID != want[i].AuditID {
				t.Errorf("event %d is %s, want %s", i, got[i].AuditID, want[i].AuditID)
			}
		}
	})
}

func TestACursorSeesRotation(t *testing.T) {
	whole := readLog(t)
	other := bytes.ReplaceAll(whole, []byte("00000000-0000"), []byte("11111111-0000"))
	half := whole[:bytes.IndexByte(whole, '\n')+1]
	bothLogs(t, func(t *testing.T, log testLog) {
		cursor := NewCursor(log.open)
		log.write(whole)
		next(t, cursor)
		log.write(append(append([]byte{}, other...), other...)) // longer than before
		if events, rotated := next(t, cursor); !rotated || len(events) != 16 {
			t.Errorf("a new log: rotated %t, %d events of 16", rotated, len(events))
		}
		log.write(half)
		if events, rotated := next(t, cursor); !rotated || len(events) != 1 {
			t.Errorf("a new and shorter log: rotated %t, %d events of 1", rotated, len(events))
		}
		log.write(whole)
		if events, rotated := next(t, cursor); rotated || len(events) != 7 {
			t.Errorf("that log grown: rotated %t, %d events of 7 more", rotated, len(events))
		}
		log.write(half)
		if events, rotated := next(t, cursor); !rotated || len(events) != 0 {
			t.Errorf("the log cut back: rotated %t, %d events, all of which were read before", rotated, len(events))
		}
	})
}

func TestSkipLeavesWhatCameBefore(t *testing.T) {
	bothLogs(t, func(t *testing.T, log testLog) {
		whole := readLog(t)
		cursor := NewCursor(log.open)
		log.write(whole)
		if err := cursor.Skip(t.Context()); err != nil {
			t.Fatal(err)
		}
		log.write(append(whole, whole...))
		if events, _ := next(t, cursor); len(events) != 8 {
			t.Errorf("%d events, want the second eight", len(events))
		}
	})
}

// A marker's log line with the fake client's view of the request.
func TestAMarkerBoundsTheClocks(t *testing.T) {
	at := time.Date(2026, 11, 29, 15, 0, 2, 500_000_000, time.UTC)
	times := []time.Time{at, at.Add(1500 * time.Microsecond)}
	now := func() time.Time { n := times[0]; times = times[1:]; return n }
	m, err := Mark(t.Context(), fake.NewClientset(), "podburst-20261129-150000", "default-burst-1-end", now)
	if err != nil {
		t.Fatalf("a configmap that is not there is what a marker wants: %v", err)
	}
	events, _, _ := Read(bytes.NewReader(readLog(t)), Window{}, m.Is)
	if len(events) != 1 {
		t.Fatalf("%d markers found", len(events))
	}
	// Sent .500000, received .500100; completed .501200, answered .501500.
	got := m.Offset(events[0])
	if want := (recording.ClockOffset{LowSeconds: -300e-6, HighSeconds: 100e-6}); got != want {
		t.Errorf("offset %+v, want %+v", got, want)
	}
}

func TestWaitingEndsWhenTheMarkerIsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		whole := readLog(t)
		start := time.Now()
		// The log's last 600 bytes, in which the marker's line begins, come after 3 s.
		open := func(context.Context) (io.ReadCloser, error) {
			if time.Since(start) < 3*time.Second {
				return io.NopCloser(bytes.NewReader(whole[:len(whole)-600])), nil
			}
			return io.NopCloser(bytes.NewReader(whole)), nil
		}
		m := Marker{Namespace: "podburst-20261129-150000", Name: "podburst-marker-default-burst-1-end"}
		pods := func(e recording.AuditEvent) bool { return e.Resource == "pods" }
		reading, err := NewCursor(open).WaitFor(t.Context(), Window{}, pods, m.Is, 200*time.Millisecond)
		if err != nil || reading.Found == nil || reading.Found.Code != 404 {
			t.Fatalf("reading %+v, error %v", reading, err)
		}
		if len(reading.Events) != 6 || reading.Stats.Lines != 9 {
			t.Errorf("%d pod events of 6, %d lines of 9: the parts were not put together", len(reading.Events), reading.Stats.Lines)
		}
		if waited := time.Since(start); waited != 3*time.Second {
			t.Errorf("waited %v", waited)
		}

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		m.Name = "podburst-marker-of-nobody"
		reading, err = NewCursor(open).WaitFor(ctx, Window{}, nil, m.Is, 200*time.Millisecond)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "policy") {
			t.Errorf("error %v, want the deadline and what to look at", err)
		}
		if len(reading.Events) != 8 {
			t.Errorf("%d events, want what was there", len(reading.Events))
		}
	})
}
