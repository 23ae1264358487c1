//go:build e2e

package e2e

import (
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/experiment"
)

// How long the steps around a burst may take before they count as hung.
const (
	createTimeout  = 15 * time.Minute // kind on a slow machine
	cleanupTimeout = 3 * time.Minute
	deleteTimeout  = 3 * time.Minute // longer than experiment waits itself
)

var _ = Describe("podburst", func() {
	if run.Config.Base != "" {
		compares()
		return
	}
	DescribeTableSubtree("profile", func(profile clusters.Profile) {
		name := profile.Metadata.Name
		burstTimeout := run.Config.Deadline + cleanupTimeout
		var arm *experiment.Arm

		BeforeAll(func(ctx SpecContext) {
			var err error
			arm, err = run.Experiment.Open(ctx, profile)
			run.Report()
			Expect(err).NotTo(HaveOccurred())
			// Registered first, so that it runs after the evidence is collected.
			DeferCleanup(func(ctx SpecContext) {
				Expect(arm.Close(ctx)).To(Succeed())
			}, NodeTimeout(deleteTimeout))
		}, NodeTimeout(createTimeout))

		AfterEach(func(ctx SpecContext) {
			if CurrentSpecReport().Failed() && arm != nil {
				Expect(arm.Collect(ctx)).To(Succeed())
			}
		}, NodeTimeout(time.Minute))

		if run.Config.Warmup > 0 {
			It("warms up", func(ctx SpecContext) {
				Expect(arm.Warmup(ctx)).To(Succeed())
			}, SpecTimeout(burstTimeout))
		}
		for i := 1; i <= run.Config.Bursts; i++ {
			It(fmt.Sprintf("burst %d is valid and meets its objectives", i), func(ctx SpecContext) {
				err := arm.Burst(ctx, i)
				report := run.Report()
				Expect(err).NotTo(HaveOccurred())
				Expect(BurstOf(report, name, i)).To(BeValid())
				Expect(ChecksOf(report, name, i)).To(MeetObjectives())
			}, SpecTimeout(burstTimeout))
		}
		It("meets its objectives over all bursts", func() {
			Expect(ChecksOf(run.Report(), name, 0)).To(MeetObjectives())
		})
	}, entries())
})

// entries are built when Ginkgo builds the tree, after TestMain has resolved the
// profiles.
func entries() []TableEntry {
	var entries []TableEntry
	for _, p := range run.Config.Profiles {
		entries = append(entries, Entry(p.Metadata.Name, p,
			Label("profile:"+p.Metadata.Name), Ordered, ContinueOnFailure))
	}
	return entries
}
