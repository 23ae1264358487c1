package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
)

// stage stands in for the clusters of a comparison: it records made-up bursts.
type stage struct {
	*Experiment
	// spoil says how burst n (from 1, over all arms) goes wrong.
	spoil func(n int) (dropped int, err error)
	sent  int
	// log is what happened, one word per step: "open a", "warm-up a", "a/1" (arm and
	// block), "close a".
	log []string
}

type actor struct {
	*stage
	profile string
}

type provider struct{}

func (provider) Name() string { return "test" }
func (provider) Create(context.Context, clusters.Profile) (clusters.Cluster, error) {
	return nil, errors.ErrUnsupported
}

func (a actor) say(format string, args ...any) { a.log = append(a.log, fmt.Sprintf(format, args...)) }

func (a actor) Warmup(context.Context) error { a.say("warm-up %s", a.profile); return nil }
func (a actor) Collect(context.Context) error {
	a.say("collect %s", a.profile)
	return nil
}
func (a actor) Close(context.Context) error { a.say("close %s", a.profile); return nil }
func (a actor) burst(ctx context.Context, _ string, o burst.Options) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	a.sent++
	a.say("%s/%d", a.profile, o.Block)
	b := synthetic.Burst(synthetic.Options{Profile: a.profile, Index: o.Index, Start: time.Date(2026, 11, 29, 12, a.sent, 0, 0, time.UTC)})
	b.Block = o.Block
	var err error
	if a.spoil != nil {
		b.Health.Dropped, err = a.spoil(a.sent)
	}
	return errors.Join(a.addBurst(b), err)
}

