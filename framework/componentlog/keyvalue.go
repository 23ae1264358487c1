package componentlog

import (
	"strconv"
	"strings"
)

// textValue finds a key among the pairs of a structured text line, which are
// key=value with the value quoted as Go quotes strings, or bare up to the next
// blank. A key within a quoted value is not mistaken for one.
func textValue(pairs, key string) string {
	for {
		pairs = strings.TrimLeft(pairs, " ")
		name, rest, ok := strings.Cut(pairs, "=")
		if !ok || strings.ContainsAny(name, ` "`) {
			return ""
		}
		var value string
		if strings.HasPrefix(rest, `"`) {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return ""
			}
			if value, err = strconv.Unquote(quoted); err != nil {
				return ""
			}
			pairs = rest[len(quoted):]
		} else {
			value, pairs, _ = strings.Cut(rest, " ")
		}
		if name == key {
			return value
		}
	}
}
