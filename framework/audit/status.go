package audit

import (
	"time"

	"github.com/podburst/podburst/framework/recording"
)

// rawStatus is a pod status, either whole (update) or a strategic merge patch. A
// patch carries only the conditions that change, merged by type, but always the whole
// list of containerStatuses, which has no merge key.
type rawStatus struct {
	Phase      string     `json:"phase"`
	StartTime  *time.Time `json:"startTime"`
	Conditions []struct {
		Type               string     `json:"type"`
		Status             string     `json:"status"`
		Reason             string     `json:"reason"`
		LastTransitionTime *time.Time `json:"lastTransitionTime"`
		// Directive is "delete" if the patch removes the condition.
		Directive string `json:"$patch"`
	} `json:"conditions"`
	ContainerStatuses []struct {
		Ready        bool `json:"ready"`
		RestartCount int  `json:"restartCount"`
		State        struct {
			Waiting *struct {
				Reason string `json:"reason"`
			} `json:"waiting"`
			Running *struct {
				StartedAt *time.Time `json:"startedAt"`
			} `json:"running"`
			Terminated *struct {
				ExitCode int `json:"exitCode"`
			} `json:"terminated"`
		} `json:"state"`
	} `json:"containerStatuses"`
}

func (s rawStatus) change() *recording.StatusChange {
	change := &recording.StatusChange{Phase: s.Phase, Containers: s.containers()}
	if s.StartTime != nil {
		change.StartTime = s.StartTime.UTC()
	}
	for _, c := range s.Conditions {
		if c.Directive == "delete" || c.Type == "" || c.Status == "" {
			// Removed, or changed in a field other than its status.
			continue
		}
		condition := recording.Condition{Type: c.Type, Status: c.Status, Reason: c.Reason}
		if c.LastTransitionTime != nil {
			condition.Since = c.LastTransitionTime.UTC()
		}
		change.Conditions = append(change.Conditions, condition)
	}
	return change
}

func (s rawStatus) containers() *recording.Containers {
	if len(s.ContainerStatuses) == 0 {
		return nil
	}
	sum := &recording.Containers{Total: len(s.ContainerStatuses)}
	for _, c := range s.ContainerStatuses {
		sum.Restarts += c.RestartCount
		if c.Ready {
			sum.Ready++
		}
		switch state := c.State; {
		case state.Running != nil:
			sum.Running++
			if at := state.Running.StartedAt; at != nil && at.After(sum.StartedAt) {
				sum.StartedAt = at.UTC()
			}
		case state.Terminated != nil:
			sum.Terminated++
			if state.Terminated.ExitCode != 0 {
				sum.Failed++
			}
		case state.Waiting != nil && sum.Waiting == "":
			sum.Waiting = state.Waiting.Reason
		}
	}
	return sum
}
