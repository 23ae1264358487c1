package experiment

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/framework/validity"
)

// Blocks sends the bursts of a comparison (Options.Comparison) block by block. Each
// block has one burst of every arm, in an order drawn anew from the seed, so that a
// machine that slows down does so for all arms alike. If a burst cannot be trusted,
// its block is cut short and kept with the reasons, and a block with the next number
// is sent in its place. That happens at most Comparison.Repeats times; after that the
// run ends with fewer valid blocks than planned, and its report says so.
//
// Once the planned blocks are there, extend is asked, once, whether to go on to
// MaxBlocks; nil never extends. Nothing is ever sent again because of what it
// measured.
//
// The clusters are started here and removed before Blocks returns, even when ctx
// ends.
func (e *Experiment) Blocks(ctx context.Context, extend func(recording.Run) (bool, error)) error {
	if e.options.Comparison == nil {
		return errors.New("send blocks: the run was planned without a comparison: set Options.Comparison")
	}
	return e.sequence(func(ctx context.Context, p clusters.Profile) (sender, error) { return e.Open(ctx, p) }).run(ctx, extend)
}

// sender is what blocks need of an Arm.
type sender interface {
	Warmup(ctx context.Context) error
	burst(ctx context.Context, label string, o burst.Options) error
	Collect(ctx context.Context) error
	Close(ctx context.Context) error
}

// sequence is a run of blocks under way.
type sequence struct {
	*Experiment
	random *rand.Rand
	start  func(context.Context, clusters.Profile) (sender, error)
	// arms are those whose clusters are running.
	arms map[string]sender
	// block is the number of the last block, valid how many can be trusted, spoiled
	// how many cannot.
	block, valid, spoiled int
}

func (e *Experiment) sequence(start func(context.Context, clusters.Profile) (sender, error)) *sequence {
	return &sequence{
		Experiment: e,
		// A fixed stream of those that the seed could give: a run can be repeated.
		random: rand.New(rand.NewPCG(uint64(e.options.Seed), 0)),
		start:  start,
		arms:   map[string]sender{},
	}
}

func (s *sequence) run(ctx context.Context, extend func(recording.Run) (bool, error)) (err error) {
	defer func() { err = errors.Join(err, s.closeAll(ctx)) }()

	plan := *s.options.Comparison
	if enough, err := s.until(ctx, plan.Blocks); err != nil || !enough {
		return err
	}
	if extend == nil || plan.MaxBlocks <= plan.Blocks {
		return nil
	}
	more, err := extend(s.Run())
	if err != nil || !more {
		return err
	}
	s.progress("%d blocks do not decide it: going on to %d", plan.Blocks, plan.MaxBlocks)
	if err := s.extended(); err != nil {
		return err
	}
	_, err = s.until(ctx, plan.MaxBlocks)
	return err
}

// until sends blocks until n are valid; enough is false if too many were not.
func (s *sequence) until(ctx context.Context, n int) (enough bool, err error) {
	for s.valid < n {
		s.block++
		reason, err := s.next(ctx, n)
		if err != nil {
			return false, err
		}
		if reason == "" {
			s.valid++
			continue
		}
		s.spoiled++
		if s.spoiled > s.options.Comparison.Repeats {
			s.progress("block %d cannot be used: %s; given up after %d such blocks", s.block, reason, s.spoiled)
			return false, nil
		}
		s.progress("block %d cannot be used: %s; it is sent again (repeat %d of at most %d)", s.block, reason, s.spoiled, s.options.Comparison.Repeats)
	}
	return true, nil
}

// next sends one block. reason says why it cannot be used; err ends the run.
func (s *sequence) next(ctx context.Context, n int) (reason string, err error) {
	order := s.draw()
	names := make([]string, len(order))
	for i, p := range order {
		names[i] = p.Metadata.Name
	}
	s.progress("block %d (%d of %d valid so far): %s", s.block, s.valid, n, strings.Join(names, ", "))
	for _, profile := range order {
		reason, err := s.once(ctx, profile)
		if err != nil || reason != "" {
			return reason, err
		}
	}
	return "", nil
}

// draw returns the profiles in the order of the next block.
func (s *sequence) draw() []clusters.Profile {
	order := make([]clusters.Profile, len(s.options.Profiles))
	for i, j := range s.random.Perm(len(order)) {
		order[i] = s.options.Profiles[j]
	}
	return order
}

// once sends one arm's burst of the block.
func (s *sequence) once(ctx context.Context, profile clusters.Profile) (reason string, err error) {
	name := profile.Metadata.Name
	arm, err := s.open(ctx, profile)
	if err != nil {
		return "", err
	}
	index := s.count(name) + 1
	sent := arm.burst(ctx, fmt.Sprintf("block %d, profile %s", s.block, name),
		burst.Options{Index: index, Block: s.block, Spec: s.options.Spec, Profile: s.options.Profile})
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if sent == nil && s.options.Comparison.Layout == recording.Anew || sent != nil {
		err = s.close(ctx, name, sent != nil)
	}
	if err != nil {
		return "", errors.Join(sent, err)
	}
	if problems := s.distrust(name, index); len(problems) > 0 {
		return fmt.Sprintf("burst %d of %s is invalid: %s: %s", index, name, problems[0].Code, problems[0].Detail), nil
	}
	if sent != nil {
		return sent.Error(), nil //nolint:nilerr // it spoils the block, and ends no run
	}
	return "", nil
}

// open returns the profile's running arm, and starts and warms it up if there is
// none.
func (s *sequence) open(ctx context.Context, profile clusters.Profile) (sender, error) {
	name := profile.Metadata.Name
	if arm, live := s.arms[name]; live {
		return arm, nil
	}
	arm, err := s.start(ctx, profile)
	if err != nil {
		return nil, err
	}
	s.arms[name] = arm
	if s.options.Warmup > 0 {
		if err := arm.Warmup(ctx); err != nil {
			return nil, errors.Join(err, arm.Collect(ctx))
		}
	}
	return arm, nil
}

func (s *sequence) close(ctx context.Context, name string, evidence bool) (err error) {
	arm := s.arms[name]
	if evidence {
		err = arm.Collect(ctx)
	}
	delete(s.arms, name)
	return errors.Join(err, arm.Close(ctx))
}

func (s *sequence) closeAll(ctx context.Context) error {
	var errs []error
	for _, profile := range s.options.Profiles {
		if _, live := s.arms[profile.Metadata.Name]; live {
			errs = append(errs, s.close(ctx, profile.Metadata.Name, false))
		}
	}
	return errors.Join(errs...)
}

// distrust judges the profile's burst of that index. The caller has to explain a
// burst that was never recorded.
func (s *sequence) distrust(profile string, index int) []recording.Problem {
	run := s.Run()
	p, _ := run.Profile(profile)
	for i := range run.Bursts {
		if b := &run.Bursts[i]; b.Profile == profile && b.Index == index && !b.Warmup {
			return validity.Judge(*b, timeline.Build(*b), validity.Options{Profile: p.Problems})
		}
	}
	return nil
}
