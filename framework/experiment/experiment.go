package experiment

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
)

// Options says what a run does. Plan and Provider are required.
type Options struct {
	Plan
	// Provider starts the clusters; ProviderReason is a sentence that says why it was
	// chosen.
	Provider       clusters.Provider
	ProviderReason string
	// Environment is the machine's fingerprint.
	Environment any
	// Machine reads how busy the machine is, before and after each burst; nil: not
	// read.
	Machine func() recording.LoadSample
	// Progress receives every step; nil for none.
	Progress func(Step)
	// Live receives the state of the running burst, several times a second; nil for none.
	Live func(Live)
	// Clock defaults to time.Now, FileSystem to recording.Disk.
	Clock      func() time.Time
	FileSystem recording.FileSystem
}

// Experiment is a run in progress. Its methods are safe for concurrent use.
type Experiment struct {
	options Options
	writer  *recording.Writer

	mu       sync.Mutex
	profiles []recording.Profile
	bursts   []recording.Burst
}

// Start creates the run's folder and writes the plan into it. Input that could not
// work (a burst that does not fit its nodes) is an error before anything is started.
func Start(o Options) (*Experiment, error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Progress == nil {
		o.Progress = func(Step) {}
	}
	if o.FileSystem == nil {
		o.FileSystem = recording.Disk{}
	}
	if o.Live == nil {
		o.Live = func(Live) {}
	}
	var errs []error
	var names []string
	for _, p := range o.Profiles {
		names = append(names, p.Metadata.Name)
	}
	errs = append(errs, o.Spec.Check())
	pods := o.pods()
	o.Warmup = min(o.Warmup, pods)
	// If the pods are not known, assume the smallest burst.
	errs = append(errs, clusters.CheckPlan(o.Provider, o.Profiles, max(pods, 1)))
	if c := o.Comparison; c != nil {
		copied := *c
		copied.Looks = 1
		o.Comparison, o.Bursts = &copied, c.Blocks
		errs = append(errs, checkComparison(*c, names))
	}
	if o.Bursts < 1 {
		errs = append(errs, fmt.Errorf("%d bursts: at least 1 is needed", o.Bursts))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("plan run: %w", err)
	}
	environment, err := json.Marshal(o.Environment)
	if err != nil {
		return nil, fmt.Errorf("plan run: encode environment: %w", err)
	}
	w, err := recording.Create(o.Artifacts, recording.Manifest{
		StartedAt: o.Clock(), Seed: o.Seed, Provider: o.Provider.Name(), ProviderReason: o.ProviderReason,
		Profiles: names, BurstsPerProfile: o.Bursts, PodsPerBurst: pods, Environment: environment,
		Comparison: o.Comparison,
	}, recording.WithClock(o.Clock), recording.WithFileSystem(o.FileSystem))
	if err != nil {
		return nil, err
	}
	return &Experiment{options: o, writer: w}, nil
}

// Dir is the run's folder.
func (e *Experiment) Dir() string { return e.writer.Dir() }

// Run is what has been recorded so far, as recording.Read would return it: the
// profiles in planned order, whatever order their clusters were opened in.
func (e *Experiment) Run() recording.Run {
	e.mu.Lock()
	defer e.mu.Unlock()
	run := recording.Run{Manifest: e.writer.Manifest(), Profiles: slices.Clone(e.profiles), Bursts: slices.Clone(e.bursts)}
	slices.SortStableFunc(run.Profiles, func(a, b recording.Profile) int {
		return slices.Index(run.Manifest.Profiles, a.Name) - slices.Index(run.Manifest.Profiles, b.Name)
	})
	return run
}

// Interrupt records why the run ends early. What was recorded stays.
func (e *Experiment) Interrupt(reason string) error { return e.writer.Interrupt(reason) }

