package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/podburst/podburst/reports/formats"
)

// formatNames are the formats that can be printed.
func formatNames() (names []string) {
	for _, f := range formats.All() {
		if !f.Folder {
			names = append(names, f.Name)
		}
	}
	return names
}

// findFormat returns the format to print.
func findFormat(name string) (formats.Format, error) {
	f, err := formats.Named(name)
	if err == nil && f.Folder {
		err = fmt.Errorf("--format %s is a folder of files: podburst report --out DIR writes it", name)
	}
	return f, err
}

// findFormats returns the formats of podburst report, each once.
func findFormats(names []string) (found []formats.Format, err error) {
	for _, name := range names {
		f, err := formats.Named(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(found, func(other formats.Format) bool { return other.Name == f.Name }) {
			found = append(found, f)
		}
	}
	return found, nil
}
