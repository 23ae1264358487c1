package gate

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/internal/nearest"
	"github.com/podburst/podburst/internal/strictyaml"
)

const (
	maxRepeats = 100
	maxFloor   = 24 * time.Hour
	// unset is a number that nobody writes in a file; 0 and -1 may be written.
	unset = math.MinInt
)

// gatedStats returns the statistics that depend on many pods of a burst.
func gatedStats() []string { return []string{"mean", "p50", "p90", "p95"} }

// LoadCriteria reads and validates the file at path. For "" it returns DefaultCriteria.
func LoadCriteria(path string) (Criteria, error) {
	if path == "" {
		return DefaultCriteria(), nil
	}
	file, err := os.Open(path)
	if err != nil {
		return Criteria{}, fmt.Errorf("load gate criteria: %w", err)
	}
	defer file.Close()
	// One byte more than Decode accepts, so that it recognizes an oversized file.
	data, err := io.ReadAll(io.LimitReader(file, strictyaml.MaxSize+1))
	if err != nil {
		return Criteria{}, fmt.Errorf("load gate criteria: %w", err)
	}
	return ParseCriteria(path, data)
}

// ParseCriteria reads criteria from YAML, validates them and fills in defaults. Messages
// name the file path. The error lists every fault.
func ParseCriteria(path string, data []byte) (Criteria, error) {
	parsed := Criteria{Spec: Spec{Alpha: DefaultAlpha, Blocks: DefaultBlocks, MaxBlocks: unset, Repeats: DefaultRepeats}}
	if err := strictyaml.Decode(path, data, &parsed); err != nil {
		return Criteria{}, err
	}
	spec := &parsed.Spec
	if spec.MaxBlocks == unset {
		spec.MaxBlocks = 2 * spec.Blocks
	}
	if spec.Endpoints == nil {
		spec.Endpoints = DefaultCriteria().Spec.Endpoints
	}
	if spec.Watched == nil {
		spec.Watched = slices.DeleteFunc(DefaultCriteria().Spec.Watched, func(watched Criterion) bool {
			return slices.ContainsFunc(spec.Endpoints, func(gated Criterion) bool { return gated.Name() == watched.Name() })
		})
	}
	for _, list := range [][]Criterion{spec.Endpoints, spec.Watched} {
		for i := range list {
			if list[i].Floor == nil {
				list[i].Floor = &metav1.Duration{Duration: DefaultFloor}
			}
		}
	}
	var errs []error
	for _, fault := range parsed.faults() {
		errs = append(errs, fmt.Errorf("%s: %s", path, fault))
	}
	if len(errs) > 0 {
		return Criteria{}, errors.Join(errs...)
	}
	return parsed, nil
}

// faults returns sentences that begin with the field's path.
func (c Criteria) faults() []string {
	var found faults
	spec := c.Spec
	if c.APIVersion != clusters.APIVersion {
		found.add("apiVersion", "is %q, must be %s", c.APIVersion, clusters.APIVersion)
	}
	if c.Kind != Kind {
		found.add("kind", "is %q, must be %s", c.Kind, Kind)
	}
	if !(spec.Alpha > 0 && spec.Alpha < 0.5) {
		found.add("spec.alpha", "is %v, must be a risk above 0 and below 0.5", spec.Alpha)
	}
	if spec.Blocks < leastPaired || spec.Blocks > maxBlocks/2 {
		found.add("spec.blocks", "is %d, must be %d to %d; fewer blocks are always inconclusive", spec.Blocks, leastPaired, maxBlocks/2)
	} else if spec.MaxBlocks < spec.Blocks || spec.MaxBlocks > maxBlocks {
		found.add("spec.maxBlocks", "is %d, must be %d (the blocks before the extension) to %d", spec.MaxBlocks, spec.Blocks, maxBlocks)
	}
	if spec.Repeats < 0 || spec.Repeats > maxRepeats {
		found.add("spec.repeats", "is %d, must be 0 to %d", spec.Repeats, maxRepeats)
	}
	switch n := len(spec.Endpoints); {
	case n == 0:
		found.add("spec.endpoints", "is empty; without endpoints nothing would be gated (leave the field out for the default ones)")
	case n > MaxEndpoints:
		found.add("spec.endpoints", "has %d, must have at most %d: each one more makes all of them harder to decide", n, MaxEndpoints)
	}
	if n := len(spec.Watched); n > MaxEndpoints {
		found.add("spec.watched", "has %d, must have at most %d", n, MaxEndpoints)
	}
	var names, paths []string
	for _, list := range []struct {
		field    string
		criteria []Criterion
	}{{"endpoints", spec.Endpoints}, {"watched", spec.Watched}} {
		for i, criterion := range list.criteria {
			path := fmt.Sprintf("spec.%s[%d]", list.field, i)
			criterion.faults(path, &found)
			if before := slices.Index(names, criterion.Name()); before >= 0 {
				found.add(path, "is %s, as is %s", criterion.Name(), paths[before])
			}
			names, paths = append(names, criterion.Name()), append(paths, path)
		}
	}
	spec.Evidence.faults(names[:len(spec.Endpoints)], &found)
	return found
}

