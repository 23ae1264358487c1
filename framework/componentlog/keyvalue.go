package componentlog

import (
	"strconv"
	"strings"
)

// textValue finds a key among the key=value pairs of a structured text line. A value
// is either quoted as in Go or runs to the next blank. A key inside a quoted value is
// not mistaken for one.
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
