//go:build e2e

package e2e

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"
	. "github.com/onsi/gomega"

	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports/progress"
	"github.com/podburst/podburst/session"
)

// run is the one state that specs share: Ginkgo builds and calls them without
// arguments of ours.
var run *Run

// TestMain prepares the run before any spec exists (bad input must not look like a
// failed spec), and turns the run's verdict into the exit code after the last spec.
func TestMain(m *testing.M) {
	os.Exit(suiteMain(m))
}

func suiteMain(m *testing.M) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	config, err := ParseConfig(os.LookupEnv, time.Now())
	if err != nil {
		err = session.UsageError{Err: err}
	} else {
		// Ginkgo and the report use standard output; events must not mix with them.
		out := os.Stdout
		if config.Progress == progress.JSON {
			out = os.Stderr
		}
		run, err = Prepare(ctx, config, out)
	}
	say := progress.New(os.Stderr, config.Progress)
	interrupted := ctx.Err() != nil
	stop() // from here on Ginkgo handles signals: it runs the cleanup nodes
	switch {
	case interrupted:
		say.Error(errors.New("interrupted before any cluster was started"))
		return verdict.ExitInterrupted
	case errors.As(err, new(session.UsageError)):
		say.Error(err)
		return verdict.ExitUsage
	case err != nil:
		say.Error(err)
		return verdict.ExitInternal
	}
	code := m.Run()
	return run.Finish(code, os.Stdout)
}

func TestE2E(t *testing.T) {
	RegisterFailHandler(Fail)
	suite, reporter := GinkgoConfiguration()
	suite.RandomSeed = run.Config.Seed
	suite.LabelFilter = run.Config.Labels
	suite.FailOnEmpty = true
	// Specs have their own timeouts; this one must not cut a long run short.
	suite.Timeout = 24 * time.Hour
	suite.GracePeriod = time.Minute
	// The run's progress lines appear between the dots of the specs.
	quiet := run.Progress.Mode() == progress.Quiet
	reporter.ForceNewlines, reporter.Succinct = !quiet, reporter.Succinct || quiet
	reporter.NoColor = reporter.NoColor || !progress.Colors(os.Stdout)
	if run.Progress.Mode() != progress.JSON {
		formatter.ColorableStdOut = run.Progress.Verbatim()
	}
	reporter.JUnitReport = filepath.Join(run.Dir(), "ginkgo-junit.xml")
	reporter.JSONReport = filepath.Join(run.Dir(), "ginkgo.json")
	RunSpecs(t, "podburst", suite, reporter)
}

var _ = ReportAfterSuite("how the run ended", func(report Report) {
	for _, reason := range report.SpecialSuiteFailureReasons {
		if strings.Contains(strings.ToLower(reason), "interrupt") {
			run.Interrupted(reason)
		}
	}
	for _, spec := range report.SpecReports {
		if spec.State == types.SpecStateInterrupted {
			run.Interrupted("signal during " + spec.FullText())
		}
	}
})
