package fakeruntime

import (
	"fmt"
	"strconv"
	"time"
)

const (
	// ExitAfterAnnotation on a pod ends each of its containers that long (a Go
	// duration such as "1.5s") after the container's start. Without it the
	// runtime's container lifetime applies; if that is unlimited and
	// ExitCodeAnnotation is set, containers end as soon as they have started.
	ExitAfterAnnotation = "hollow.podburst.dev/exit-after"
	// ExitCodeAnnotation on a pod is the exit code (0 to 255) of a container
	// that ends by itself. Default 0.
	ExitCodeAnnotation = "hollow.podburst.dev/exit-code"
)

// exitPlan says whether, when and how the containers of a pod end by themselves.
type exitPlan struct {
	ends  bool
	after time.Duration
	code  int32
}

// newExitPlan reads a pod's annotations. A value that cannot be read is an
// error, not a default: a test that meant to crash a container must not pass
// because of a typing mistake.
func newExitPlan(annotations map[string]string, lifetime time.Duration) (exitPlan, error) {
	plan := exitPlan{ends: lifetime > 0, after: lifetime}
	if text, ok := annotations[ExitCodeAnnotation]; ok {
		code, err := strconv.ParseUint(text, 10, 8)
		if err != nil {
			return exitPlan{}, fmt.Errorf("annotation %s: %q is not an exit code from 0 to 255", ExitCodeAnnotation, text)
		}
		plan.ends, plan.code = true, int32(code)
	}
	if text, ok := annotations[ExitAfterAnnotation]; ok {
		after, err := time.ParseDuration(text)
		if err != nil || after < 0 {
			return exitPlan{}, fmt.Errorf(`annotation %s: %q is not a duration such as "1.5s"`, ExitAfterAnnotation, text)
		}
		plan.ends, plan.after = true, after
	}
	return plan, nil
}
