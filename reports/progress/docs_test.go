package progress

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// Authors of programs that follow a run read docs/progress.md.
func TestEveryModeEventAndFieldIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/progress.md")
	if err != nil {
		t.Fatal(err)
	}
	words := append(Modes(), "run-start", "cluster-ready", "burst-start", "burst-progress", "burst-end", "step", "error", "run-end")
	for _, of := range []reflect.Type{reflect.TypeFor[Event](), reflect.TypeFor[Pods]()} {
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			words = append(words, name)
		}
	}
	for _, word := range words {
		if !strings.Contains(string(text), "`"+word+"`") {
			t.Errorf("%s is not in docs/progress.md", word)
		}
	}
}
