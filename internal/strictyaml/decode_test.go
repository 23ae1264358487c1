package strictyaml

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// duration stands for metav1.Duration: a struct that decodes itself.
type Duration struct{ time.Duration }

func (d *Duration) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	parsed, err := time.ParseDuration(text)
	d.Duration = parsed
	return err
}

func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(d.String()) }

type limits struct {
	QPS   *float64 `json:"kubeAPIQPS,omitempty"`
	Burst *int     `json:"kubeAPIBurst,omitempty"`
}

type kubelet struct {
	limits  `json:",inline"`
	MaxPods *int32 `json:"maxPods,omitempty"`
}

type file struct {
	Name      string            `json:"name,omitempty"`
	Scheduler limits            `json:"scheduler,omitempty"`
	Kubelet   *kubelet          `json:"kubelet,omitempty"`
	Gates     map[string]bool   `json:"gates,omitempty"`
	Args      map[string]string `json:"args,omitempty"`
	Items     []item            `json:"items,omitempty"`
	Free      any               `json:"free,omitempty"`
	Small     uint8             `json:"small,omitempty"`
	Single    float32           `json:"single,omitempty"`
	Hidden    string            `json:"-"`
}

type item struct {
	Latency Duration   `json:"latency,omitempty"`
	On      *bool      `json:"on,omitempty"`
	At      *time.Time `json:"at,omitempty"`
}

func TestDecodeReadsWhatItAccepts(t *testing.T) {
	yes, qps, burst, pods := true, 1.5e2, 200, int32(110)
	at := time.Date(2026, 11, 29, 15, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name, data string
		want       file
	}{
		{"all kinds of values", `
# a comment
name: "tuned"
scheduler: {kubeAPIQPS: 1.5e2, kubeAPIBurst: 200}
kubelet:
  kubeAPIQPS: 150   # embedded
  maxPods: 110
gates: {A: true, B: False}
args: {v: "2", empty: ""}
items:
- latency: 20ms
- on: true
  at: 2026-11-29T15:00:00Z
free: {a: [1, x, true, null, 2026-01-01]}
small: 255
single: -0.5
`, file{
			Name: "tuned", Scheduler: limits{&qps, &burst}, Kubelet: &kubelet{limits{QPS: &qps}, &pods},
			Gates: map[string]bool{"A": true, "B": false}, Args: map[string]string{"v": "2", "empty": ""},
			Items: []item{{Latency: Duration{20 * time.Millisecond}}, {On: &yes, At: &at}},
			Free:  map[string]any{"a": []any{1.0, "x", true, nil, "2026-01-01"}}, Small: 255, Single: -0.5,
		}},
		{"words that YAML 1.1 takes for bools stay strings", "name: on\nargs: {y: 'no', off: yes}",
			file{Name: "on", Args: map[string]string{"y": "no", "off": "yes"}}},
		{"an anchor used twice", "scheduler: &l {kubeAPIBurst: 200}\nfree: *l",
			file{Scheduler: limits{Burst: &burst}, Free: map[string]any{"kubeAPIBurst": 200.0}}},
		{"JSON", `{"name":"j"}`, file{Name: "j"}},
		{"document markers", "---\nname: x\n...\n", file{Name: "x"}},
		{"byte order mark and Windows lines", "\ufeffname: x\r\nsmall: 1\r\n", file{Name: "x", Small: 1}},
		{"an empty mapping", "{}", file{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got file
			if err := Decode("f.yaml", []byte(test.data), &got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %s\nwant %s", dump(got), dump(test.want))
			}
		})
	}
}

func dump(v any) string {
	b, err := json.Marshal(v)
	return fmt.Sprint(string(b), err)
}