func (c Criterion) faults(path string, found *faults) {
	if !slices.Contains(slo.Phases(), c.Phase) {
		found.add(path+".phase", "unknown phase %q%s", c.Phase, nearest.Hint(c.Phase, "phases", slo.Phases()))
	}
	switch {
	case c.Phase == slo.Makespan && c.Stat != "":
		found.add(path+".stat", "is %q; leave it out, for a burst has one makespan", c.Stat)
	case c.Phase != slo.Makespan && slices.Contains([]string{"min", "p99", "max"}, c.Stat):
		found.add(path+".stat", "%s is that of one or two pods of a burst and too noisy to gate; use p90, or limit it by an SLO", c.Stat)
	case c.Phase != slo.Makespan && !slices.Contains(gatedStats(), c.Stat):
		found.add(path+".stat", "unknown statistic %q%s", c.Stat, nearest.Hint(c.Stat, "gated statistics", gatedStats()))
	}
	if !(c.Margin > 0 && c.Margin <= maxMargin) {
		found.add(path+".margin", "is %v, must be a part of base above 0 and at most %d, such as 0.1", c.Margin, maxMargin)
	}
	if c.Floor != nil && (c.Floor.Duration < 0 || c.Floor.Duration > maxFloor) {
		found.add(path+".floor", "is %s, must be 0s to %s", c.Floor.Duration, maxFloor)
	}
}

// faults adds the faults of e; nil has none. named are the criteria's endpoints.
func (e *Evidence) faults(named []string, found *faults) {
	if e == nil {
		return
	}
	const path = "spec.evidence"
	if e.Blocks < 1 || e.Pods < 1 {
		found.add(path, "rests on %d blocks of %d pods, must rest on some", e.Blocks, e.Pods)
	}
	if year := e.When.Year(); year < 2000 || year > 9999 {
		found.add(path+".when", "is %s, must be the time of the run", e.When.Format(time.RFC3339))
	}
	if len(e.Endpoints) == 0 {
		found.add(path+".endpoints", "is empty; without endpoints it is no evidence")
	}
	for i, of := range e.Endpoints {
		at := fmt.Sprintf("%s.endpoints[%d]", path, i)
		if !slices.Contains(named, of.Endpoint) {
			found.add(at+".endpoint", "%q is not gated%s", of.Endpoint, nearest.Hint(of.Endpoint, "gated endpoints", named))
		}
		if of.Noise < 0 || of.CV < 0 || of.Ratio <= 0 {
			found.add(at, "has noise %v, CV %v and ratio %v, must have 0 or more and a ratio above 0", of.Noise, of.CV, of.Ratio)
		}
	}
}

type faults []string

func (f *faults) add(path, format string, args ...any) {
	*f = append(*f, path+": "+fmt.Sprintf(format, args...))
}