// checkComparison refuses a plan that cannot be carried out.
func checkComparison(c recording.ComparisonPlan, profiles []string) error {
	switch {
	case c.Base != "" && !slices.Contains(profiles, c.Base):
		return fmt.Errorf("base %q is none of the profiles (%s)", c.Base, strings.Join(profiles, ", "))
	case len(profiles) < 2:
		return fmt.Errorf("%d profiles: a comparison needs at least 2", len(profiles))
	case c.MaxBlocks < c.Blocks:
		return fmt.Errorf("at most %d blocks: fewer than the %d that are planned", c.MaxBlocks, c.Blocks)
	case c.Repeats < 0:
		return fmt.Errorf("%d repeats: want 0 or more", c.Repeats)
	case c.Layout != recording.SideBySide && c.Layout != recording.Anew:
		return fmt.Errorf("layout %q: want %s or %s", c.Layout, recording.SideBySide, recording.Anew)
	}
	return nil
}

// Finish records that the run was completed.
func (e *Experiment) Finish() error { return e.writer.Finish() }

// addProfile records a profile's cluster. If the profile gets a new cluster for each
// burst (recording.Anew), it keeps the record of the first one and the problems of
// all.
func (e *Experiment) addProfile(p recording.Profile) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	i := slices.IndexFunc(e.profiles, func(known recording.Profile) bool { return known.Name == p.Name })
	if i < 0 {
		e.profiles = append(e.profiles, p)
		return e.writer.WriteProfile(p)
	}
	known := &e.profiles[i]
	problems := p.Problems
	if !slices.Equal(limitsOf(known.Effective), limitsOf(p.Effective)) {
		problems = append(problems, recording.Problem{Code: recording.ProblemSettingsMismatch,
			Detail: "a cluster started later has other limits in force than the first"})
	}
	if known.Image != nil && p.Image != nil && *known.Image != *p.Image {
		problems = append(problems, recording.Problem{Code: recording.ProblemSettingsMismatch,
			Detail: fmt.Sprintf("a cluster started later is of another node image (%s) than the first (%s)", p.Image.ID, known.Image.ID)})
	}
	for _, problem := range problems {
		if !slices.Contains(known.Problems, problem) {
			known.Problems = append(slices.Clone(known.Problems), problem)
		}
	}
	return e.writer.WriteProfile(*known)
}

// limitsOf is the limits in force without node names, which differ between clusters.
func limitsOf(e clusters.Effective) (all []string) {
	for name, limits := range e {
		all = append(all, fmt.Sprintf("%s %g/%d", clusters.ParseInstance(name).Component, limits.KubeAPIQPS, limits.KubeAPIBurst))
	}
	slices.Sort(all)
	return all
}

// extended records that the comparison was extended and is decided at a second look.
func (e *Experiment) extended() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	m := e.writer.Manifest()
	c := *m.Comparison
	c.Looks = 2
	m.Comparison = &c
	return e.writer.WriteManifest(m)
}

// count is how many bursts of the profile are recorded, without warm-ups.
func (e *Experiment) count(profile string) (n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range e.bursts {
		if b := &e.bursts[i]; b.Profile == profile && !b.Warmup {
			n++
		}
	}
	return n
}

// warmups is how many warm-ups of the profile are recorded.
func (e *Experiment) warmups(profile string) (n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range e.bursts {
		if b := &e.bursts[i]; b.Profile == profile && b.Warmup {
			n++
		}
	}
	return n
}

func (e *Experiment) addBurst(b recording.Burst) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.bursts = append(e.bursts, b)
	return e.writer.WriteBurst(b)
}

// updateBurst stores what was learned about a burst after it was added. The burst is
// identified by profile, index and whether it is a warm-up, since arms can end in any
// order.
func (e *Experiment) updateBurst(b recording.Burst) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	i := slices.IndexFunc(e.bursts, func(known recording.Burst) bool { return known.OrderName() == b.OrderName() })
	if i < 0 {
		return fmt.Errorf("update burst %s: it was not recorded before", b.OrderName())
	}
	e.bursts[i] = b
	return e.writer.UpdateBurst(b)
}

func (e *Experiment) progress(format string, args ...any) {
	e.options.Progress(Step{Message: fmt.Sprintf(format, args...)})
}

func (e *Experiment) machine() recording.LoadSample {
	if e.options.Machine == nil {
		return recording.LoadSample{}
	}
	return e.options.Machine()
}
