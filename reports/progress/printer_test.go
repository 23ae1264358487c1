package progress

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/watch"
	"github.com/podburst/podburst/internal/golden"
)

const hostile = "a\x1b[31m\u202e<b>\nc\xff\"d"

// tell plays a run of one burst that takes 40 s. After each event it calls seen with
// whether a burst is running.
func tell(p *Printer, seen func(running bool)) {
	step := func(s experiment.Step) {
		p.Step(s)
		seen(s.Kind == experiment.BurstStart)
	}
	fmt.Fprintf(p, "podburst: control plane v1.37.2: built already\n")
	step(experiment.Step{Kind: experiment.RunStart, Run: "20261129T150405Z-1f3a", Dir: "artifacts/x", Message: "run 20261129T150405Z-1f3a: artifacts in artifacts/x"})
	step(experiment.Step{Message: "profile " + hostile + ": starting a cluster"})
	step(experiment.Step{Kind: experiment.ClusterReady, State: experiment.Live{Profile: hostile, Elapsed: 5800 * time.Millisecond}, Message: "profile " + hostile + ": all nodes Ready after 5.8 s"})

	l := state(0, watch.Counts{Expected: 100})
	l.Profile, l.Label = hostile, "profile "+hostile+", burst 2 of 3"
	step(experiment.Step{Kind: experiment.BurstStart, State: l, Message: l.Label + ": sending 100 pods"})
	for range 160 {
		time.Sleep(250 * time.Millisecond)
		l.Elapsed += 250 * time.Millisecond
		n := int(l.Elapsed / (400 * time.Millisecond))
		l.Counts = watch.Counts{Expected: 100, Seen: min(100, n+20), Scheduled: min(100, n+15), Running: min(100, n+5), Ready: n}
		p.Live(l)
		synctest.Wait()
		seen(true)
		switch l.Elapsed {
		case 20 * time.Second:
			fmt.Fprintln(p.Verbatim(), "::notice::of others")
		case 25 * time.Second:
			fmt.Fprint(p.Verbatim(), "•") // its line has no end yet
			seen(false)
		case 26 * time.Second:
			fmt.Fprint(p.Verbatim(), "•\n")
		case 30 * time.Second:
			p.Error(errors.New("write reports: disk full\nand another\tfault"))
			seen(false)
		}
	}
	step(experiment.Step{Kind: experiment.BurstEnd, State: l, EndReason: recording.EndAllReady, Message: l.Label + ": all 100 pods ready, recorded after 40.0 s; cleaning up"})
	p.End("pass", 0)
	seen(false)
}

func TestTheModesThatWriteLines(t *testing.T) {
	for _, mode := range []Mode{Plain, Quiet, JSON} {
		t.Run(string(mode), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				tell(newPrinter(&out, mode, surroundings{terminal: true, colors: true}), func(bool) {})
				golden.Check(t, "testdata/"+string(mode)+".txt", out.String())
				if i := bytes.IndexAny(out.Bytes(), "\x1b\r"); i >= 0 {
					t.Errorf("control characters: %q", out.Bytes()[i:min(i+50, out.Len())])
				}
			})
		})
	}
}

func TestEveryLineOfJSONIsAnEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		tell(newPrinter(&out, JSON, surroundings{}), func(bool) {})
		var last time.Time
		progress := 0
		for line := range strings.Lines(out.String()) {
			if strings.HasPrefix(line, "::") || strings.HasPrefix(line, "•") {
				continue // written by others, on purpose
			}
			var e Event
			decoder := json.NewDecoder(strings.NewReader(line))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(&e); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			at, err := time.Parse(time.RFC3339Nano, e.Time)
			if err != nil || at.Before(last) {
				t.Errorf("time %s after %v (%v)", e.Time, last, err)
			}
			last = at
			if e.Event == "burst-progress" {
				progress++
			}
		}
		if progress != 40 { // one a second
			t.Errorf("%d events of a burst of 40 s", progress)
		}
	})
}

func TestATerminalIsLeftCleanAndNoLineIsDamaged(t *testing.T) {
	for _, columns := range []int{60, 80, 120, 200} {
		for _, colors := range []bool{true, false} {
			t.Run(fmt.Sprintf("%d columns, colors %v", columns, colors), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					screen := newTerminal(columns)
					p := newPrinter(screen, Auto, surroundings{terminal: true, colors: colors, width: func() int { return columns }})
					frames := 0
					tell(p, func(running bool) {
						lines := screen.lines()
						drawn := slices.IndexFunc(lines, isBar)
						switch {
						case drawn >= 0 && drawn != len(lines)-1:
							t.Fatalf("the line is not the last one:\n%s", strings.Join(lines, "\n"))
						case drawn >= 0 && !running:
							t.Fatalf("the line stays:\n%s", strings.Join(lines, "\n"))
						case drawn >= 0:
							frames++
						}
					})
					if frames < 100 {
						t.Errorf("the line was drawn %d times", frames)
					}
					finished(t, screen)
					if got := regexp.MustCompile(`\x1b\[[0-9;]*m`).MatchString(screen.sent.String()); got != colors {
						t.Errorf("colors: %v, want %v", got, colors)
					}
					if columns < 200 {
						return // lines of steps are broken by the terminal, as any
					}
					var plain bytes.Buffer
					tell(newPrinter(&plain, Plain, surroundings{}), func(bool) {})
					want := slices.DeleteFunc(strings.Split(plain.String(), "\n"), func(line string) bool { return strings.Contains(line, " s, of 100 pods ") })
					if got := screen.lines(); !slices.Equal(got, want) {
						t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
					}
				})
			})
		}
	}
}

