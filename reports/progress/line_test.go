package progress

import (
	"strings"
	"testing"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/watch"
	"github.com/podburst/podburst/internal/golden"
)

// underway is a half-finished burst of 100 pods.
func underway() experiment.Live {
	return state(2100*time.Millisecond, watch.Counts{Expected: 100, Seen: 100, Scheduled: 98, Running: 70, Ready: 62})
}

// state is burst 2 of 3 at that time.
func state(elapsed time.Duration, c watch.Counts) experiment.Live {
	floor := 3500 * time.Millisecond
	return experiment.Live{
		Label: "profile default, burst 2 of 3", Profile: "default", Index: 2, Bursts: 3, Pods: c.Expected, Floor: &floor,
		Counts: c, Elapsed: elapsed,
	}
}

func TestALineInEveryWidth(t *testing.T) {
	warmup, block, observed, failing, foreign := underway(), underway(), underway(), underway(), underway()
	warmup.Warmup, warmup.Index = true, 0
	block.Block, block.Profile, block.Floor = 12, "kcm-20-30", nil
	observed.Pods, observed.Counts.Expected, observed.Bursts, observed.Profile, observed.Floor = 0, 0, 1, "observed", nil
	failing.Counts.Failed = 3
	foreign.Profile = "測試\x1b[31m\u202e配置檔案-with-a-name-that-is-rather-long"
	estimate := 1800 * time.Millisecond
	var drawn strings.Builder
	for _, l := range []experiment.Live{underway(), warmup, block, observed, failing, foreign} {
		left := &estimate
		if l.Pods == 0 || l.Counts.Failed > 0 {
			left = nil
		}
		for _, columns := range []int{160, 132, 119, 100, 79, 72, 59, 39, 20, 5} {
			got := line(l, left, columns, false)
			if w := text.StringWidthWithoutEscSequences(got); w > columns {
				t.Errorf("%d columns in %d: %s", w, columns, got)
			}
			if strings.ContainsAny(got, "\x1b\r\n\u202e") {
				t.Errorf("control characters: %q", got)
			}
			if columns >= 20 && !strings.Contains(got, "62") {
				t.Errorf("how many are ready is not said: %s", got)
			}
			drawn.WriteString(got + "\n")
		}
		drawn.WriteString("\n")
	}
	golden.Check(t, "testdata/lines.txt", drawn.String())
}

// Parts that come and go must not shift the others.
func TestTheBarStaysAsWideAsItIs(t *testing.T) {
	estimate := 12 * time.Second
	for _, columns := range []int{79, 119} {
		cells := map[int]bool{}
		for _, c := range []watch.Counts{{}, {Seen: 7, Scheduled: 3}, {Seen: 100, Scheduled: 100, Running: 100, Ready: 99}} {
			for _, left := range []*time.Duration{nil, &estimate} {
				c.Expected = 100
				cells[strings.Count(line(state(5*time.Second, c), left, columns, false), "░")+
					strings.Count(line(state(5*time.Second, c), left, columns, false), "▒")+
					strings.Count(line(state(5*time.Second, c), left, columns, false), "▓")+
					strings.Count(line(state(5*time.Second, c), left, columns, false), "█")] = true
			}
		}
		if len(cells) != 1 {
			t.Errorf("in %d columns the bar had %v cells", columns, cells)
		}
	}
}

func TestTheBarNeverHasMoreThanItsCells(t *testing.T) {
	// With replaced pods, more pods were seen than asked for.
	l := state(time.Second, watch.Counts{Expected: 10, Seen: 25, Scheduled: 25, Running: 12, Ready: 4})
	if got, want := bar(l, 10, plainly), "████▓▓▓▓▓▓"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestColorsEndWithTheLine(t *testing.T) {
	got := line(underway(), nil, 119, true)
	if !strings.Contains(got, text.FgGreen.EscapeSeq()) {
		t.Errorf("no color: %q", got)
	}
	if strings.Count(got, "\x1b[") != 2*strings.Count(got, text.EscapeReset) {
		t.Errorf("a color does not end: %q", got)
	}
	if plain := text.StripEscape(got); plain != line(underway(), nil, 119, false) {
		t.Errorf("more than colors differs: %q", plain)
	}
}
