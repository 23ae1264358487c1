package preflight

import (
	"context"
	"io"
	"math"
	"net/http"
	"time"

	"k8s.io/client-go/rest"
)

const (
	// clockRequests are spread over more than a second: an answer's Date has whole
	// seconds, and the answers right before and after a change of second give the
	// tightest bound.
	clockRequests = 11
	clockPause    = 110 * time.Millisecond
	// maxClockOffset is the offset from which marks by two clocks no longer make
	// sense together.
	maxClockOffset = time.Second
)

// clock bounds how far the API server's clock is ahead of the observer's, from the
// Date header of several answers: at some time between request and answer, the
// server's clock was within the second that the header names.
func (l *listing) clock(ctx context.Context, web *http.Client, o Options) {
	base, _, err := rest.DefaultServerUrlFor(o.Config)
	if err != nil {
		l.add(Warn, "clock", "", "cannot be asked: %v", err)
		return
	}
	url := base.JoinPath("version").String()
	low, high := time.Duration(math.MinInt64), time.Duration(math.MaxInt64)
	for i := range clockRequests {
		if i > 0 {
			select {
			case <-time.After(clockPause):
			case <-ctx.Done():
				return
			}
		}
		sent := o.Now()
		response, err := get(ctx, web, url)
		answered := o.Now()
		if err != nil {
			l.add(Warn, "clock", "", "cannot be asked: %v", err)
			return
		}
		_, _ = io.Copy(io.Discard, response.Body) // so that the connection is reused
		_ = response.Body.Close()
		date, err := http.ParseTime(response.Header.Get("Date"))
		if err != nil {
			l.add(Warn, "clock", "", "the API server's answers have no Date")
			return
		}
		low = max(low, date.Sub(answered))
		high = min(high, date.Add(time.Second).Sub(sent))
	}
	switch {
	case low > high:
		l.add(Warn, "clock", "point the kubeconfig at one API server if there are several, and let all synchronize their clocks",
			"the answers contradict each other by %v: a clock was set, or several API servers answer", low-high)
	case low > maxClockOffset || high < -maxClockOffset:
		l.add(Warn, "clock", "synchronize the clocks before an audit log is used; without one, all marks are the observer's own",
			"the API server's is %v to %v ahead of this machine's", low.Round(time.Millisecond), high.Round(time.Millisecond))
	default:
		l.add(OK, "clock", "", "the API server's is %v to %v ahead of this machine's", low.Round(time.Millisecond), high.Round(time.Millisecond))
	}
}