// isBar tells the line of a burst from other lines.
func isBar(line string) bool { return strings.Contains(line, "/100 ready") }

func finished(t *testing.T, screen *terminal) {
	t.Helper()
	if slices.ContainsFunc(screen.lines(), isBar) || !screen.clean() {
		t.Errorf("something is left:\n%s", strings.Join(screen.lines(), "\n"))
	}
	if len(screen.faults) > 0 {
		t.Errorf("faults: %q", screen.faults)
	}
}

// If a burst is cut off, what comes next has a clean line.
func TestAnInterruptLeavesACleanLine(t *testing.T) {
	for name, next := range map[string]func(*Printer){
		"an error":         func(p *Printer) { p.Error(errors.New("interrupted")) },
		"the end":          func(p *Printer) { p.End("invalid", 130) },
		"text of others":   func(p *Printer) { fmt.Fprintln(p.Verbatim(), "Interrupted by User") },
		"a step of others": func(p *Printer) { fmt.Fprintln(p, "podburst: cluster removed") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				screen := newTerminal(80)
				p := newPrinter(screen, Live, surroundings{terminal: true, width: func() int { return 80 }})
				p.Live(underway())
				synctest.Wait()
				if !slices.ContainsFunc(screen.lines(), isBar) || screen.col != 0 {
					t.Fatalf("no line, or the cursor is not at its start: %q", screen.lines())
				}
				p.Live(underway()) // not shown yet
				next(p)
				synctest.Wait()
				if name == "the end" {
					finished(t, screen)
				} else if lines := screen.lines(); isBar(lines[0]) {
					t.Errorf("got %q", lines)
				}
			})
		})
	}
}

func TestATerminalThatIsMadeNarrower(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		columns := 200
		screen := newTerminal(60)
		p := newPrinter(screen, Live, surroundings{terminal: true, width: func() int { return columns }})
		columns = 60
		p.Live(underway())
		synctest.Wait()
		if lines := screen.lines(); len(lines) != 1 {
			t.Errorf("the line was broken: %q", lines)
		}
	})
}

func TestLinesOfManyWritersStayWhole(t *testing.T) {
	for _, mode := range []Mode{Live, Plain, JSON} {
		screen := newTerminal(120)
		p := newPrinter(screen, mode, surroundings{terminal: true, colors: true, width: func() int { return 120 }})
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() {
				for n := range 100 {
					switch i {
					case 0:
						p.Say("step %d of many", n)
					case 1:
						fmt.Fprintf(p.Verbatim(), "text %d of others\n", n)
					case 2:
						fmt.Fprintf(p, "podburst: progress %d of others\n", n)
					default:
						l := underway()
						l.Elapsed += time.Duration(n) * 100 * time.Millisecond
						p.Live(l)
					}
				}
			})
		}
		all.Wait()
		for p.showing.Load() { // the last goroutine of Live
			time.Sleep(time.Millisecond)
		}
		p.End("pass", 0)
		count := 0
		for _, line := range screen.lines() {
			switch {
			case strings.Contains(line, "of many"), strings.Contains(line, "of others"):
				count++
				if strings.Count(line, " of ") != 1 {
					t.Errorf("%s: %q", mode, line)
				}
			}
		}
		if count != 300 || len(screen.faults) > 0 {
			t.Errorf("%s: %d whole lines, want 300; faults %q", mode, count, screen.faults)
		}
	}
}

// A blocked terminal (control-S) must not delay the measurement.
func TestLiveDoesNotWaitForTheTerminal(t *testing.T) {
	r, w := io.Pipe()
	p := newPrinter(w, Live, surroundings{terminal: true, width: func() int { return 80 }})
	for range 100 {
		p.Live(underway())
	}
	_ = r.Close() // ends the waiting write
}

func TestWhereThereIsNoTerminalThereIsNoLiveLine(t *testing.T) {
	for _, test := range []struct {
		asked        Mode
		terminal, ci bool
		want         Mode
	}{
		{Auto, true, false, Live},
		{Auto, true, true, Plain},
		{Auto, false, false, Plain},
		{Live, true, true, Live},
		{Live, false, false, Plain},
		{Quiet, true, false, Quiet},
		{JSON, true, false, JSON},
		{"", true, false, Plain},
	} {
		if got := newPrinter(io.Discard, test.asked, surroundings{terminal: test.terminal, ci: test.ci}).Mode(); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

func TestParseModeNamesTheNearest(t *testing.T) {
	for _, word := range Modes() {
		if mode, err := ParseMode(word); err != nil || string(mode) != word {
			t.Errorf("ParseMode(%s) = %s, %v", word, mode, err)
		}
	}
	if _, err := ParseMode("liev"); err == nil || !strings.Contains(err.Error(), "did you mean live?") {
		t.Error(err)
	}
	if _, err := ParseMode("fancy"); err == nil || !strings.Contains(err.Error(), "auto, live, plain, quiet, json") {
		t.Error(err)
	}
}
