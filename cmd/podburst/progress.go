package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/reports/progress"
)

// progressFlagName is the flag of the commands that report progress.
const progressFlagName = "progress"

func progressFlag(cmd *cobra.Command, word *string) {
	cmd.Flags().StringVar(word, progressFlagName, string(progress.Auto),
		"how to tell of progress, on standard error: one of "+strings.Join(progress.Modes(), ", "))
}

// progressMode parses the flag's value.
func progressMode(word string) (progress.Mode, error) {
	mode, err := progress.ParseMode(word)
	if err != nil {
		return "", fmt.Errorf("--%s %w", progressFlagName, err)
	}
	return mode, nil
}

// printer reports what happens outside a run, in the mode that the command's flag
// asks for, if it has one.
func printer(cmd *cobra.Command, out io.Writer) *progress.Printer {
	mode := progress.Plain
	if flag := cmd.Flags().Lookup(progressFlagName); flag != nil {
		mode = progress.Mode(flag.Value.String())
	}
	return progress.New(out, mode)
}
