package station

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/exposition"
	"github.com/podburst/podburst/framework/station/evidence"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/internal/span"
)

// limiterMetric is client-go's: how long each request waited in the client's limiter.
const limiterMetric = "rest_client_rate_limiter_duration_seconds"

// limiterView is one process's limiter during the burst.
type limiterView struct {
	instance clusters.Instance
	limits   clusters.Limits
	// absent: the client has no limiter. err: why its waits are not known.
	absent bool
	err    error
	bucket bucket
	waits  evidence.Waits
	byVerb map[string]evidence.Waits
	// held bounds for how long some request of the bucket waited, at any time.
	held interval
	// logged are the waits that the process logged.
	logged span.Set
	lines  int
}

// limiterOf reads what is known of an instance's limiter.
func (s *scene) limiterOf(instance clusters.Instance) limiterView {
	v := limiterView{instance: instance}
	limits, known := s.limitsOf(instance.String())
	v.limits = limits
	err := v.count(evidence.ProcessOf(s.burst, instance.String()))
	longest, atMost := v.waits.Longest()
	waited := err == nil && longest >= noWait.Seconds()
	if known && limits.KubeAPIQPS <= 0 {
		v.absent = true
		if waited {
			v.absent, v.err = false, fmt.Errorf("%w: it has no limiter, and its requests waited in one", evidence.ErrTorn)
		}
		return v
	}
	counted := map[string]int{}
	for verb, w := range v.byVerb {
		counted[verb] = w.Count
	}
	v.bucket = s.bucketOf(instance, counted, limits)
	// A logged wait that no other bucket's can be as long as is this bucket's.
	v.logged, v.lines = evidence.Logged(s.burst, instance.String(), v.othersLongest(), atMost)
	v.logged = v.logged.Clip(span.Span{From: s.burst.Began(), To: s.burst.End})
	switch {
	case err != nil:
		v.err = err
	case !known:
		v.err = fmt.Errorf("%w: the limits in force", evidence.ErrNotRecorded)
	}
	v.bound(err == nil, known)
	if own := len(v.bucket.at); v.err == nil && waited && own > 0 && own <= limits.KubeAPIBurst && !v.bucket.shared() {
		v.err = fmt.Errorf("%w: a bucket of %d lets %d requests through at once, and some waited", evidence.ErrTorn, limits.KubeAPIBurst, own)
	}
	return v
}

// count reads how long requests waited, of each verb and of all.
func (v *limiterView) count(p evidence.Process) error {
	if err := p.Counted(limiterMetric); err != nil {
		return err
	}
	each, err := p.Histograms(limiterMetric, "verb")
	if err != nil {
		return err
	}
	var all exposition.Histogram
	byVerb := map[string]evidence.Waits{}
	for verb, h := range each {
		if byVerb[verb], err = evidence.WaitsOf(h); err != nil {
			return err
		}
		all = all.Plus(h)
	}
	if v.waits, err = evidence.WaitsOf(all); err == nil {
		v.byVerb = byVerb
	}
	return err
}

// othersLongest bounds the waits of the process's other buckets, in seconds: infinite where
// nothing is known of them.
func (v *limiterView) othersLongest() float64 {
	longest := 0.0
	for verb, n := range v.bucket.others {
		if n > 0 {
			_, high := v.byVerb[verb].Longest()
			longest = max(longest, min(high, v.bucket.othersLongest.Seconds()))
		}
	}
	if v.byVerb == nil {
		return math.Inf(1)
	}
	return longest
}

