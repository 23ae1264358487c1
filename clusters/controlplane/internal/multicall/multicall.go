// Package multicall lets one executable be several programs, as busybox does:
// it runs the program that the executable was called as (through a link named
// after it), or else the one that its first argument names.
//
// The programs share one executable because they share most of their code:
// together they are not much larger, and take not much longer to build, than
// the largest alone.
package multicall

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// Program is one of the executable's programs.
type Program struct {
	// Name is what a link to the executable, or its first argument, must be.
	Name string
	// Run runs the program on args, the first of which is the program's own
	// name as in os.Args, and returns its exit code.
	Run func(ctx context.Context, args []string) int
}

// UsageExitCode is returned when no program was named, or one that does not exist.
const UsageExitCode = 2

// Select returns the program that args (as os.Args) ask for, and its own
// arguments, the first of which is its bare name. Without such a program the
// error says which exist.
func Select(programs []Program, args []string) (Program, []string, error) {
	if len(args) > 0 {
		if program, ok := find(programs, filepath.Base(args[0])); ok {
			return program, withName(program, args[1:]), nil
		}
	}
	if len(args) > 1 {
		if program, ok := find(programs, args[1]); ok {
			return program, withName(program, args[2:]), nil
		}
		return Program{}, nil, fmt.Errorf("no program %q: name one of %s", args[1], names(programs))
	}
	return Program{}, nil, fmt.Errorf("no program named: give one of %s as the first argument, or call this executable by a link of that name", names(programs))
}

// Main selects and runs a program. It calls setArgs with the program's
// arguments before, for much code reads os.Args by itself: client-go makes the
// user agent of its first element, and audit logs then say who sent a request.
func Main(ctx context.Context, programs []Program, args []string, setArgs func([]string), stderr io.Writer) int {
	program, programArgs, err := Select(programs, args)
	if err != nil {
		fmt.Fprintf(stderr, "Error: %v\n", err)
		return UsageExitCode
	}
	setArgs(programArgs)
	return program.Run(ctx, programArgs)
}

func find(programs []Program, name string) (Program, bool) {
	for _, program := range programs {
		if program.Name == name {
			return program, true
		}
	}
	return Program{}, false
}

func withName(program Program, rest []string) []string {
	return append([]string{program.Name}, rest...)
}

func names(programs []Program) string {
	list := make([]string, len(programs))
	for i, program := range programs {
		list[i] = program.Name
	}
	return strings.Join(list, ", ")
}