// perform plans a comparison of the profiles a and b and runs it on a stage.
func perform(t *testing.T, seed int64, plan recording.ComparisonPlan, spoil func(int) (int, error), extend func(recording.Run) (bool, error)) (*stage, error) {
	t.Helper()
	plan.Base = "a"
	e, err := Start(Options{
		Provider: provider{}, Plan: Plan{
			Spec: burst.Spec{Load: load.Job{Pods: 8}, Deadline: time.Minute}, Warmup: 2, Seed: seed, Comparison: &plan, Artifacts: t.TempDir(),
			Profiles: []clusters.Profile{{Metadata: clusters.Metadata{Name: "a"}}, {Metadata: clusters.Metadata{Name: "b"}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	st := &stage{Experiment: e, spoil: spoil}
	s := e.sequence(func(_ context.Context, p clusters.Profile) (sender, error) {
		st.log = append(st.log, "open "+p.Metadata.Name)
		return actor{st, p.Metadata.Name}, e.addProfile(recording.Profile{Name: p.Metadata.Name})
	})
	return st, s.run(t.Context(), extend)
}

// bursts are the steps that sent a burst.
func (s *stage) bursts() (sent []string) {
	for _, step := range s.log {
		if strings.Contains(step, "/") {
			sent = append(sent, step)
		}
	}
	return sent
}

func TestEveryBlockHasEveryArmOnceInAnOrderOfTheSeed(t *testing.T) {
	plan := recording.ComparisonPlan{Blocks: 8, MaxBlocks: 8, Layout: recording.SideBySide}
	first, err := perform(t, 1, plan, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := perform(t, 1, plan, nil, nil)
	other, _ := perform(t, 2, plan, nil, nil)
	if !slices.Equal(first.bursts(), again.bursts()) {
		t.Errorf("the same seed gave %q and %q", first.bursts(), again.bursts())
	}
	if slices.Equal(first.bursts(), other.bursts()) {
		t.Errorf("two seeds gave the same order %q", first.bursts())
	}
	sent := first.bursts()
	var swapped int
	for block := range 8 {
		pair := slices.Sorted(slices.Values(sent[2*block : 2*block+2]))
		if want := []string{fmt.Sprintf("a/%d", block+1), fmt.Sprintf("b/%d", block+1)}; !slices.Equal(pair, want) {
			t.Errorf("block %d is %q, want %q in any order", block+1, pair, want)
		}
		if strings.HasPrefix(sent[2*block], "b") {
			swapped++
		}
	}
	if swapped == 0 || swapped == 8 {
		t.Errorf("the order never changed: %q", sent)
	}
}

func TestLayoutsKeepOrChangeTheClusters(t *testing.T) {
	for layout, opens := range map[recording.Layout]int{recording.SideBySide: 2, recording.Anew: 6} {
		st, err := perform(t, 1, recording.ComparisonPlan{Blocks: 3, MaxBlocks: 3, Layout: layout}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		var opened, warmed, closed, live, most int
		for _, step := range st.log {
			switch word, _, _ := strings.Cut(step, " "); word {
			case "open":
				opened++
				live++
			case "warm-up":
				warmed++
			case "close":
				closed++
				live--
			}
			most = max(most, live)
		}
		if opened != opens || warmed != opens || closed != opens {
			t.Errorf("%s: opened %d, warmed up %d, closed %d clusters; want %d of each: %q", layout, opened, warmed, closed, opens, st.log)
		}
		if want := 2; layout == recording.SideBySide && most != want || layout == recording.Anew && most != 1 {
			t.Errorf("%s: %d clusters lived at once", layout, most)
		}
	}
}

func TestABlockThatCannotBeTrustedIsSentAgainWithItsReasonKept(t *testing.T) {
	third := func(n int) (int, error) {
		if n == 3 {
			return 1, nil
		}
		return 0, nil
	}
	st, err := perform(t, 1, recording.ComparisonPlan{Blocks: 2, MaxBlocks: 2, Repeats: 1, Layout: recording.SideBySide}, third, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Block 2 ends with its first burst; block 3 replaces it.
	if len(st.bursts()) != 5 || !strings.HasSuffix(st.bursts()[2], "/2") || !strings.HasSuffix(st.bursts()[4], "/3") {
		t.Errorf("sent %q", st.bursts())
	}
	run, err := recording.Read(st.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Bursts) != 5 || run.Bursts[2].Health.Dropped != 1 {
		t.Errorf("the recording has %d bursts, and the third's reason is not in it", len(run.Bursts))
	}
}

func TestTooManyBlocksThatCannotBeTrustedEndTheRun(t *testing.T) {
	always := func(int) (int, error) { return 1, nil }
	asked := false
	st, err := perform(t, 1, recording.ComparisonPlan{Blocks: 2, MaxBlocks: 4, Repeats: 3, Layout: recording.SideBySide}, always,
		func(recording.Run) (bool, error) { asked = true; return true, nil })
	if err != nil || asked || len(st.bursts()) != 4 {
		t.Errorf("sent %q, asked for an extension: %v, error %v", st.bursts(), asked, err)
	}
}

func TestAnArmThatBreaksIsReplacedWithItsEvidenceKept(t *testing.T) {
	second := func(n int) (int, error) {
		if n == 2 {
			return 1, errors.New("kube-scheduler has ended")
		}
		return 0, nil
	}
	st, err := perform(t, 1, recording.ComparisonPlan{Blocks: 2, MaxBlocks: 2, Repeats: 1, Layout: recording.SideBySide}, second, nil)
	if err != nil {
		t.Fatal(err)
	}
	broken := strings.TrimSuffix(st.bursts()[1], "/1")
	i := slices.Index(st.log, "collect "+broken)
	if i < 0 || st.log[i+1] != "close "+broken || !slices.Contains(st.log[i:], "open "+broken) {
		t.Errorf("arm %s broke: %q", broken, st.log)
	}
}

func TestARunIsExtendedOnceAndSaysSo(t *testing.T) {
	for name, more := range map[string]bool{"undecided": true, "decided": false} {
		var looks []int
		st, err := perform(t, 1, recording.ComparisonPlan{Blocks: 2, MaxBlocks: 5, Layout: recording.SideBySide}, nil, func(run recording.Run) (bool, error) {
			looks = append(looks, run.Manifest.Comparison.Looks)
			return more, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		want, wantLooks := 4, 1
		if more {
			want, wantLooks = 10, 2
		}
		if got := st.Run().Manifest.Comparison.Looks; len(st.bursts()) != want || got != wantLooks || !slices.Equal(looks, []int{1}) {
			t.Errorf("%s: %d bursts, %d looks recorded, asked at looks %v", name, len(st.bursts()), got, looks)
		}
	}
}

func TestAnInterruptedComparisonRemovesItsClusters(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e, err := Start(Options{Provider: provider{}, Plan: Plan{
		Spec: burst.Spec{Load: load.Job{Pods: 8}}, Artifacts: t.TempDir(),
		Comparison: &recording.ComparisonPlan{Base: "a", Blocks: 8, MaxBlocks: 8, Layout: recording.SideBySide},
		Profiles:   []clusters.Profile{{Metadata: clusters.Metadata{Name: "a"}}, {Metadata: clusters.Metadata{Name: "b"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	st := &stage{Experiment: e, spoil: func(n int) (int, error) {
		if n == 3 {
			cancel()
		}
		return 0, nil
	}}
	s := e.sequence(func(_ context.Context, p clusters.Profile) (sender, error) {
		return actor{st, p.Metadata.Name}, nil
	})
	if err := s.run(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	for _, step := range []string{"close a", "close b"} {
		if !slices.Contains(st.log, step) {
			t.Errorf("no %q in %q", step, st.log)
		}
	}
}

func TestAComparisonThatCannotBeCarriedOutIsRefused(t *testing.T) {
	good := recording.ComparisonPlan{Base: "a", Blocks: 8, MaxBlocks: 16, Repeats: 4, Layout: recording.Anew}
	for name, c := range map[string]struct {
		change   func(*recording.ComparisonPlan)
		profiles []string
		says     string
	}{
		"as it should be": {func(*recording.ComparisonPlan) {}, []string{"a", "b"}, ""},
		"a sweep":         {func(c *recording.ComparisonPlan) { c.Base = "" }, []string{"a", "b"}, ""},
		"no such base":    {func(c *recording.ComparisonPlan) { c.Base = "c" }, []string{"a", "b"}, `base "c" is none of the profiles (a, b)`},
		"one arm":         {func(*recording.ComparisonPlan) {}, []string{"a"}, "needs at least 2"},
		"no block":        {func(c *recording.ComparisonPlan) { c.Blocks = 0 }, []string{"a", "b"}, "at least 1 is needed"},
		"a smaller limit": {func(c *recording.ComparisonPlan) { c.MaxBlocks = 4 }, []string{"a", "b"}, "fewer than the 8"},
		"odd repeats":     {func(c *recording.ComparisonPlan) { c.Repeats = -1 }, []string{"a", "b"}, "-1 repeats"},
		"no layout":       {func(c *recording.ComparisonPlan) { c.Layout = "" }, []string{"a", "b"}, `layout ""`},
	} {
		plan := good
		c.change(&plan)
		var profiles []clusters.Profile
		for _, p := range c.profiles {
			profiles = append(profiles, clusters.Profile{Metadata: clusters.Metadata{Name: p}})
		}
		_, err := Start(Options{Provider: provider{}, Plan: Plan{Spec: burst.Spec{Load: load.Job{Pods: 8}}, Artifacts: t.TempDir(), Profiles: profiles, Comparison: &plan}})
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: error %v, want %q", name, err, c.says)
		}
	}
}

func TestClustersOfOneProfileAgreeOrItsBurstsAreInvalid(t *testing.T) {
	limits := func(node string, qps float64) clusters.Effective {
		return clusters.Effective{node: {KubeAPIQPS: qps, KubeAPIBurst: 10}}
	}
	for name, c := range map[string]struct {
		later clusters.Effective
		want  int
	}{
		"alike, with other node names": {limits("kubelet-y", 5), 0},
		"other limits":                 {limits("kubelet-y", 6), 1},
	} {
		e, err := Start(Options{Provider: provider{}, Plan: Plan{Spec: burst.Spec{Load: load.Job{Pods: 8}}, Artifacts: t.TempDir(), Bursts: 1,
			Profiles: []clusters.Profile{{Metadata: clusters.Metadata{Name: "a"}}}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, effective := range []clusters.Effective{limits("kubelet-x", 5), c.later, c.later} {
			if err := e.addProfile(recording.Profile{Name: "a", Effective: effective}); err != nil {
				t.Fatal(err)
			}
		}
		if run := e.Run(); len(run.Profiles) != 1 || len(run.Profiles[0].Problems) != c.want {
			t.Errorf("%s: %d profiles, %+v", name, len(run.Profiles), run.Profiles)
		}
	}
}
