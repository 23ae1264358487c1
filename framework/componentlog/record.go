package componentlog

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"time"
)

// record is one line with a stamp, in either format.
type record struct {
	at      time.Time
	message []byte
	// text holds the key=value pairs that follow a structured text message.
	text []byte
	// json holds the members of a JSON line.
	json map[string]json.RawMessage
}

// parseRecord finds the component's own line behind whatever prefix was put before
// it, and parses its stamp.
func parseRecord(line []byte, years calendar) (record, bool) {
	if r, ok := parseBare(line, years); ok {
		return r, true
	}
	// "2026-… stderr F I1129 …" and "2026-… node kubelet[168]: I1129 …".
	for _, mark := range []string{" stderr F ", " stdout F ", "]: "} {
		if i := bytes.Index(line, []byte(mark)); i >= 0 {
			if r, ok := parseBare(line[i+len(mark):], years); ok {
				return r, true
			}
		}
	}
	return record{}, false
}

func parseBare(line []byte, years calendar) (record, bool) {
	if len(line) > 0 && line[0] == '{' {
		return parseJSON(line)
	}
	return parseText(line, years)
}

// headerLength is that of "I1129 15:39:28.487338 ".
const headerLength = 22

// parseText reads klog's text format:
//
//	I1129 15:39:28.487338       1 schedule_one.go:483] "message" key="value"
func parseText(line []byte, years calendar) (record, bool) {
	if len(line) < headerLength || bytes.IndexByte([]byte("IWEF"), line[0]) < 0 ||
		line[5] != ' ' || line[8] != ':' || line[11] != ':' || line[14] != '.' || line[21] != ' ' {
		return record{}, false
	}
	var fields [6]int
	for i, span := range [][2]int{{1, 3}, {3, 5}, {6, 8}, {9, 11}, {12, 14}, {15, 21}} {
		value, ok := digits(line[span[0]:span[1]])
		if !ok {
			return record{}, false
		}
		fields[i] = value
	}
	at, ok := years.time(fields)
	if !ok {
		return record{}, false
	}
	// The thread and the place in the source end with "] ".
	end := bytes.Index(line[headerLength:], []byte("] "))
	if end < 0 {
		return record{}, false
	}
	r := record{at: at, message: line[headerLength+end+2:]}
	if len(r.message) > 0 && r.message[0] == '"' {
		if quoted, err := strconv.QuotedPrefix(string(r.message)); err == nil {
			if message, err := strconv.Unquote(quoted); err == nil {
				r.text = r.message[len(quoted):]
				r.message = []byte(message)
			}
		}
	}
	return r, true
}

func digits(text []byte) (value int, ok bool) {
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		value = value*10 + int(c-'0')
	}
	return value, true
}

// parseJSON reads the JSON format: {"ts":1764430768487.338,"msg":"…",…} with the
// stamp in milliseconds since 1970.
func parseJSON(line []byte) (record, bool) {
	var r record
	if err := json.Unmarshal(line, &r.json); err != nil {
		return record{}, false
	}
	var milliseconds float64
	var message string
	if json.Unmarshal(r.json["ts"], &milliseconds) != nil || json.Unmarshal(r.json["msg"], &message) != nil {
		return record{}, false
	}
	// A time before 1970 or after 2262 is not a stamp, and would overflow.
	if !(milliseconds > 0 && milliseconds < math.MaxInt64/1e6) {
		return record{}, false
	}
	// A double holds such a number to a quarter of a microsecond; rounding down must
	// not make it a microsecond earlier.
	r.at = time.UnixMicro(int64(math.Floor(milliseconds*1000 + 0.25))).UTC()
	r.message = []byte(message)
	return r, true
}

// calendar finds the year of text stamps.
type calendar struct {
	reference time.Time
	location  *time.Location
}

// time makes a time of month, day, hour, minute, second and microsecond; ok is false
// if there is no such day.
func (c calendar) time(fields [6]int) (time.Time, bool) {
	var best time.Time
	for year := c.reference.Year() - 1; year <= c.reference.Year()+1; year++ {
		at := time.Date(year, time.Month(fields[0]), fields[1], fields[2], fields[3], fields[4], fields[5]*1000, c.location)
		if int(at.Month()) != fields[0] || at.Day() != fields[1] || fields[2] > 23 || fields[3] > 59 || fields[4] > 59 {
			continue // time.Date would carry 30 February into March.
		}
		if best.IsZero() || at.Sub(c.reference).Abs() < best.Sub(c.reference).Abs() {
			best = at
		}
	}
	return best.UTC(), !best.IsZero()
}
