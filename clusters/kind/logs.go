package kind

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/podburst/podburst/clusters"
)

// podLogScript prints every log file of a static pod's container in CRI format,
// oldest first, including rotated and compressed ones.
const podLogScript = `set -e
cd /var/log/pods
found=$(ls -1tr kube-system_"$1"-*/"$1"/*.log* 2>/dev/null) || { echo "no log of $1 on this node" >&2; exit 3; }
for file in $found; do gzip -cdf "$file"; done`

// Logs implements clusters.Cluster. Lines are exactly as the component wrote them.
func (c *Cluster) Logs(ctx context.Context, instance clusters.Instance) (io.ReadCloser, error) {
	node, err := c.nodeOf(instance)
	if err != nil {
		return nil, fmt.Errorf("open the log: %w", err)
	}
	if instance.Component == clusters.Kubelet {
		return c.stream(ctx, node, "journalctl", "--unit=kubelet", "--no-pager", "--quiet", "--output=cat"), nil
	}
	raw := c.stream(ctx, node, "sh", "-c", podLogScript, "sh", string(instance.Component))
	return &criReader{from: raw, lines: bufio.NewReader(raw)}, nil
}

// AuditLog implements clusters.Cluster: the log of the first control plane's API
// server, rotated parts included.
func (c *Cluster) AuditLog(ctx context.Context) (io.ReadCloser, error) {
	if len(c.controlPlanes) > 1 {
		return nil, fmt.Errorf("%w: each of %d API servers has an audit log of its own", clusters.ErrUnsupported, len(c.controlPlanes))
	}
	// Rotated files carry their time in the name: audit-2026-01-02T….log.
	script := `for file in ` + auditLogDir + `/audit-*.log ` + auditLogPath + `; do [ ! -e "$file" ] || cat "$file"; done`
	return c.stream(ctx, c.controlPlanes[0], "sh", "-c", script), nil
}

// criReader strips the prefix that the container runtime puts on each line of a
// container's output, "<time> stdout|stderr F|P ", and joins partial lines.
type criReader struct {
	from  io.ReadCloser
	lines *bufio.Reader
	ready bytes.Buffer
	err   error
}

func (r *criReader) Read(p []byte) (int, error) {
	for r.ready.Len() == 0 {
		if r.err != nil {
			return 0, r.err
		}
		var line []byte
		line, r.err = r.lines.ReadBytes('\n')
		r.take(line)
	}
	return r.ready.Read(p)
}

// take adds one line. A line not in this format is passed on as is.
func (r *criReader) take(line []byte) {
	parts := bytes.SplitN(line, []byte{' '}, 4)
	if len(parts) < 4 || !bytes.HasPrefix(parts[1], []byte("std")) || len(parts[2]) == 0 {
		r.ready.Write(line)
		return
	}
	if parts[2][0] == 'P' {
		r.ready.Write(bytes.TrimSuffix(parts[3], []byte{'\n'}))
		return
	}
	r.ready.Write(parts[3])
}

func (r *criReader) Close() error {
	return r.from.Close()
}
