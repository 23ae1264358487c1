package nearest

import (
	"strings"
	"testing"
)

func TestMatch(t *testing.T) {
	fields := []string{"kubeAPIQPS", "kubeAPIBurst", "verbosity", "extraArgs"}
	for _, test := range []struct{ name, word, want string }{
		{"letters swapped", "kubeAPIQSP", "kubeAPIQPS"},
		{"case differs", "kubeapiburst", "kubeAPIBurst"},
		{"part of one name", "qps", "kubeAPIQPS"},
		{"part of two names is ambiguous", "kube", ""},
		{"nothing near", "replicas", ""},
		{"empty", "", ""},
		{"one letter is near nothing", "x", ""},
		{"longer than any name", strings.Repeat("k", 100), ""},
		{"not UTF-8", "kube\xffAPIQPS", "kubeAPIQPS"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := Match(test.word, fields)
			if got != test.want || ok != (test.want != "") {
				t.Errorf("Match(%q) = %q, %v; want %q", test.word, got, ok, test.want)
			}
		})
	}
}

func TestHint(t *testing.T) {
	for _, test := range []struct {
		word       string
		candidates []string
		want       string
	}{
		{"tunde", []string{"default", "tuned"}, "; did you mean tuned?"},
		{"fast", []string{"default", "tuned"}, "; the profiles are default, tuned"},
		{"fast", nil, "; there are no profiles"},
	} {
		if got := Hint(test.word, "profiles", test.candidates); got != test.want {
			t.Errorf("Hint(%q) = %q, want %q", test.word, got, test.want)
		}
	}
}