// bound fills in held. All ends are waits that were measured: in the histogram, in the
// log, or by the bucket's arithmetic on requests that were seen.
func (v *limiterView) bound(counted, known bool) {
	whole := span.Span{}
	if n := len(v.bucket.at); n > 0 {
		whole = span.Span{From: v.bucket.at[0], To: v.bucket.at[n-1]}
	}
	refill, waiters := math.Inf(1), v.waits.Count
	if known {
		refill = 1 / v.limits.KubeAPIQPS
		if len(v.bucket.at) > 0 {
			// A full bucket lets its burst through at once. What the audit log does not show may
			// have passed it, too.
			waiters = min(waiters, max(0, len(v.bucket.at)+v.bucket.unseen-v.limits.KubeAPIBurst))
		}
	}
	if !counted {
		v.held = interval{0, whole.Length()}
		if known && len(v.bucket.at) > 0 {
			v.held.high = v.bucket.possible.Length()
		}
		return
	}
	_, high := v.waits.Capped(refill, 0, 0, waiters)
	low := 0.0
	for _, verb := range slices.Sorted(maps.Keys(v.byVerb)) { // floats add up differently in another order
		w := v.byVerb[verb]
		certain, _ := w.Capped(refill, v.bucket.others[verb], v.bucket.othersLongest.Seconds(), w.Count)
		low += certain
	}
	low = min(low, high)
	if !known { // without the refill's length waits side by side cannot be told from a queue
		longest, _ := v.waits.Longest()
		low = min(longest, high)
		if v.bucket.shared() {
			low = 0
		}
	}
	v.held = interval{toDuration(low), toDuration(high)}
	// What was logged adds up where it does not overlap, if no other bucket can have made it.
	if len(v.bucket.at) > 0 {
		v.held.low = max(v.held.low, v.logged.Length())
		v.held.high = max(v.held.high, v.held.low) // a token may be lost on a request that gave up
	}
	// Where the replay finds less time than was certainly waited, it explains nothing.
	if known && len(v.bucket.at) > 0 && v.bucket.possible.Length() < v.held.low {
		v.bucket.possible = span.Set{whole}
	}
	if !known || len(v.bucket.at) == 0 {
		v.bucket.possible = nil
	}
}

// inside bounds for how long of the window requests waited: no more than may have been
// waited inside, no less than what cannot have been waited outside.
func (v *limiterView) inside(window span.Span) interval {
	if v.absent || window.Length() == 0 {
		return interval{}
	}
	if v.bucket.possible == nil {
		// Without a replay the waits can be anywhere in the burst.
		return interval{0, min(v.held.high, window.Length())}
	}
	in := v.bucket.possible.Within(window)
	out := v.bucket.possible.Length() - in
	high := min(v.held.high, in)
	low := max(0, v.held.low-out)
	low = max(low, v.logged.Within(window))
	return interval{min(high, low), high}
}

// usual is how much of the window the limiter is taken to have held: the middle of what
// the histogram allows, in proportion to where the replay says that it can have been.
func (v *limiterView) usual(window span.Span) time.Duration {
	bounds := v.inside(window)
	if v.bucket.possible == nil {
		return bounds.clamp(min(v.held.middle(), window.Length()))
	}
	share := v.held.middle().Seconds() / max(v.bucket.possible.Length().Seconds(), v.held.middle().Seconds(), 1e-9)
	return bounds.clamp(toDuration(share * v.bucket.possible.Within(window).Seconds()))
}

// says are the observations, for people.
func (v *limiterView) says() []string {
	name := v.instance.String()
	if v.absent {
		return []string{name + " has no client-side limiter"}
	}
	var all []string
	if v.err != nil {
		all = append(all, fmt.Sprintf("%s: %v", name, v.err))
	}
	if v.waits.Count > 0 {
		_, longest := v.waits.Longest()
		certain, _ := v.waits.Above(leastWait.Seconds())
		all = append(all, fmt.Sprintf("%s: %d requests, %d of them waited longer than %s, %s together, the longest at most %s (%s)",
			name, v.waits.Count, certain, humanize.Duration(leastWait), humanize.Seconds(v.waits.Sum), humanize.Seconds(longest), limiterMetric))
	}
	if v.lines > 0 {
		all = append(all, fmt.Sprintf("%s logged %s, %s of them apart from each other", name, humanize.Count(v.lines, "wait"), humanize.Duration(v.logged.Length())))
	}
	if n := len(v.bucket.at); n > 0 && v.limits.KubeAPIQPS > 0 {
		all = append(all, fmt.Sprintf("audit log: %d requests of %s passed the bucket, %d of them for the pods; it may have been empty for %s (receipts stray by %s)",
			n, name, v.bucket.needed, humanize.Duration(v.bucket.possible.Length()), humanize.Duration(v.bucket.jitter)))
	}
	return all
}

// noWait is longer than a request takes to pass a client without a limiter, even where it
// waits for a processor.
const noWait = time.Second

// leastWait is the first bound of the limiter's histogram: what is shorter cannot be
// told from no wait at all.
const leastWait = 5 * time.Millisecond

func toDuration(s float64) time.Duration {
	if !(s > 0) {
		return 0
	}
	if s >= math.MaxInt64/float64(time.Second) {
		return math.MaxInt64
	}
	return time.Duration(s * float64(time.Second))
}
