package embedded

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"sigs.k8s.io/yaml"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/procfs"
)

// collected is one entry of processes.json.
type collected struct {
	clusters.Process
	// Args is the command line, read from the process while it runs.
	Args []string `json:"args"`
}

// Collect implements clusters.Cluster. It writes <instance>.log for each
// instance, audit.log, audit-policy.yaml, profile.yaml and processes.json (how
// each process runs or ended, with its command line). Keys, certificates and
// kubeconfigs stay behind, and logs lose what looks like a secret.
func (c *Cluster) Collect(ctx context.Context, dir string) error {
	if err := c.collect(ctx, dir); err != nil {
		return fmt.Errorf("collect what explains cluster %s: %w", c.name, err)
	}
	return nil
}

func (c *Cluster) collect(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var errs []error
	for _, instance := range c.settings.instances() {
		name := instance.String()
		errs = append(errs, copyRedacted(ctx, c.settings.layout.log(name), filepath.Join(dir, name+".log")))
	}
	errs = append(errs,
		copyRedacted(ctx, c.settings.layout.auditLog(), filepath.Join(dir, "audit.log")),
		copyRedacted(ctx, c.settings.layout.auditPolicy(), filepath.Join(dir, "audit-policy.yaml")),
		c.writeProfile(filepath.Join(dir, "profile.yaml")),
		c.writeProcesses(ctx, filepath.Join(dir, "processes.json")),
	)
	return errors.Join(errs...)
}

func (c *Cluster) writeProfile(path string) error {
	text, err := yaml.Marshal(c.profile)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

func (c *Cluster) writeProcesses(ctx context.Context, path string) error {
	processes, err := c.Processes(ctx)
	if err != nil {
		return err
	}
	var list []collected
	for _, process := range processes {
		entry := collected{Process: process}
		if p := c.life(process.Instance); p != nil {
			if entry.Args, err = procfs.Local().CommandLine(p.pid); err != nil {
				entry.Args = p.command.args
			}
		}
		for i, arg := range entry.Args {
			entry.Args[i] = string(redact([]byte(arg)))
		}
		list = append(list, entry)
	}
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// copyRedacted copies a text file line by line, without secrets. A file that
// was never written is skipped.
func copyRedacted(ctx context.Context, from, to string) (err error) {
	source, err := os.Open(from)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	writer := bufio.NewWriter(target)
	for reader := bufio.NewReader(source); ; {
		line, readErr := reader.ReadBytes('\n')
		if _, err := writer.Write(redact(line)); err != nil {
			return err
		}
		if errors.Is(readErr, io.EOF) {
			return writer.Flush()
		}
		if readErr != nil {
			return readErr
		}
		if ctx.Err() != nil {
			return errors.Join(context.Cause(ctx), writer.Flush())
		}
	}
}
