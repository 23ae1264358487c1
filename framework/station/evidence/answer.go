// Package evidence reads out of a recording what it says about one station: how
// much it served and how long work waited there. Every answer is a number or the
// reason why there is none. Zero is never put in the place of what is not known.
package evidence

import (
	"errors"
	"fmt"

	"github.com/podburst/podburst/framework/exposition"
)

// Why there is no answer. Errors of this package wrap one of them.
var (
	// ErrUnreadable: the component's metrics were asked for and could not be read.
	ErrUnreadable = errors.New("metrics unreadable")
	// ErrUnavailable: the provider cannot give them.
	ErrUnavailable = errors.New("not available from this provider")
	// ErrNotRecorded: the recording says nothing of the component.
	ErrNotRecorded = errors.New("not recorded")
	// ErrRestarted: another process answered after the burst than before it.
	ErrRestarted = errors.New("component restarted")
	// ErrFell: a counter fell during the burst.
	ErrFell = errors.New("a counter fell")
	// ErrTorn: the numbers contradict each other.
	ErrTorn = errors.New("numbers that contradict each other")
	// ErrNoMetric: this version of the component does not have the metric.
	ErrNoMetric = errors.New("metric absent in this version")
)

// because turns an error of framework/exposition into one of this package.
func because(metric string, err error) error {
	switch {
	case errors.Is(err, exposition.ErrNoMetric):
		return fmt.Errorf("%w: %s", ErrNoMetric, metric)
	case errors.Is(err, exposition.ErrFell):
		return fmt.Errorf("%w: %s", ErrFell, metric)
	case errors.Is(err, exposition.ErrTorn):
		return fmt.Errorf("%w: %s", ErrTorn, metric)
	}
	return fmt.Errorf("%w: %s: %w", ErrUnreadable, metric, err)
}
