package bench

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/reports"
)

// The units of lists: from sending to the last pod decoded, and bytes after
// decompression (the median of the tries, which differ in a few bytes).
const (
	listSeconds = "list-sec"
	listBytes   = "list-B"
)

// ListLines are the result lines of a run that measured what lists cost, one for
// each try that succeeded, in the order they were made; none for other runs.
//
//	BenchmarkList/profile=default/list=paged/pods=1000-2 1 0.0123 list-sec 1487302 list-B
func ListLines(r *reports.Report, cpus int) []string {
	if r.ListCost == nil {
		return nil
	}
	var lines []string
	for i := range r.ListCost.Profiles {
		p := &r.ListCost.Profiles[i]
		for j := range p.Strategies {
			s := &p.Strategies[j]
			for _, point := range s.Points {
				name := fmt.Sprintf("BenchmarkList/profile=%s/list=%s/pods=%d", recording.PathName(p.Profile), recording.PathName(s.Name), point.Pods)
				if cpus > 1 { // as the testing package does
					name += "-" + strconv.Itoa(cpus)
				}
				for _, seconds := range point.Samples {
					if math.IsNaN(seconds) || math.IsInf(seconds, 0) {
						continue
					}
					lines = append(lines, strings.Join([]string{
						name, "1", strconv.FormatFloat(math.Round(seconds*1e9)/1e9, 'g', -1, 64), listSeconds, strconv.FormatInt(point.Bytes, 10), listBytes,
					}, " "))
				}
			}
		}
	}
	return lines
}
