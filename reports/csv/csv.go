// Package csv writes a run as pods.csv, for spreadsheets, R and pandas: one row for every
// pod and phase. The format is RFC 4180 (https://www.rfc-editor.org/rfc/rfc4180): a header,
// CRLF line ends, fields quoted where necessary, UTF-8.
//
// All bursts are in it. The columns warmup and valid tell what statistics should leave out.
// The seconds of a phase are empty if the pod lacks a mark, which does not mean 0. Phases
// that the provider cannot give have no rows. Neither have replacement pods, which all
// statistics leave out, nor pods that were never seen.
//
// Names come from clusters and from other people's recordings, and a spreadsheet runs a
// cell that begins with =, +, - or @ as a formula
// (https://owasp.org/www-community/attacks/CSV_Injection). Names that begin so, also after
// white space or with the full-width forms of these characters, get a leading apostrophe,
// which tells spreadsheets that this is text. Characters that are not printable (line ends,
// terminal and direction controls) are replaced. The column seconds always holds a number
// computed by podburst, which may be negative.
package csv

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/reports"
)

// Header returns the names of the columns.
func Header() []string {
	return []string{"run", "profile", "burst", "block", "warmup", "valid", "pod", "node", "phase", "seconds", "source"}
}

// ErrNoPods is the error for a report that was read from report.json, which holds no
// individual pods.
var ErrNoPods = errors.New("the report holds no single pods; build it from the recording")

// Write writes pods.csv.
func Write(w io.Writer, r *reports.Report) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	if err := out.Write(Header()); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	for i := range r.Bursts {
		if r.Timeline(i) == nil {
			return fmt.Errorf("write CSV: %w", ErrNoPods)
		}
		if err := burst(out, r, i); err != nil {
			return fmt.Errorf("write CSV: %w", err)
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	return nil
}

func burst(out *csv.Writer, r *reports.Report, i int) error {
	b, t := &r.Bursts[i], r.Timeline(i)
	row := []string{
		name(r.Run.ID), name(b.Profile), strconv.Itoa(b.Index), strconv.Itoa(b.Block), strconv.FormatBool(b.Warmup), strconv.FormatBool(b.Valid),
	}
	for p := range t.Pods {
		pod := &t.Pods[p]
		if pod.Replacement {
			continue
		}
		row := append(row[:len(row):len(row)], name(pod.Name), name(pod.Node))
		for _, ph := range timeline.Phases() {
			if !t.Available(ph) {
				continue
			}
			seconds, source := "", ""
			if d, from, to, ok := r.Duration(i, pod, ph); ok {
				seconds = strconv.FormatFloat(math.Round(d.Seconds()*1e9)/1e9, 'f', -1, 64)
				source = string(from.Source)
				if to.Source != from.Source {
					source += "+" + string(to.Source)
				}
			}
			if err := out.Write(append(row[:len(row):len(row)], ph.Name, seconds, source)); err != nil {
				return err
			}
		}
	}
	return nil
}

// formula are the characters that begin a formula.
const formula = "=+-@＝＋－＠"

// name returns a name from outside as a cell.
func name(s string) string {
	s = humanize.Printable(s)
	if strings.IndexAny(strings.TrimSpace(s), formula) == 0 {
		return "'" + s
	}
	return s
}
