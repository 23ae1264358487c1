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

// prefix begins every line of ours, for they stand among others.
const prefix = "podburst: "

// Printer writes a run's progress to a stream. Its methods are safe for concurrent use.
type Printer struct {
	mode Mode

	// latest is the state to be shown next; showing: someone is about to do so.
	latest  atomic.Pointer[experiment.Live]
	showing atomic.Bool

	mu   sync.Mutex
	out  *screen
	view view
	pace pace
}

// view is how a mode shows things; left is nil where no estimate can be made.
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

// New returns a printer to w, which others should no longer write to but through it.
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

// Mode is the mode in force: never Auto.
func (p *Printer) Mode() Mode { return p.mode }

// Step tells of a step.
func (p *Printer) Step(s experiment.Step) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.latest.Store(nil) // what was not shown yet is older
	p.view.step(s)
}

// Say tells of a step that is nothing but a sentence.
func (p *Printer) Say(format string, args ...any) {
	p.Step(experiment.Step{Message: fmt.Sprintf(format, args...)})
}

// Live shows the state of the running burst. It returns at once, also where the stream
// takes nothing at the moment (a terminal that was stopped): who measures must not
// wait for it.
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

// Write takes progress that others word: lines, or on a terminal (Mode is Live) what
// they rewrite. It never fails.
func (p *Printer) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.view.text(b)
	return len(b), nil
}

// Error tells of an error, in every mode.
func (p *Printer) Error(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.view.fail(err.Error())
}

// End is called once nothing more is to come, with how the run ended.
func (p *Printer) End(verdict string, code int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.latest.Store(nil)
	p.view.end(verdict, code)
}

// Verbatim is a writer for what is no progress and goes to the same stream: it gets
// through in every mode, as it is.
func (p *Printer) Verbatim() io.Writer { return verbatim{p} }

type verbatim struct{ *Printer }

func (v verbatim) Write(b []byte) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.out.text(b)
	return len(b), nil
}

// sentence is text on one line in which nothing acts on a terminal: it has names from
// clusters and files.
func sentence(text string) string {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	return printable(strings.Join(lines, "; "))
}

func printable(line string) string {
	return humanize.Printable(strings.ReplaceAll(line, "\t", " "))
}
