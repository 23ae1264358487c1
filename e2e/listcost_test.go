//go:build e2e

package e2e

import (
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/klog/v2"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/listcost"
	"github.com/podburst/podburst/reports"
)

// listCostTimeout bounds the measurement of one profile. 5,000 pods take about ten
// minutes on two busy cores.
const listCostTimeout = 2 * time.Hour

// listCosts are the specs of a run that LABELS asks list-cost of: one measures,
// the others judge what it recorded.
func listCosts() {
	DescribeTableSubtree("what lists and watches cost in profile", func(profile clusters.Profile) {
		name := profile.Metadata.Name
		var arm *experiment.Arm
		var result *listcost.Result

		BeforeAll(func(ctx SpecContext) {
			printTraces()
			var err error
			arm, err = run.Experiment.Open(ctx, profile)
			run.Report()
			Expect(err).NotTo(HaveOccurred())
			DeferCleanup(func(ctx SpecContext) {
				Expect(arm.Close(ctx)).To(Succeed())
			}, NodeTimeout(deleteTimeout))
		}, NodeTimeout(createTimeout))

		AfterEach(func(ctx SpecContext) {
			if CurrentSpecReport().Failed() && arm != nil {
				Expect(arm.Collect(ctx)).To(Succeed())
			}
		}, NodeTimeout(time.Minute))

		// check is the measurement's check of that name.
		check := func(name string) listcost.Check {
			GinkgoHelper()
			if result == nil {
				Skip("nothing was measured")
			}
			i := slices.IndexFunc(result.Checks, func(c listcost.Check) bool { return c.Name == name })
			Expect(i).NotTo(BeNumerically("<", 0), "no check %q", name)
			return result.Checks[i]
		}
		notFail := func(c listcost.Check) {
			GinkgoHelper()
			Expect(c.Verdict).NotTo(BeElementOf(listcost.Fail, listcost.Invalid), c.Message)
		}

		It("are measured: every list and every informer gets all pods", func(ctx SpecContext) {
			err := arm.ListCost(ctx)
			report := run.Report()
			result = listCostOf(report, name)
			Expect(err).NotTo(HaveOccurred())
			Expect(result).NotTo(BeNil(), "the report has no list costs of this profile")
			notFail(check("every list and every informer got all pods"))
		}, SpecTimeout(listCostTimeout))
		It("are low for the suite's own watcher: one list and one watch of each resource", func() {
			notFail(check("the suite's watcher makes one list and one watch of each resource"))
		})
		for _, s := range listcost.Strategies() {
			It("grow no faster than the number of pods in lists: "+s.Name, func() {
				if result == nil || !slices.ContainsFunc(result.Strategies, func(r listcost.StrategyResult) bool { return r.Name == s.Name && r.Unserved == "" }) {
					Skip("not measured, or not served here")
				}
				for _, quantity := range []string{"bytes", "seconds"} {
					notFail(check("growth of " + s.Name + " in " + quantity))
				}
				if result.AuditUnavailable == "" {
					notFail(check("growth of " + s.Name + " in serverSeconds"))
				}
			})
		}
	}, listCostEntries())
}

// printTraces makes the traces of slow lists part of the run's output; klog prints
// them from verbosity 2 on.
func printTraces() {
	var level klog.Level
	Expect(level.Set("2")).To(Succeed())
	klog.LogToStderr(false)
	klog.SetOutput(run.Progress.Verbatim())
	DeferCleanup(func() error {
		klog.Flush()
		klog.LogToStderr(true)
		return level.Set("0")
	})
}

func listCostEntries() []TableEntry {
	var entries []TableEntry
	for _, p := range run.Profiles {
		name := p.Metadata.Name
		entries = append(entries, Entry(name, p, Label(LabelListCost, "profile:"+name), Ordered, ContinueOnFailure))
	}
	return entries
}

func listCostOf(report reports.Report, profile string) *listcost.Result {
	if report.ListCost == nil {
		return nil
	}
	for i := range report.ListCost.Profiles {
		if r := &report.ListCost.Profiles[i]; r.Profile == profile {
			return r
		}
	}
	return nil
}
