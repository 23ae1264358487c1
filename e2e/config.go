package e2e

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/podburst/podburst/clusters/providers"
	"github.com/podburst/podburst/reports/progress"
)

// Config is what a user may set, all by environment variables (make passes its
// own variables on). The zero value is not usable; see ParseConfig.
type Config struct {
	// Provider (PROVIDER): "auto", "embedded", "kind" or "existing". Default auto.
	Provider string
	// Profiles (PROFILES): names of shipped profiles or paths of files, by comma.
	// Default "default,tuned"; of PROVIDER=existing, which takes one, "default".
	Profiles []string
	// Pods (PODS) per burst. Default 100.
	Pods int
	// Bursts (BURSTS) per profile, warm-up not counted. Default 3.
	Bursts int
	// Warmup (WARMUP) is the number of pods of the one warm-up burst per
	// cluster, which is recorded and excluded; 0 leaves it out. Default 10.
	Warmup int
	// SLO is the file of objectives (SLO). Default: the shipped slo.yaml.
	SLO string
	// Artifacts (ARTIFACTS) is the folder that gets a folder per run. Default "artifacts".
	Artifacts string
	// Deadline (DEADLINE) is how long one burst may take until all pods are Ready. Default 2m.
	Deadline time.Duration
	// Base and Head (BASE, HEAD) are two profiles to compare in blocks; Profiles,
	// Bursts and the default objectives are then left out. Default: none.
	Base, Head string
	// Criteria (CRITERIA) is the file that they are compared by. Default: built in.
	// Blocks (BLOCKS) and MaxBlocks (MAX_BLOCKS) change its number of blocks.
	Criteria          string
	Blocks, MaxBlocks int
	// Image (IMAGE) of the pods' container; it is not pulled in a burst. Default: burst.PauseImage.
	Image string
	// Kubeconfig (KUBECONFIG), Context (KUBECONTEXT) and AuditLog (AUDIT_LOG, a
	// file) are read by PROVIDER=existing only. Defaults: .kube/config in the home
	// folder, its current context, and none.
	Kubeconfig, Context, AuditLog string
	// Progress (PROGRESS) is how the run tells of its progress. Default auto: live on
	// a terminal, plain elsewhere.
	Progress progress.Mode
	// Labels (LABELS) is a Ginkgo label filter. Default: all bursts.
	Labels string
	// Seed (SEED) of all random choices. Default: from the clock.
	Seed int64
}

// ParseConfig reads the configuration; get is os.LookupEnv in the suite. All
// faults are reported at once. An empty value counts as unset, since make
// exports empty variables.
func ParseConfig(get func(string) (string, bool), now time.Time) (Config, error) {
	var errs []error
	text := func(name, def string) string {
		if v, ok := get(name); ok && v != "" {
			return v
		}
		return def
	}
	number := func(name string, def, low, high int64) int64 {
		s := text(name, "")
		if s == "" {
			return def
		}
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || n < low || n > high {
			errs = append(errs, fmt.Errorf("%s=%q: want a whole number from %d to %d", name, s, low, high))
			return def
		}
		return n
	}
	provider, profiles := text("PROVIDER", providers.Auto), "default,tuned"
	// A name that is unknown is an error when the session opens.
	known, _ := providers.Lookup(provider)
	if known.Adopts {
		profiles = "default"
	}
	c := Config{
		Provider:  provider,
		Profiles:  strings.Split(text("PROFILES", profiles), ","),
		Pods:      int(number("PODS", 100, 1, 1_000_000)),
		Bursts:    int(number("BURSTS", 3, 1, 1000)),
		Warmup:    int(number("WARMUP", 10, 0, 1_000_000)),
		SLO:       text("SLO", ""),
		Artifacts: text("ARTIFACTS", "artifacts"),
		Image:     text("IMAGE", ""),
		Base:      text("BASE", ""),
		Head:      text("HEAD", ""),
		Criteria:  text("CRITERIA", ""),
		Blocks:    int(number("BLOCKS", 0, 1, 1000)),
		MaxBlocks: int(number("MAX_BLOCKS", 0, 1, 1000)),
		Labels:    text("LABELS", ""),
		Seed:      number("SEED", now.UnixNano()&0x7fffffff, 0, 1<<62),
	}
	// Elsewhere a KUBECONFIG that the user happens to have means nothing.
	if known.Adopts {
		c.Kubeconfig, c.Context, c.AuditLog = text("KUBECONFIG", ""), text("KUBECONTEXT", ""), text("AUDIT_LOG", "")
	}
	var err error
	if c.Progress, err = progress.ParseMode(text("PROGRESS", string(progress.Auto))); err != nil {
		errs = append(errs, fmt.Errorf("PROGRESS=%w", err))
	}
	switch {
	case (c.Base == "") != (c.Head == ""):
		errs = append(errs, fmt.Errorf("BASE=%q HEAD=%q: a comparison needs both", c.Base, c.Head))
	case c.Base != "" && text("PROFILES", "") != "":
		errs = append(errs, errors.New("PROFILES and BASE, HEAD: a comparison has the two profiles that it compares"))
	case c.Base != "" && known.Adopts:
		errs = append(errs, fmt.Errorf("PROVIDER=%s: its cluster has one configuration; compare two recorded runs (podburst compare --base-run --head-run)", provider))
	case c.Base == "" && (c.Criteria != "" || c.Blocks != 0 || c.MaxBlocks != 0):
		errs = append(errs, errors.New("CRITERIA, BLOCKS and MAX_BLOCKS are those of a comparison: give BASE and HEAD, too"))
	}
	// A warm-up larger than the burst would warm what the burst does not use.
	c.Warmup = min(c.Warmup, c.Pods)
	deadline := text("DEADLINE", "2m")
	d, err := time.ParseDuration(deadline)
	if err != nil || d <= 0 {
		errs = append(errs, fmt.Errorf("DEADLINE=%q: want a positive duration such as 90s or 2m", deadline))
	}
	c.Deadline = d
	if _, err := types.ParseLabelFilter(c.Labels); err != nil {
		errs = append(errs, fmt.Errorf("LABELS=%q: %w", c.Labels, err))
	}
	return c, errors.Join(errs...)
}