func TestDecodeRefuses(t *testing.T) {
	for _, test := range []struct{ name, data, want string }{
		{"misspelled field", "name: x\nscheduler:\n  kubeAPIQSP: 150",
			"f.yaml:3:3: scheduler.kubeAPIQSP: unknown field; did you mean kubeAPIQPS?"},
		{"wrong case", "Name: x", "f.yaml:1:1: Name: unknown field; did you mean name?"},
		{"nothing near", "scheduler: {replicas: 1}",
			"f.yaml:1:13: scheduler.replicas: unknown field; the valid fields are kubeAPIQPS, kubeAPIBurst"},
		{"embedded fields are offered", "kubelet: {burst: 1}",
			"f.yaml:1:11: kubelet.burst: unknown field; did you mean kubeAPIBurst?"},
		{"a field hidden from JSON", "Hidden: x",
			"f.yaml:1:1: Hidden: unknown field; the valid fields are name, scheduler, kubelet, gates, args, items, free, small, single"},
		{"the Go name of an embedded struct", "kubelet: {limits: {}}",
			"f.yaml:1:11: kubelet.limits: unknown field; the valid fields are maxPods, kubeAPIQPS, kubeAPIBurst"},
		{"every fault, in the order of lines", "small: many\nnmae: x\ngates: {A: 'true'}\nitems: [{latency: 5}, {of: x}]",
			`f.yaml:1:8: small: expected a whole decimal number, 0 or more, got the string "many"
f.yaml:2:1: nmae: unknown field; did you mean name?
f.yaml:3:12: gates.A: expected true or false, got the string "true"
f.yaml:4:19: items[0].latency: expected a duration such as "20ms" or "5s", got the number 5
f.yaml:4:24: items[1].of: unknown field; did you mean on?`},
		{"duplicate field", "name: x\nsmall: 1\nname: y", "f.yaml:3:1: name: duplicate field, first set on line 1"},
		{"duplicate map key", "gates: {A: true, A: false}", "f.yaml:1:18: gates.A: duplicate field, first set on line 1"},
		{"string for number", "scheduler: {kubeAPIQPS: '150'}",
			`f.yaml:1:25: scheduler.kubeAPIQPS: expected a finite decimal number, got the string "150"`},
		{"number for string", "name: 1.37", "f.yaml:1:7: name: expected a string, got the number 1.37; put it in quotes"},
		{"bool for string", "args: {profiling: true}", "f.yaml:1:19: args.profiling: expected a string, got true; put it in quotes"},
		{"date for string", "name: 2026-01-01", `f.yaml:1:7: name: expected a string, got the string "2026-01-01"; put it in quotes`},
		{"fraction for integer", "kubelet: {maxPods: 1.5}", "f.yaml:1:20: kubelet.maxPods: expected a whole decimal number, got the number 1.5"},
		{"octal", "small: 012", "f.yaml:1:8: small: expected a whole decimal number, 0 or more, got the number 012"},
		{"hexadecimal", "small: 0x10", "f.yaml:1:8: small: expected a whole decimal number, 0 or more, got the number 0x10"},
		{"negative for unsigned", "small: -1", "f.yaml:1:8: small: -1 is out of range"},
		{"too large an integer", "kubelet: {maxPods: 2147483648}", "f.yaml:1:20: kubelet.maxPods: 2147483648 is out of range"},
		{"too large a float", "single: 1e39", "f.yaml:1:9: single: 1e39 is out of range"},
		{"infinity", "single: .inf", "f.yaml:1:9: single: expected a finite decimal number, got the number .inf"},
		{"NaN", "scheduler: {kubeAPIQPS: .nan}", "f.yaml:1:25: scheduler.kubeAPIQPS: expected a finite decimal number, got the number .nan"},
		{"bad duration", "items: [{latency: 5 parsecs}]",
			`f.yaml:1:19: items[0].latency: expected a duration such as "20ms" or "5s", got the string "5 parsecs": time: unknown unit " parsecs" in duration "5 parsecs"`},
		{"mapping for scalar", "name: {a: b}", "f.yaml:1:7: name: expected a string, got a mapping"},
		{"list for mapping", "kubelet: [1]", "f.yaml:1:10: kubelet: expected a mapping (field: value), got a list"},
		{"scalar for list", "items: x", `f.yaml:1:8: items: expected a list (- item), got the string "x"`},
		{"a field without a value", "scheduler:\n  kubeAPIQPS:\n", "f.yaml:2:14: scheduler.kubeAPIQPS: has no value: expected a finite decimal number; leave the field out to leave it unset"},
		{"key that is no string", "gates: {1: true}", "f.yaml:1:9: gates: a field's name must be a string, got the number 1"},
		{"key that is a list", "? [a]\n: x", "f.yaml:1:3: a field's name must be a string, got a list"},
		{"key that needs quoting in a path", "gates: {\"a.b\\n\": 1}", `f.yaml:1:18: gates."a.b\n": expected true or false, got the number 1`},
		{"merge key", "free: &a {x: 1}\nscheduler: {<<: *a}", "f.yaml:2:13: scheduler: merge keys (<<) are not supported; write the fields out"},
		{"custom tag", "name: !secret x", "f.yaml:1:7: name: the tag !secret is not supported"},
		{"binary tag", "name: !!binary eA==", "f.yaml:1:7: name: the tag !!binary is not supported"},
		{"tag on a mapping", "kubelet: !k {}", "f.yaml:1:10: kubelet: the tag !k is not supported"},
		{"empty", "", "f.yaml: the file is empty"},
		{"only a comment", "# nothing\n", "f.yaml: the file is empty"},
		{"only a document marker", "---\n", "f.yaml:2:1: the file is empty"},
		{"two documents", "name: x\n---\nname: y", "f.yaml:2:1: a second document begins here; one file holds one document"},
		{"root is a list", "- name: x", "f.yaml:1:1: expected a mapping (field: value), got a list"},
		{"root is a word", "tuned", `f.yaml:1:1: expected a mapping (field: value), got the string "tuned"`},
		{"syntax", "name: x\n  small: 1", "f.yaml:2: not valid YAML: mapping values are not allowed in this context"},
		{"unknown anchor", "name: *x", "f.yaml: not valid YAML: unknown anchor 'x' referenced"},
		{"an anchor that contains itself", "free: &a [*a]", "f.yaml:1:7: free" + strings.Repeat("[0]", maxDepth) + ": nested more than 64 levels deep"},
	} {
		t.Run(test.name, func(t *testing.T) {
			untouched := file{Name: "before"}
			err := Decode("f.yaml", []byte(test.data), &untouched)
			if err == nil || err.Error() != test.want {
				t.Errorf("got\n%v\nwant\n%s", err, test.want)
			}
			if !reflect.DeepEqual(untouched, file{Name: "before"}) {
				t.Errorf("a refused file changed the value: %s", dump(untouched))
			}
			var fault Fault
			if !errors.As(err, &fault) || fault.File != "f.yaml" {
				t.Errorf("errors.As found no Fault in %v", err)
			}
		})
	}
}

