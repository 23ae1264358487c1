package e2e

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/podburst/podburst/clusters/providers"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/reports/progress"
)

// Config is what a user may set, all through environment variables (make passes on
// its own variables). The zero value is not usable; see ParseConfig.
type Config struct {
	// Provider (PROVIDER): "auto", "embedded", "kind" or "existing". Default auto.
	Provider string
	// Plan is what to send: PODS (default 100) of IMAGE (load.PauseImage; it is not
	// pulled during a burst), BURSTS per profile (3), WARMUP pods in the one warm-up
	// burst of each cluster (10; 0 leaves it out), DEADLINE of one burst (2m), SEED
	// (from the clock) and ARTIFACTS ("artifacts"). Prepare fills in its Profiles and
	// Comparison.
	experiment.Plan
	//
	// PPROF=1 sets its Profile: CPU profiles of the components are taken over each
	// burst, which is then never compared. Default 0.
	//
	// ProfileNames (PROFILES) are names of shipped profiles or paths of files,
	// separated by commas. Default "default,tuned"; for PROVIDER=existing, which
	// takes one, "default".
	ProfileNames []string
	// SLO is the file of objectives (SLO). Default: the shipped slo.yaml.
	SLO string
	// Base and Head (BASE, HEAD) are two profiles to compare in blocks; Profiles,
	// Bursts and the default objectives are then not used. Default: none.
	Base, Head string
	// Criteria (CRITERIA) is the file that judges the comparison. Default: built in.
	// Blocks (BLOCKS) and MaxBlocks (MAX_BLOCKS) override its numbers of blocks.
	Criteria          string
	Blocks, MaxBlocks int
	// Kubeconfig (KUBECONFIG), Context (KUBECONTEXT) and AuditLog (AUDIT_LOG, a file)
	// are read only for PROVIDER=existing. Defaults: .kube/config in the home folder,
	// its current context, and none.
	Kubeconfig, Context, AuditLog string
	// Progress (PROGRESS) is how the run reports progress. Default auto: live on a
	// terminal, plain elsewhere.
	Progress progress.Mode
	// Labels (LABELS) is a Ginkgo label filter. Default: all bursts.
	Labels string
}

// ParseConfig reads the configuration; get is os.LookupEnv in the suite. All errors
// are reported at once. An empty value counts as unset, since make exports empty
// variables.
func ParseConfig(get func(string) (string, bool), now time.Time) (Config, error) {
	var errs []error
	text := func(name, def string) string {
		if v, ok := get(name); ok && v != "" {
			return v
		}
		return def
	}
	number := func(name string, n experiment.Number) int {
		s := text(name, "")
		value, err := n.Parse(fmt.Sprintf("%s=%q", name, s), s)
		if err != nil {
			errs = append(errs, err)
		}
		return value
	}
	provider, profiles := text("PROVIDER", providers.Auto), "default,tuned"
	// An unknown name is an error when the session opens.
	known, _ := providers.Lookup(provider)
	if known.Adopts {
		profiles = "default"
	}
	blocks := experiment.Number{Low: 1, High: experiment.Bursts.High}
	c := Config{
		Provider:     provider,
		ProfileNames: strings.Split(text("PROFILES", profiles), ","),
		Plan: experiment.Plan{
			Spec:      burst.Spec{Load: load.Job{Pods: number("PODS", experiment.Pods), Image: text("IMAGE", "")}},
			Bursts:    number("BURSTS", experiment.Bursts),
			Warmup:    number("WARMUP", experiment.Warmup),
			Seed:      now.UnixNano() & 0x7fffffff,
			Profile:   text("PPROF", "0") == "1",
			Artifacts: text("ARTIFACTS", experiment.DefaultArtifacts),
		},
		SLO:       text("SLO", ""),
		Base:      text("BASE", ""),
		Head:      text("HEAD", ""),
		Criteria:  text("CRITERIA", ""),
		Blocks:    number("BLOCKS", blocks),
		MaxBlocks: number("MAX_BLOCKS", blocks),
		Labels:    text("LABELS", ""),
	}
	var err error
	if s := text("SEED", ""); s != "" {
		if c.Seed, err = strconv.ParseInt(s, 10, 64); err != nil || c.Seed < 0 {
			errs = append(errs, fmt.Errorf("SEED=%q: want a whole number of 0 or more", s))
		}
	}
	deadline := text("DEADLINE", "")
	if c.Deadline, err = experiment.ParseDuration(fmt.Sprintf("DEADLINE=%q", deadline), deadline, burst.DefaultDeadline); err != nil {
		errs = append(errs, err)
	}
	// With other providers, a KUBECONFIG that the user happens to have means nothing.
	if known.Adopts {
		c.Kubeconfig, c.Context, c.AuditLog = text("KUBECONFIG", ""), text("KUBECONTEXT", ""), text("AUDIT_LOG", "")
	}
	if c.Progress, err = progress.ParseMode(text("PROGRESS", string(progress.Auto))); err != nil {
		errs = append(errs, fmt.Errorf("PROGRESS=%w", err))
	}
	if pprof := text("PPROF", "0"); pprof != "0" && pprof != "1" {
		errs = append(errs, fmt.Errorf("PPROF=%q: want 1 for CPU profiles of the components, or 0", pprof))
	}
	switch {
	case c.Base != "" && c.Profile:
		errs = append(errs, errors.New("PPROF=1 and BASE, HEAD: profiling slows the components, so profiled bursts are never compared; profile in a run of its own (make e2e PPROF=1 PROFILES=...)"))
	case (c.Base == "") != (c.Head == ""):
		errs = append(errs, fmt.Errorf("BASE=%q HEAD=%q: a comparison needs both", c.Base, c.Head))
	case c.Base != "" && text("PROFILES", "") != "":
		errs = append(errs, errors.New("PROFILES and BASE, HEAD: a comparison has the two profiles that it compares"))
	case c.Base != "" && known.Adopts:
		errs = append(errs, fmt.Errorf("PROVIDER=%s: its cluster has one configuration; compare two recorded runs (podburst compare --base-run --head-run)", provider))
	case c.Base == "" && (c.Criteria != "" || c.Blocks != 0 || c.MaxBlocks != 0):
		errs = append(errs, errors.New("CRITERIA, BLOCKS and MAX_BLOCKS are those of a comparison: give BASE and HEAD, too"))
	}
	if _, err := types.ParseLabelFilter(c.Labels); err != nil {
		errs = append(errs, fmt.Errorf("LABELS=%q: %w", c.Labels, err))
	}
	return c, errors.Join(errs...)
}
