//go:build integration

package causes

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/test/internal/suite"
)

// TestCauseLab is the lab itself: every cause, several bursts with and without it, in
// random order. It measures: a burst that is not understood is a row of the table and no
// failure of the test.
func TestCauseLab(t *testing.T) {
	if !*labFlag && *fromFlag == "" {
		t.Skip("the lab takes about an hour: run make cause-lab")
	}
	dir := *fromFlag
	if dir == "" {
		dir = inject(t)
	}
	bursts, h := judged(t, dir)
	table := Table(h, bursts)
	fmt.Println(table)
	if testing.Verbose() {
		for i := range bursts {
			fmt.Println(bursts[i].String())
		}
	}
	for _, line := range Missed(bursts) {
		fmt.Println("not named first:", line)
	}
	if *docsFlag != "" {
		suite.Must(t, Document(*docsFlag, table))
	}
}

// inject sends all bursts and returns the folder of the recordings.
func inject(t *testing.T) string {
	seed := *seedFlag
	if seed == 0 {
		seed = time.Now().Unix()
	}
	dir := *keepFlag
	if dir == "" {
		dir = t.TempDir()
	}
	list := chosen(t)
	rand.New(rand.NewPCG(uint64(seed), 0)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	fmt.Printf("cause lab: seed %d, recordings in %s\n", seed, dir)
	for i, c := range list {
		fmt.Printf("%s cause %d of %d: %s\n", time.Now().Format(time.TimeOnly), i+1, len(list), c.Name)
		t.Run(c.Name, func(t *testing.T) {
			run(t, plan{causes: []*Cause{c}, pods: c.pods(), bursts: *burstsFlag, lifted: true, warmup: 10, seed: seed, artifacts: filepath.Join(dir, c.Name)})
		})
	}
	return dir
}

// judged reads and judges all recordings below a folder.
func judged(t *testing.T, dir string) (all []Burst, h Header) {
	found, err := Find(dir)
	suite.Must(t, err)
	for _, run := range found {
		bursts, err := Read(run)
		suite.Must(t, err)
		note, err := ReadNote(run)
		suite.Must(t, err)
		if !slices.Contains(h.Seeds, note.Seed) {
			h.Seeds = append(h.Seeds, note.Seed)
		}
		if len(bursts) > 0 {
			h.Kubernetes = bursts[0].Profile.KubernetesVersion
		}
		recorded, err := recording.Read(run)
		suite.Must(t, err)
		h.Machine = humanize.Count(processors(recorded), "processor")
		all = append(all, bursts...)
	}
	return all, h
}

// TestTheInjectedCauseComesFirst is the short form: one burst of every cause that shows
// on any machine.
func TestTheInjectedCauseComesFirst(t *testing.T) {
	if *labFlag || *fromFlag != "" {
		t.Skip("the lab itself runs")
	}
	for _, group := range groups(chosen(t)) {
		artifacts := *keepFlag
		if artifacts == "" {
			artifacts = t.TempDir()
		}
		dir := run(t, plan{causes: group, pods: group[0].shortPods(), bursts: 1, seed: 1, artifacts: artifacts})
		bursts, err := Read(dir)
		suite.Must(t, err)
		for i := range bursts {
			t.Run(bursts[i].Cause.Name, func(t *testing.T) { judgedRight(t, &bursts[i]) })
		}
	}
}

// groups are the robust causes by what they need of a cluster: all those that are no
// matter of the profile share one.
func groups(list []*Cause) [][]*Cause {
	var shared []*Cause
	var all [][]*Cause
	for _, c := range list {
		switch {
		case !c.Robust:
		case c.Set == nil:
			shared = append(shared, c)
		default:
			all = append(all, []*Cause{c})
		}
	}
	if len(shared) > 0 {
		all = append(all, shared)
	}
	return all
}

// judgedRight asserts by the order of the stations only, never by a time.
func judgedRight(t *testing.T, b *Burst) {
	for _, s := range b.Analysis.Sentences {
		t.Log(s)
	}
	if b.Makespan() == 0 {
		t.Fatalf("not every pod became ready: %v", b.Recorded.Problems)
	}
	if !b.Right() {
		t.Errorf("%s was injected; the first station is %+v", b.Cause.Injected, b.First())
	}
	if useless := b.Useless(); len(useless) > 0 {
		t.Errorf("advice that gains nothing: %q", useless)
	}
	for _, st := range b.Analysis.Stations {
		if !st.Known && !st.Absent && st.UnknownReason == "" {
			t.Errorf("%s is not known, and no reason is given", st.Station)
		}
	}
}
