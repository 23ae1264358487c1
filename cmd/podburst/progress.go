package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/reports/progress"
)

// progressFlagName is the flag of the commands that tell of their progress.
const progressFlagName = "progress"

func progressFlag(cmd *cobra.Command, word *string) {
	cmd.Flags().StringVar(word, progressFlagName, string(progress.Auto),
		"how to tell of progress, on standard error: one of "+strings.Join(progress.Modes(), ", "))
}

// progressMode reads the flag's word.
func progressMode(word string) (progress.Mode, error) {
	mode, err := progress.ParseMode(word)
	if err != nil {
		return "", fmt.Errorf("--%s %w", progressFlagName, err)
	}
	return mode, nil
}

// printer tells of what happens outside of a run in the way that the command's flag
// asks for, where it has one.
func printer(cmd *cobra.Command, out io.Writer) *progress.Printer {
	mode := progress.Plain
	if flag := cmd.Flags().Lookup(progressFlagName); flag != nil {
		mode = progress.Mode(flag.Value.String())
	}
	return progress.New(out, mode)
}
