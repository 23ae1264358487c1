package kind

import (
	"context"
	"errors"
	"fmt"
)

// Availability is what this provider finds on a machine.
type Availability struct {
	// Engine is the version of the Docker engine that answers.
	Engine string
	// Image is the node image for a profile that names none. Present says whether
	// the engine has it; if not, Create pulls it.
	Image   string
	Present bool
}

// Available says what the machine has, without changing it, for the choice of a
// provider. The error is ErrNoEngine, with what to do, if no engine answers.
func Available(ctx context.Context, options Options) (Availability, error) {
	o, err := options.withDefaults()
	if err != nil {
		return Availability{}, fmt.Errorf("look for a Docker engine: %w", err)
	}
	var found Availability
	if found.Engine, err = o.engine.version(ctx); err != nil {
		return found, fmt.Errorf("look for a Docker engine: %w", err)
	}
	for _, name := range defaultImages() {
		found.Image = name
		_, err := o.engine.image(ctx, name)
		if err == nil {
			found.Present = true
			return found, nil
		}
		if !errors.Is(err, errNoImage) {
			return found, fmt.Errorf("look for a node image: %w", err)
		}
	}
	return found, nil
}
