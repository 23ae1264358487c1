package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/framework/verdict"
)

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return execute(ctx, rootCommand(send), args, stdout, stderr)
}

func execute(ctx context.Context, root *cobra.Command, args []string, stdout, stderr io.Writer) int {
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	var found verdictError
	var code codeError
	switch {
	case err == nil:
		return verdict.ExitPass
	case errors.As(err, &found):
		return found.ExitCode(false)
	case errors.As(err, &code):
		return int(code)
	case ctx.Err() != nil:
		printer(cmd, stderr).Error(errors.New("interrupted"))
		return verdict.ExitInterrupted
	}
	printer(cmd, stderr).Error(err)
	var internal internalError
	if errors.As(err, &internal) {
		return verdict.ExitInternal
	}
	return verdict.ExitUsage
}

// verdictError ends a command that worked, with the exit code of what it found.
type verdictError struct{ verdict.Verdict }

func (e verdictError) Error() string { return "verdict: " + string(e.Verdict) }

// internalError is a failure that no other input would have avoided.
type internalError struct{ error }

func (e internalError) Unwrap() error { return e.error }

func internal(err error) error {
	if err == nil {
		return nil
	}
	return internalError{err}
}

func rootCommand(send sender) *cobra.Command {
	root := &cobra.Command{
		Use:   "podburst",
		Short: "Measure how a burst of pods starts, and what held it up",
		Long: `podburst measures every phase of pod start under a burst, names the component
that held it up, and refuses to report what it cannot trust. Bursts are run by
"make e2e"; this command works on what they recorded.

Exit codes: 0 pass or inconclusive, 1 internal error, 2 usage or bad input,
3 invalid, 4 SLO failed, 5 regressed, 6 inconclusive with --strict, 130 interrupted.`,
		// run prints errors once, and an error is no reason to repeat the usage.
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(controlPlaneCommand(), nodeImageCommand(), clustersCommand(), doctorCommand(), rbacCommand(), observeCommand(send), reportCommand(), explainCommand(), listCostCommand(), schemaCommand(),
		compareCommand(send), gateCommand(), calibrateCommand(send), selfTestCommand(send), sweepCommand(send))
	return root
}
