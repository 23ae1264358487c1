package builder

import (
	"context"
	"io"
)

// Command is one call of the go command.
type Command struct {
	// Dir is the folder it runs in.
	Dir string
	// Environ is its whole environment.
	Environ []string
	// Args is the program and its arguments.
	Args []string
	// Stdout and Stderr receive its output.
	Stdout, Stderr io.Writer
}

// Runner runs a command to its end. When ctx ends it stops the command and all
// that the command started, and returns once they have gone.
type Runner func(ctx context.Context, command Command) error
