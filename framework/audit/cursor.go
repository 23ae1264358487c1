package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/podburst/podburst/framework/recording"
)

// Open opens the log from its beginning, as clusters.Cluster's AuditLog does.
type Open func(ctx context.Context) (io.ReadCloser, error)

// headSize is how much of the log's beginning identifies a file: the first line
// starts with its audit ID, which is unique.
const headSize = 512

// Cursor remembers how far a cluster's log has been read, so that each burst reads
// only its own part. It counts whole lines: a line still being written is read next
// time. Its methods may be called concurrently.
type Cursor struct {
	open Open

	mu     sync.Mutex
	offset int64
	head   []byte
}

// NewCursor is a cursor at the log's beginning.
func NewCursor(open Open) *Cursor { return &Cursor{open: open} }

// Next reads on to the current end of the log. rotated is true if this is not the log
// that was read before (it is then read from its beginning) or if the log is shorter
// than it was: either way, something in between may be lost.
func (c *Cursor) Next(ctx context.Context, window Window, keep Keep) (events []recording.AuditEvent, stats Stats, rotated bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	log, err := c.open(ctx)
	if err != nil {
		return nil, Stats{}, false, fmt.Errorf("open audit log: %w", err)
	}
	defer func() { _ = log.Close() }()

	rest, rotated, err := c.seek(log)
	if err != nil {
		return nil, Stats{}, rotated, fmt.Errorf("read audit log: %w", err)
	}
	read := &contextReader{ctx: ctx, r: rest}
	if c.offset < headSize {
		// Remember the beginning as it passes; only whole lines of it count.
		rest := &headReader{r: read, head: c.head, room: headSize - len(c.head)}
		events, stats, err = Read(rest, window, keep)
		c.offset += stats.Bytes
		c.head = rest.head[:min(int64(len(rest.head)), c.offset)]
		return events, stats, rotated, err
	}
	events, stats, err = Read(read, window, keep)
	c.offset += stats.Bytes
	return events, stats, rotated, err
}

// Skip moves to the current end of the log and keeps nothing.
func (c *Cursor) Skip(ctx context.Context) error {
	_, _, _, err := c.Next(ctx, Window{}, func(recording.AuditEvent) bool { return false })
	return err
}

// seek moves log to the cursor's offset, or to the beginning if it is not the
// remembered log.
func (c *Cursor) seek(log io.Reader) (rest io.Reader, rotated bool, err error) {
	if c.offset == 0 {
		return log, false, nil
	}
	head := make([]byte, len(c.head))
	n, err := io.ReadFull(log, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, false, err
	}
	if n < len(head) || !bytes.Equal(head, c.head) {
		c.offset, c.head = 0, nil
		return io.MultiReader(bytes.NewReader(head[:n]), log), true, nil
	}
	if seeker, ok := log.(io.Seeker); ok {
		size, err := seeker.Seek(0, io.SeekEnd)
		if err != nil {
			return nil, false, err
		}
		if size >= c.offset {
			_, err = seeker.Seek(c.offset, io.SeekStart)
			return log, false, err
		}
		// Truncated, with the same beginning: what is left was read before.
		c.offset = size
		return log, true, nil
	}
	skipped, err := io.CopyN(io.Discard, log, c.offset-int64(n))
	if errors.Is(err, io.EOF) {
		c.offset = int64(n) + skipped
		return log, true, nil
	}
	return log, false, err
}

// headReader keeps the first bytes that pass through.
type headReader struct {
	r    io.Reader
	head []byte
	room int
}

func (h *headReader) Read(p []byte) (int, error) {
	n, err := h.r.Read(p)
	keep := min(n, h.room)
	h.head = append(h.head, p[:keep]...)
	h.room -= keep
	return n, err
}

// contextReader stops reading when its context ends: a log of a few hundred megabytes
// takes seconds.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.r.Read(p)
}
