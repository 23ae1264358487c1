package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/schemas"
)

func schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [" + strings.Join(schemas.Names(), "|") + "]",
		Short: "Print the JSON Schema of report.json or of a kind of YAML file",
		Long: `Prints the JSON Schema (draft 2020-12) of report.json, or of a YAML file: a profile,
objectives (slo) or the criteria of a comparison.

An editor with a YAML language server checks a file against the schema that a
comment at its top names.`,
		Example: `  podburst schema > report.schema.json
  podburst schema profile > profile.schema.json   # and in the profile: # yaml-language-server: $schema=profile.schema.json`,
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: schemas.Names(),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := schemas.Read(append(args, "report")[0])
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(text)
			return internal(err)
		},
	}
}
