package multicall

import (
	"context"
	"slices"
	"strings"
	"testing"
)

func TestTheProgramIsTheLinksNameOrElseTheFirstArgument(t *testing.T) {
	for _, test := range []struct {
		name     string
		args     []string
		wantArgs []string // nil: an error
	}{
		{"a link", []string{"kube-scheduler", "--v=2"}, []string{"kube-scheduler", "--v=2"}},
		{"a link with a path", []string{"/usr/bin/etcd", "--help"}, []string{"etcd", "--help"}},
		{"the first argument", []string{"./controlplane", "etcd", "--help"}, []string{"etcd", "--help"}},
		{"a link goes before the first argument", []string{"etcd", "kube-scheduler"}, []string{"etcd", "kube-scheduler"}},
		{"an unknown name", []string{"controlplane", "kube-sheduler"}, nil},
		{"a flag instead of a name", []string{"controlplane", "--help"}, nil},
		{"no name", []string{"controlplane"}, nil},
		{"no arguments at all", nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var ran, set []string
			run := func(_ context.Context, args []string) int { ran = args; return 7 }
			programs := []Program{{Name: "etcd", Run: run}, {Name: "kube-scheduler", Run: run}}
			var stderr strings.Builder
			code := Main(t.Context(), programs, test.args, func(args []string) { set = args }, &stderr)
			if test.wantArgs == nil {
				if code != UsageExitCode || ran != nil {
					t.Errorf("exit code %d, ran with %v; want %d and nothing run", code, ran, UsageExitCode)
				}
				if !strings.Contains(stderr.String(), "etcd, kube-scheduler") {
					t.Errorf("the error does not say what there is: %q", stderr.String())
				}
				return
			}
			if code != 7 || !slices.Equal(ran, test.wantArgs) || !slices.Equal(set, test.wantArgs) {
				t.Errorf("exit code %d, ran with %v after setting %v; want 7 and %v", code, ran, set, test.wantArgs)
			}
		})
	}
}
