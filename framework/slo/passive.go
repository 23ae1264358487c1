package slo

import (
	"errors"
	"fmt"
	"slices"

	"github.com/podburst/podburst/framework/timeline"
)

// LoadForPassive is LoadOrDefault for a run that submitted nothing itself and so knows
// neither a makespan nor a phase that begins with submit. Such objectives of the defaults
// become WhereAvailable, so that the report says that they are left out. In a user's own
// file they are an error, because they could never pass.
func LoadForPassive(path string) (SLO, error) {
	s, err := LoadOrDefault(path)
	if err != nil {
		return SLO{}, err
	}
	if path == "" {
		for i := range s.Spec.Objectives {
			if o := &s.Spec.Objectives[i]; o.fromSubmit() {
				o.WhereAvailable = true
			}
		}
		return s, nil
	}
	var errs []error
	for _, o := range s.Spec.Objectives {
		if o.fromSubmit() {
			errs = append(errs, fmt.Errorf("%s: objective %q: %s; use a phase from create on, such as pod_startup", path, o.Name, notSubmitted(o.Phase)))
		}
	}
	return s, errors.Join(errs...)
}

func notSubmitted(phase string) string {
	return phase + " begins with the submission, which is not known of pods that others make"
}

// fromSubmit tells whether the objective needs the time of submission.
func (o Objective) fromSubmit() bool {
	return o.Phase == Makespan || slices.ContainsFunc(timeline.Phases(), func(p timeline.Phase) bool {
		return p.Name == o.Phase && p.From == timeline.Submit
	})
}
