package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/internal/humanize"
)

// prefix begins each of podburst's lines, because others write to the same stream.
const prefix = "podburst: "

// Printer writes a run's progress to a stream. Its methods are safe for concurrent use.
type Printer struct {
	mode Mode

	// latest is the next state to show. showing: a goroutine is about to show it.
	latest  atomic.Pointer[experiment.Live]
	showing atomic.Bool

	mu   sync.Mutex
	out  *screen
	view view
	pace pace
}

// view shows things in one mode. left is nil if no estimate can be made.
type view interface {
	step(s experiment.Step)
	live(l experiment.Live, left *time.Duration)
	text(b []byte)
	fail(message string)
	end(verdict string, code int)
}

// surroundings are what New finds out about the stream.
type surroundings struct {
	terminal, colors, ci bool
	width                func() int
}

// New returns a printer to w. From then on, others should write to w only through it.
func New(w io.Writer, mode Mode) *Printer {
	ci := os.Getenv("CI")
	return newPrinter(w, mode, surroundings{
		terminal: Terminal(w), colors: Colors(w), ci: ci != "" && ci != "false",
		width: func() int { return width(w) },
	})
}

func newPrinter(w io.Writer, mode Mode, around surroundings) *Printer {
	switch {
	case mode == Auto && around.terminal && !around.ci:
		mode = Live
	case mode == Auto, mode == Live && !around.terminal, mode == "":
		mode = Plain
	}
	p := &Printer{mode: mode, out: &screen{w: w}}
	switch mode {
	case Live:
		p.view = &liveView{plainView: plainView{out: p.out}, width: around.width, colors: around.colors}
	case Quiet:
		p.view = quietView{out: p.out}
	case JSON:
		p.view = &jsonView{out: p.out}
	default:
		p.view = &plainView{out: p.out}
	}
	return p
}

// Mode returns the mode in force, never Auto.
func (p *Printer) Mode() Mode { return p.mode }

// Step reports a step.
func (p *Printer) Step(s experiment.Step) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.latest.Store(nil) // an older state, not shown yet
	p.view.step(s)
}

// Say reports a step that consists of a sentence only.
func (p *Printer) Say(format string, args ...any) {
	p.Step(experiment.Step{Message: fmt.Sprintf(format, args...)})
}

// Live shows the state of the running burst. It returns at once, even if the stream is
// blocked (a stopped terminal), because measuring must not wait for it.
func (p *Printer) Live(l experiment.Live) {
	p.latest.Store(&l)
	if p.showing.CompareAndSwap(false, true) {
		go p.show()
	}
}

func (p *Printer) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.showing.Store(false)
	l := p.latest.Swap(nil)
	if l == nil {
		return
	}
	p.pace.add(*l)
	if left, ok := p.pace.left(*l); ok {
		p.view.live(*l, &left)
		return
	}
	p.view.live(*l, nil)
}

// Write takes progress that others worded: lines, or on a terminal (Mode is Live) also text
// that they rewrite. It never fails.
func (p *Printer) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.view.text(b)
	return len(b), nil
}

// Error reports an error, in every mode.
func (p *Printer) Error(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.view.fail(err.Error())
}

// End says how the run ended. Call it when nothing more is to come.
func (p *Printer) End(verdict string, code int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.latest.Store(nil)
	p.view.end(verdict, code)
}

// Verbatim returns a writer for text that is not progress but goes to the same stream. It
// is written in every mode, unchanged.
func (p *Printer) Verbatim() io.Writer { return verbatim{p} }

type verbatim struct{ *Printer }

func (v verbatim) Write(b []byte) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.out.text(b)
	return len(b), nil
}

// sentence puts text on one line and removes what acts on a terminal: the text has names
// from clusters and files.
func sentence(text string) string {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	return printable(strings.Join(lines, "; "))
}

func printable(line string) string {
	return humanize.Printable(strings.ReplaceAll(line, "\t", " "))
}
