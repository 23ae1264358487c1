package validity

import (
	"time"

	"github.com/podburst/podburst/framework/recording"
)

// matchTolerance is how long after its creationTimestamp a pod may first be seen. That
// field is truncated to whole seconds, so up to one second of it means nothing.
const matchTolerance = 2 * time.Second

// matchedLate checks that a passive burst's pods were seen from their creation on. A pod
// that gets the label later arrives as a new one and looks as if it had just been created.
// (The field is from the API server's clock. A clock that is seconds off looks the same and
// makes the cluster's times equally doubtful.)
func (j *judge) matchedLate() {
	if j.b.Passive == nil {
		return
	}
	seen := map[string]bool{}
	worst := time.Duration(0)
	var names []string
	for i := range j.b.Watch {
		o := &j.b.Watch[i]
		if seen[o.UID] {
			continue
		}
		seen[o.UID] = true
		if late := o.At.Sub(o.Created); !o.Created.IsZero() && late > matchTolerance {
			names = append(names, o.Name)
			worst = max(worst, late)
		}
	}
	if len(names) > 0 {
		j.addOnce(recording.ProblemPodLate, "%s first seen up to %v after the creationTimestamp (labeled later, or the API server's clock is off): %s",
			count(len(names)), worst.Round(time.Millisecond), list(names))
	}
}
