//go:build e2e

package e2e

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/podburst/podburst/framework/verdict"
)

// The comparison of two profiles is one spec: its blocks belong together, and only
// all of them can be judged.
func compares() {
	c := run.Config
	limit := func() time.Duration {
		plan := run.Experiment.Run().Manifest.Comparison
		bursts := time.Duration(2 * (plan.MaxBlocks + plan.Repeats + 1))
		// Each may start its own cluster (layout anew).
		return bursts * (createTimeout + 2*(c.Deadline+cleanupTimeout) + deleteTimeout)
	}
	It("finds "+c.Head+" no slower than "+c.Base+", block by block", Label("compare"), func(ctx SpecContext) {
		Expect(run.Blocks(ctx)).To(Succeed())
		report := run.Report()
		Expect(report.Run.Complete).To(BeTrue(), "too many blocks had an invalid burst: %q", report.Reasons)
		Expect(report.Comparisons).To(HaveEach(HaveField("Verdict", Not(BeElementOf(verdict.Regressed, verdict.Invalid)))))
	}, SpecTimeout(limit()))
}
