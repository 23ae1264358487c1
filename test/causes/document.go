package causes

import (
	"fmt"
	"os"
	"strings"
)

// The lab's table is between these lines of its document.
const begin, end = "<!-- cause-lab:begin -->", "<!-- cause-lab:end -->"

// Replace puts the table between the markers of a document.
func Replace(document, table string) (string, error) {
	before, rest, found := strings.Cut(document, begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		return "", fmt.Errorf("replace the lab's table: the document has no lines %q and %q; put them where the table goes", begin, end)
	}
	return before + begin + "\n" + table + end + after, nil
}

// Document writes the table into a file.
func Document(path, table string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("write the lab's table: %w", err)
	}
	changed, err := Replace(string(text), table)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, []byte(changed), 0o644)
}
