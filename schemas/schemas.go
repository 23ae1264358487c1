// Package schemas holds the JSON Schemas of the files that podburst writes and reads:
// report.json, and the YAML that users write. They are generated from the Go types by
// the tests of this package, and each is named for the version of the file that it
// describes. An editor checks a YAML file against one that its first line names:
// "# yaml-language-server: $schema=<path or address>".
package schemas

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"

	"github.com/podburst/podburst/internal/nearest"
)

//go:embed *.json
var files embed.FS

// Names lists the schemas: report is that of report.json, the others are of kinds of YAML.
func Names() []string { return []string{"report", "profile", "slo", "criteria"} }

// Read returns the schema of that name as JSON. An unknown name is an error that says
// the nearest one.
func Read(name string) ([]byte, error) {
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("read schema: there is none of %q%s", name, nearest.Hint(name, "schemas", Names()))
	}
	found, err := fs.Glob(files, name+".*.json")
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("read schema %s: %d files (%w)", name, len(found), err) // not reachable: a test counts them
	}
	return files.ReadFile(found[0])
}
