//go:build !unix

package builder

import (
	"context"
	"errors"
	"fmt"
)

func acquire(context.Context, Clock, string, func(string)) (func() error, error) {
	return nil, fmt.Errorf("lock the cache: %w on this operating system: the embedded control plane needs Linux", errors.ErrUnsupported)
}
