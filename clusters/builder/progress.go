package builder

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/podburst/podburst/internal/command"
)

// Measured on a cold cache: 960 s of CPU time for 2,900 packages, and a few
// seconds more for the link. They only feed the estimates.
const (
	coldProcessorTime = 960 * time.Second
	linkTime          = 5 * time.Second
)

func coldEstimate() time.Duration {
	return coldProcessorTime/time.Duration(runtime.NumCPU()) + linkTime
}

// about rounds an estimate to a sensible precision.
func about(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("about %d s", max(5, int(d.Seconds()+4)/5*5))
	}
	return fmt.Sprintf("about %d min", int((d + 30*time.Second).Minutes()))
}

// progress counts packages as go build -v names them, and reports on them.
type progress struct {
	out      io.Writer
	terminal bool
	interval time.Duration
	clock    Clock
	label    string

	mu       sync.Mutex
	waiting  map[string]bool // packages yet to be named
	total    int             // packages to compile
	done     int             // of which named
	fetched  int             // modules fetched
	estimate time.Duration
	began    time.Time
}

func newProgress(o Options, version string) *progress {
	return &progress{
		out: o.Output, terminal: o.Terminal, interval: o.Interval, clock: o.Clock,
		label: "control plane " + version,
	}
}

// plan takes what listPackages found and reports how long the build will take.
func (p *progress) plan(packages map[string]bool) {
	p.waiting = map[string]bool{}
	for path, stale := range packages {
		if stale {
			p.waiting[path] = true
		}
	}
	p.total = len(p.waiting)
	share := float64(p.total) / float64(max(1, len(packages)))
	p.estimate = time.Duration(share*float64(coldEstimate()-linkTime)) + linkTime
	p.say(fmt.Sprintf("compiling %d of its %d packages, %s on %d processors; the binary is then kept",
		p.total, len(packages), about(p.estimate), runtime.NumCPU()))
}

// say writes a separate line.
func (p *progress) say(text string) {
	fmt.Fprintf(p.out, "%s: %s\n", p.label, text)
}

// every calls show once per interval until the returned function is called.
func (p *progress) every(show func() string) (stop func()) {
	p.began = p.clock.Now()
	ended, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-ended:
				return
			case <-p.clock.After(p.interval):
				if p.terminal {
					fmt.Fprintf(p.out, "\r\x1b[K%s: %s", p.label, show())
				} else {
					p.say(show())
				}
			}
		}
	}()
	return func() {
		close(ended)
		<-stopped
		if p.terminal {
			fmt.Fprint(p.out, "\r\x1b[K")
		}
	}
}

func (p *progress) elapsed() time.Duration {
	return p.clock.Now().Sub(p.began).Round(time.Second)
}

// fetching is the progress line while modules are fetched.
func (p *progress) fetching() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprintf("%d modules fetched, %s", p.fetched, p.elapsed())
}

// compiling is the progress line of the build.
func (p *progress) compiling() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	elapsed := p.elapsed()
	line := fmt.Sprintf("%d/%d packages, %s", p.done, p.total, elapsed)
	if p.done >= p.total {
		return line + ", linking"
	}
	if left := p.remaining(p.done, p.total, elapsed); left > 0 {
		line += ", " + about(left) + " left"
	}
	return line
}

// remaining blends the initial estimate with the pace so far. The pace says
// little at first, because large packages come last.
func (p *progress) remaining(done, total int, elapsed time.Duration) time.Duration {
	if done == 0 || total == 0 {
		return p.estimate - elapsed
	}
	share := float64(done) / float64(total)
	byPace := time.Duration(float64(elapsed) / share)
	expected := time.Duration(share*float64(byPace) + (1-share)*float64(p.estimate))
	return expected - elapsed
}

// filter counts the lines that only show progress (a module fetched, a package
// compiled) and keeps the others.
func (p *progress) filter() *command.Lines {
	return &command.Lines{Keep: func(line string) bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		switch {
		case p.waiting[line]:
			delete(p.waiting, line)
			p.done++
		case strings.HasPrefix(line, "go: downloading "):
			p.fetched++
		default:
			return true
		}
		return false
	}}
}
