package github

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/humanize"
)

const (
	// MaxAnnotations is how many annotations a step may show.
	MaxAnnotations = 10
	// maxMessage is how many runes of a message are shown.
	maxMessage = 1000
)

// annotation is a workflow command that shows a message with the workflow's run.
type annotation struct{ level, title, message string }

// String returns the command. GitHub decodes only what is escaped here. Unescaped, a line
// break would end the command, and in a property a colon or a comma would end the value.
func (a annotation) String() string {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	return fmt.Sprintf("::%s title=%s::%s", a.level, property.Replace(a.title), data.Replace(a.message))
}

func (a Actions) annotate(end End) error {
	log := a.Log
	if log == nil {
		log = os.Stderr
	}
	all := annotations(end)
	if more := len(all) - MaxAnnotations; more > 0 {
		last := &all[MaxAnnotations-1]
		all = all[:MaxAnnotations]
		last.message += fmt.Sprintf("\nand %d more: see the step's summary", more)
	}
	var text strings.Builder
	for _, x := range all {
		text.WriteString(x.String() + "\n")
	}
	_, err := io.WriteString(log, text.String())
	return err
}

// annotations returns the messages of everything that is not pass, gravest first. For a run
// that passed it returns those of what improved.
func annotations(end End) []annotation {
	r := &end.Report
	var all []annotation
	if end.Code == verdict.ExitInternal {
		all = append(all, annotation{"error", "podburst: internal error", fmt.Sprintf("podburst ended with exit code %d: the log says why.", end.Code)})
	}
	for _, reason := range r.Reasons { // gravest first
		if end.Probe && reason.Verdict != verdict.Invalid {
			continue
		}
		level := "error"
		if reason.Verdict == verdict.Inconclusive && end.Code != verdict.ExitInconclusive {
			level = "warning"
		}
		all = append(all, annotation{level, "podburst: " + string(reason.Verdict), shown(reason.Message)})
	}
	if end.Probe || r.Verdict != verdict.Pass {
		return all
	}
	for _, c := range r.Comparisons {
		if c.Gated && c.Verdict == verdict.Improved {
			all = append(all, annotation{"notice", "podburst: improved", shown(fmt.Sprintf("%s against %s, %s", c.Head, c.Base, c.Message))})
		}
	}
	return all
}

// shown makes hostile text one line and cuts it if it is too long.
func shown(s string) string { return humanize.Shorten(humanize.Printable(s), maxMessage) }