func TestDecodeBoundsWhatAFileMayCost(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c <= 'j'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c,", c-1), 10), ","))
	}
	bomb = "free:\n  " + strings.ReplaceAll(strings.TrimSpace(bomb), "\n", "\n  ")
	for _, test := range []struct{ name, data, want string }{
		{"aliases of aliases", bomb, "the file expands to more than 2048 KiB"},
		{"one long string, many times", "free: [&a " + strings.Repeat("x", 200<<10) + strings.Repeat(", *a", 1000) + "]",
			"the file expands to more than 2048 KiB"},
		{"deep nesting", "free: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "nested more than 64 levels deep"},
		{"large file", "name: " + strings.Repeat("x", MaxSize), "the file is larger than 256 KiB"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := Decode("f.yaml", []byte(test.data), new(file))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %.200v, want %q", err, test.want)
			}
			if n := strings.Count(err.Error(), "\n"); n > maxShown {
				t.Errorf("the message has %d lines", n)
			}
		})
	}
}

func TestErrorsShowsAtMostFifty(t *testing.T) {
	var data strings.Builder
	for i := range 60 {
		fmt.Fprintf(&data, "field%d: 1\n", i)
	}
	err := Decode("f.yaml", []byte(data.String()), new(file))
	var all Errors
	if !errors.As(err, &all) || len(all) != 60 {
		t.Fatalf("got %d faults, want 60", len(all))
	}
	if lines := strings.Split(err.Error(), "\n"); len(lines) != 51 || lines[50] != "f.yaml: and 10 more" {
		t.Errorf("got %d lines, the last %q", len(lines), lines[len(lines)-1])
	}
}

func TestDecodeNeedsAPointerToAStruct(t *testing.T) {
	var null *file
	for _, into := range []any{nil, file{}, new(int), null} {
		if err := Decode("f.yaml", []byte("{}"), into); err == nil {
			t.Errorf("Decode into %T: no error", into)
		}
	}
}

// FuzzDecode: Decode never panics, and whatever it accepts, it also accepts in
// JSON form, with the same value.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"name: x\nscheduler: {kubeAPIQPS: 1.5e2}\nitems: [{latency: 20ms, on: true}]",
		"free: &a [1, *a]", "a: &a {<<: *a}", "? [a]\n: x", "%YAML 1.1\n---\n{}", "gates: {A: true, A: true}",
		"name: |\n  two\n  lines\n", "name: !!str 5", "small: 012", "\ufeffname: '\u2028'", "single: 3.4e38", "- \t#\n #",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var first, second file
		if err := Decode("f.yaml", data, &first); err != nil {
			if err.Error() == "" {
				t.Error("an error without a message")
			}
			return
		}
		if math.IsInf(float64(first.Single), 0) {
			t.Error("accepted an infinity")
		}
		first.Free = nil // JSON null inside free values is outside the round trip
		encoded, err := json.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		// YAML forbids raw DEL and C1 characters that JSON allows.
		if strings.ContainsFunc(string(encoded), func(r rune) bool { return r >= 0x7f && r < 0xa0 || r >= 0xfffe && r <= 0xffff || r == 0xfeff }) {
			return
		}
		if err := Decode("again.yaml", encoded, &second); err != nil {
			t.Fatalf("%v\n%s", err, encoded)
		}
		again, err := json.Marshal(second)
		if err != nil || string(again) != string(encoded) {
			t.Errorf("%s became %s (%v)", encoded, again, err)
		}
	})
}
