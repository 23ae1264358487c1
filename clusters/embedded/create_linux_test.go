package embedded

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
)

func TestCreateSaysWhatIsWrongBeforeItStartsAnything(t *testing.T) {
	plain := fakeBinary(t, "exit 0")
	notExecutable := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(notExecutable, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name   string
		binary string
		change func(*clusters.Profile)
		says   string
	}{
		{"no binary", "", nil, "podburst controlplane build"},
		{"missing binary", "/nonexistent/controlplane", nil, "podburst controlplane build"},
		{"binary is no program", notExecutable, nil, "no executable file"},
		{"invalid profile", plain, func(p *clusters.Profile) { p.Metadata.Name = "Not A Label" }, "metadata.name"},
		{"three control planes", plain, func(p *clusters.Profile) { p.Spec.Topology.ControlPlanes = new(3) }, "exactly 1"},
		{"own flag of the scheduler", plain, func(p *clusters.Profile) {
			p.Spec.KubeScheduler.ExtraArgs = map[string]string{"leader_elect": "true"}
		}, `spec.kubeScheduler.extraArgs: "leader_elect"`},
		{"own flag of the kubelet", plain, func(p *clusters.Profile) {
			p.Spec.Kubelet.ExtraArgs = map[string]string{"root-dir": "/"}
		}, `spec.kubelet.extraArgs: "root-dir"`},
	} {
		t.Run(row.name, func(t *testing.T) {
			base, profile := t.TempDir(), named("test")
			if row.change != nil {
				row.change(&profile)
			}
			cluster, err := New(Options{Binary: row.binary, BaseDir: base}).Create(t.Context(), profile)
			if err == nil || !strings.Contains(err.Error(), row.says) || !strings.HasPrefix(err.Error(), "create cluster ") {
				t.Errorf("Create = %v, want an error with %q", err, row.says)
			}
			if cluster != nil {
				t.Errorf("Create returned %v with its error", cluster)
			}
			empty(t, base)
		})
	}
}

func TestComponentThatEndsAtStartIsReported(t *testing.T) {
	base := t.TempDir()
	provider := New(Options{BaseDir: base, Binary: fakeBinary(t, `echo "cannot open the database"; exit 3`)})
	_, err := provider.Create(t.Context(), named("test"))
	for _, want := range []string{"etcd ended: exit status 3", "cannot open the database"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Create = %v, want an error with %q", err, want)
		}
	}
	empty(t, base)
}

func TestTakenPortMakesCreateStartOver(t *testing.T) {
	base, said := t.TempDir(), &lines{}
	provider := New(Options{BaseDir: base, Progress: said.add, Binary: fakeBinary(t,
		`echo "listen tcp 127.0.0.1:23456: bind: address already in use"; exit 1`)})
	_, err := provider.Create(t.Context(), named("test"))
	if err == nil || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("Create = %v, want the last attempt's error", err)
	}
	if got := said.count("starting over with other ports"); got != portTries-1 {
		t.Errorf("started over %d times, want %d", got, portTries-1)
	}
	empty(t, base)
}

func TestCreateGivesUpAtItsDeadline(t *testing.T) {
	base := t.TempDir()
	provider := New(Options{BaseDir: base, ReadyTimeout: 200 * time.Millisecond, StopGrace: time.Millisecond,
		Binary: fakeBinary(t, `while :; do sleep 0.01; done`)})
	_, err := provider.Create(t.Context(), named("test"))
	if err == nil || !strings.Contains(err.Error(), "not ready after 200ms") || !strings.Contains(err.Error(), "wait for etcd") {
		t.Errorf("Create = %v, want what it waited for and how long", err)
	}
	empty(t, base)
}

func TestCreateEndsWithItsContext(t *testing.T) {
	base := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	provider := New(Options{BaseDir: base, StopGrace: time.Millisecond, Binary: fakeBinary(t, `while :; do sleep 0.01; done`),
		Progress: func(string) { cancel() }})
	_, err := provider.Create(ctx, named("test"))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Create = %v, want context.Canceled", err)
	}
	empty(t, base)
}

func TestOtherKubernetesVersionIsRefused(t *testing.T) {
	base, profile := t.TempDir(), named("test")
	profile.Spec.KubernetesVersion = "v1.36.0"
	provider := New(Options{BaseDir: base, StopGrace: time.Millisecond, Binary: fakeBinary(t,
		`case "$0 $1" in */kube-apiserver\ --version) echo "Kubernetes v1.37.2"; exit;; esac; while :; do sleep 0.01; done`)})
	_, err := provider.Create(t.Context(), profile)
	if err == nil || !strings.Contains(err.Error(), "v1.36.0") || !strings.Contains(err.Error(), "built from v1.37.2") {
		t.Errorf("Create = %v, want both versions", err)
	}
	empty(t, base)
}
