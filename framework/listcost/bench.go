package listcost

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/internal/humanize"
)

// WriteBench writes bench.txt in the Go benchmark format, one line for each try of a
// list that succeeded, in the order they were made. Seconds are from sending to the last
// pod decoded, bytes after decompression (the median of the tries, which differ in a
// few bytes):
//
//	BenchmarkList/profile=default/list=paged/pods=1000-2 1 0.0123 list-sec 1487302 list-B
func (r Report) WriteBench(w io.Writer) error {
	out := bufio.NewWriter(w)
	env := r.Run.Environment
	fmt.Fprintf(out, "# podburst list-cost run %s. One line is one list of all pods.\n", oneLine(r.Run.ID))
	var versions []string
	for i := range r.Profiles {
		versions = append(versions, r.Profiles[i].KubernetesVersion)
	}
	slices.Sort(versions)
	for _, c := range [][2]string{
		{"pkg", "github.com/podburst/podburst"}, {"goos", env.OS}, {"goarch", env.Arch}, {"cpu", env.CPUModel},
		{"provider", r.Run.Provider}, {"kubernetes", strings.Join(slices.Compact(versions), ", ")},
	} {
		if text := oneLine(c[1]); text != "" {
			fmt.Fprintf(out, "%s: %s\n", c[0], text)
		}
	}
	fmt.Fprint(out, "Unit list-sec better=lower\nUnit list-B better=lower\n")
	for i := range r.Profiles {
		p := &r.Profiles[i]
		for j := range p.Strategies {
			for _, point := range p.Strategies[j].Points {
				name := fmt.Sprintf("BenchmarkList/profile=%s/list=%s/pods=%d", recording.PathName(p.Profile), recording.PathName(p.Strategies[j].Name), point.Pods)
				if env.CPUs > 1 { // as the testing package does
					name += "-" + strconv.Itoa(env.CPUs)
				}
				for _, seconds := range point.Samples {
					fmt.Fprintf(out, "%s 1 %s list-sec %d list-B\n", name, strconv.FormatFloat(math.Round(seconds*1e9)/1e9, 'g', -1, 64), point.Bytes)
				}
			}
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write bench.txt: %w", err)
	}
	return nil
}

// oneLine is s as a value in the format: one short line.
func oneLine(s string) string {
	return humanize.Shorten(strings.TrimSpace(humanize.Printable(s)), 200)
}
