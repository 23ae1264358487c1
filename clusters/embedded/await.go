package embedded

import (
	"context"
	"fmt"
	"time"
)

// pollInterval is the pause between two checks of what is not ready yet.
const pollInterval = 50 * time.Millisecond

// await calls check until it returns nil. When ctx ends, it returns why, and
// what was still missing.
func await(ctx context.Context, what string, check func(context.Context) error) error {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		// One check must not use up all the time.
		one, cancel := context.WithTimeout(ctx, 5*time.Second)
		err := check(one)
		cancel()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s (last: %w): %w", what, err, context.Cause(ctx))
		case <-ticker.C:
		}
	}
}
