package recording

import (
	"encoding/hex"
	"fmt"
	"io"
	"time"
)

// runIDLayout is RFC 3339's basic form in UTC: it sorts by time and has no colon.
const runIDLayout = "20060102T150405Z"

// NewRunID names a run by its start in UTC and two random bytes:
// "20261129T150405Z-1f3a". random is crypto/rand.Reader outside tests.
func NewRunID(start time.Time, random io.Reader) (string, error) {
	var tail [2]byte
	if _, err := io.ReadFull(random, tail[:]); err != nil {
		return "", fmt.Errorf("make run id: %w", err)
	}
	return start.UTC().Format(runIDLayout) + "-" + hex.EncodeToString(tail[:]), nil
}
