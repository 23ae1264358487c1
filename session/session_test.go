package session

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/providers"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/fingerprint"
	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/progress"
)

func TestClustersLiveSideBySideOnlyWhereTheMachineIsLargeEnough(t *testing.T) {
	const gib = 1 << 30
	for name, c := range map[string]struct {
		provider string
		arms     int
		machine  fingerprint.Environment
		want     recording.Layout
	}{
		"two embedded on two CPUs":   {"embedded", 2, fingerprint.Environment{CPUs: 2, MemoryBytes: 8 * gib}, recording.SideBySide},
		"three embedded on two CPUs": {"embedded", 3, fingerprint.Environment{CPUs: 2, MemoryBytes: 8 * gib}, recording.Anew},
		"two embedded in 1 GiB":      {"embedded", 2, fingerprint.Environment{CPUs: 8, MemoryBytes: 1 * gib}, recording.Anew},
		"memory not known":           {"embedded", 2, fingerprint.Environment{CPUs: 2}, recording.SideBySide},
		"two kind on two CPUs":       {"kind", 2, fingerprint.Environment{CPUs: 2, MemoryBytes: 24 * gib}, recording.Anew},
		"two kind on four CPUs":      {"kind", 2, fingerprint.Environment{CPUs: 4, MemoryBytes: 16 * gib}, recording.SideBySide},
	} {
		provider, err := providers.Lookup(c.provider)
		if err != nil {
			t.Fatal(err)
		}
		layout, reason := ChooseLayout(provider.Idle, c.arms, c.machine)
		if layout != c.want || reason == "" {
			t.Errorf("%s: %s (%s), want %s", name, layout, reason, c.want)
		}
	}
}

func TestAPlanHasTheCriteriaThatJudgeIt(t *testing.T) {
	criteria, err := gate.DefaultCriteria().WithBlocks(10, 10)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := Plan("base", criteria)
	if err != nil || plan.Blocks != 10 || plan.MaxBlocks != 10 || plan.Base != "base" {
		t.Fatalf("%+v, %v", plan, err)
	}
	again, err := reports.Criteria(recording.Manifest{Comparison: plan})
	if err != nil || again.Spec.Blocks != 10 || len(again.Spec.Endpoints) != len(criteria.Spec.Endpoints) {
		t.Errorf("%+v, %v", again.Spec, err)
	}
}

type provider struct{}

func (provider) Name() string { return "test" }
func (provider) Create(context.Context, clusters.Profile) (clusters.Cluster, error) {
	return nil, errors.ErrUnsupported
}

// begun is a session whose run is planned and has recorded nothing.
func begun(t *testing.T) (*Session, *bytes.Buffer) {
	t.Helper()
	for _, name := range []string{"GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"} {
		t.Setenv(name, "")
	}
	e, err := experiment.Start(experiment.Options{
		Provider: provider{}, Plan: experiment.Plan{
			Spec: burst.Spec{Load: load.Job{Pods: 8}}, Bursts: 1, Artifacts: t.TempDir(),
			Profiles: []clusters.Profile{{Metadata: clusters.Metadata{Name: "default"}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	return &Session{Experiment: e, Progress: progress.New(&out, progress.Plain), builder: reports.NewBuilder(nil)}, &out
}

func TestARunThatRecordedNothingIsInvalidAndLeavesItsReports(t *testing.T) {
	s, _ := begun(t)
	s.Report()
	if _, err := os.Stat(filepath.Join(s.Dir(), reports.JSONFile)); err != nil {
		t.Errorf("while the run goes on: %v", err)
	}
	if _, err := os.Stat(filepath.Join(s.Dir(), reports.HTMLFile)); err == nil {
		t.Error("the page was written before the run was over")
	}
	report, code := s.Finish(false)
	if code != verdict.ExitInvalid || report.Verdict != verdict.Invalid {
		t.Errorf("exit code %d, verdict %s", code, report.Verdict)
	}
	if _, err := os.Stat(filepath.Join(s.Dir(), reports.HTMLFile)); err != nil {
		t.Error(err)
	}
}

func TestAnInterruptOutranksEveryVerdictAndTheFirstReasonStays(t *testing.T) {
	s, _ := begun(t)
	s.Interrupted("signal: terminated")
	s.Interrupted("something that came of it")
	report, code := s.Finish(false)
	if code != verdict.ExitInterrupted || report.Run.Interrupted != "signal: terminated" {
		t.Errorf("exit code %d, interrupted by %q", code, report.Run.Interrupted)
	}
}

func TestReportsThatCannotBeWrittenAreAnInternalErrorThatIsTold(t *testing.T) {
	s, out := begun(t)
	if err := os.Mkdir(filepath.Join(s.Dir(), reports.JSONFile), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, code := s.Finish(false); code != verdict.ExitInternal || !strings.Contains(out.String(), reports.JSONFile) {
		t.Errorf("exit code %d: %s", code, out)
	}
}

func TestBadInputIsRefusedBeforeAProviderIsAsked(t *testing.T) {
	_, err := Open(t.Context(), Options{Provider: "embeded"})
	if !errors.As(err, new(UsageError)) || !strings.Contains(err.Error(), "embedded") {
		t.Errorf("unknown provider: %v", err)
	}
	profile, err := clusters.Resolve("default")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), Options{Provider: "embedded", Plan: experiment.Plan{Profiles: []clusters.Profile{profile}, Spec: burst.Spec{Load: load.Job{Pods: 100_000}}}})
	if !errors.As(err, new(UsageError)) {
		t.Errorf("more pods than fit: %v", err)
	}
}

// fullDisk accepts folders but no files.
type fullDisk struct{ recording.Disk }

func (fullDisk) CreateTemp(dir, _ string) (recording.File, error) {
	return nil, &os.PathError{Op: "open", Path: dir, Err: syscall.ENOSPC}
}

func TestAFullDiskAtTheStartIsNotBadInput(t *testing.T) {
	profile, err := clusters.Resolve("default")
	if err != nil {
		t.Fatal(err)
	}
	// The kind provider does not contact an engine before the first cluster.
	o := Options{
		Plan:     experiment.Plan{Spec: burst.Spec{Load: load.Job{Pods: 8}}, Profiles: []clusters.Profile{profile}, Bursts: 1, Artifacts: t.TempDir()},
		Provider: "kind", Out: io.Discard, Progress: progress.Quiet, files: fullDisk{},
	}
	_, err = Open(t.Context(), o)
	if err == nil || errors.As(err, new(UsageError)) {
		t.Fatalf("got %v, want an error that is not the user's", err)
	}
	if first, _, _ := strings.Cut(err.Error(), "\n"); !strings.Contains(first, "no space") {
		t.Errorf("the first line does not say why: %v", err)
	}
	// The user chose the folder, so a folder that may not be written is a usage
	// error.
	o.files, o.Artifacts = nil, "/dev/null/artifacts"
	if _, err := Open(t.Context(), o); !errors.As(err, new(UsageError)) {
		t.Errorf("a folder that cannot be made: %v", err)
	}
}
