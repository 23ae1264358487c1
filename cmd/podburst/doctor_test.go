package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/verdict"
)

func TestDoctorFailsWithTheUsageCodeAndSaysWhy(t *testing.T) {
	for _, name := range []string{"KUBECONFIG", "KUBECONTEXT", "AUDIT_LOG", "IMAGE"} {
		t.Setenv(name, "")
	}
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	file := filepath.Join(t.TempDir(), "config")
	text := "apiVersion: v1\nkind: Config\ncurrent-context: staging\nclusters: [{name: c, cluster: {server: '" + server.URL + "'}}]\n" +
		"users: [{name: u, user: {token: s3cr3t}}]\ncontexts: [{name: staging, context: {cluster: c, user: u}}]\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"a cluster that does not answer": {[]string{"--provider", "existing", "--kubeconfig", file}, "FAIL  API server"},
		"a misspelled provider":          {[]string{"--provider", "exsting"}, "did you mean existing?"},
		"a misspelled context":           {[]string{"--provider", "existing", "--kubeconfig", file, "--context", "stagign"}, "did you mean staging?"},
		"a kubeconfig that is not there": {[]string{"--provider", "existing", "--kubeconfig", file + "x"}, "no such file"},
		"no pods":                        {[]string{"--provider", "existing", "--kubeconfig", file, "--pods", "0"}, "--pods 0"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := podburst(t, append([]string{"doctor"}, c.args...)...)
			if code != verdict.ExitUsage || !strings.Contains(out+errs, c.says) {
				t.Errorf("exit code %d, want %d and %q:\n%s%s", code, verdict.ExitUsage, c.says, out, errs)
			}
			if strings.Contains(out+errs, "s3cr3t") {
				t.Error("the output shows the token")
			}
		})
	}
}

func TestDoctorLooksAtThisMachine(t *testing.T) {
	_, out, errs := podburst(t, "doctor", "--provider", "embedded")
	for _, says := range []string{"control plane", "memory"} {
		if !strings.Contains(out, says) && !strings.Contains(out, "FAIL  system") {
			t.Errorf("the table lacks %q:\n%s%s", says, out, errs)
		}
	}
}

func TestRBACPrintsTheManifest(t *testing.T) {
	code, base, _ := podburst(t, "rbac")
	if code != 0 || !strings.Contains(base, "kind: ValidatingAdmissionPolicy") || strings.Contains(base, "resources: [nodes/proxy]") {
		t.Errorf("exit code %d:\n%s", code, base)
	}
	code, all, _ := podburst(t, "rbac", "--kubelets")
	if code != 0 || !strings.HasPrefix(all, base+"---\n") || !strings.Contains(all, "resources: [nodes/proxy]") {
		t.Errorf("exit code %d:\n%s", code, all)
	}
}
