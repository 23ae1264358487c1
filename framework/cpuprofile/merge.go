package cpuprofile

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/google/pprof/profile"
)

const (
	// MaxSize is the largest pprof file that is kept and read, in bytes.
	MaxSize = 32 << 20
	// maxRaw is its largest size once it is decompressed.
	maxRaw = 128 << 20
	// sampleType and unit are the values that count.
	sampleType, unit = "cpu", "nanoseconds"
)

// Merge joins the profiles of consecutive stretches of time of one process into one pprof
// file. What cannot be read is an error.
func Merge(stretches [][]byte) ([]byte, error) {
	if len(stretches) == 0 {
		return nil, errors.New("merge CPU profiles: there is none")
	}
	parts := make([]*profile.Profile, 0, len(stretches))
	for _, data := range stretches {
		p, err := parse(data)
		if err != nil {
			return nil, fmt.Errorf("merge CPU profiles: %w", err)
		}
		parts = append(parts, p)
	}
	whole, err := profile.Merge(parts)
	if err != nil {
		return nil, fmt.Errorf("merge CPU profiles: %w", err)
	}
	var out bytes.Buffer
	if err := whole.Write(&out); err != nil {
		return nil, fmt.Errorf("merge CPU profiles: %w", err)
	}
	if out.Len() > MaxSize {
		return nil, fmt.Errorf("merge CPU profiles: together they have %d bytes, more than %d", out.Len(), MaxSize)
	}
	return out.Bytes(), nil
}

// parse reads one pprof file, gzipped or not, of bounded size.
func parse(data []byte) (*profile.Profile, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("read CPU profile: it has %d bytes, more than %d", len(data), MaxSize)
	}
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		unzip, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("read CPU profile: %w", err)
		}
		raw, err := io.ReadAll(io.LimitReader(unzip, maxRaw+1))
		if err != nil {
			return nil, fmt.Errorf("read CPU profile: %w", err)
		}
		if len(raw) > maxRaw {
			return nil, fmt.Errorf("read CPU profile: it unpacks to more than %d bytes", maxRaw)
		}
		data = raw
	}
	p, err := profile.ParseUncompressed(data)
	if err != nil {
		return nil, fmt.Errorf("read CPU profile: %w", err)
	}
	if err := p.CheckValid(); err != nil {
		return nil, fmt.Errorf("read CPU profile: %w", err)
	}
	return p, nil
}
