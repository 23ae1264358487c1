package embedded

import (
	"strings"
	"testing"
)

func TestRedact(t *testing.T) {
	for _, row := range []struct{ name, text, secret string }{
		{"bearer token", "Authorization: Bearer abcdef0123456789", "abcdef0123456789"},
		{"service account token", "got eyJhbGciOiJSUzI1NiIsImtpZCI6IiJ9.eyJpc3MiOiJrdWJlIn0.c2lnbmF0dXJl here", "eyJpc3MiOiJrdWJlIn0"},
		{"key", "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----", "MHcCAQEE"},
		{"key in a kubeconfig", "client-key-data: LS0tLS1CRUdJTiBF", "LS0tLS1CRUdJTiBF"},
		{"field named token", `"token":"abcdef0123456789"`, "abcdef0123456789"},
	} {
		if got := string(redact([]byte(row.text))); strings.Contains(got, row.secret) {
			t.Errorf("%s: %q", row.name, got)
		}
	}
	for _, harmless := range []string{
		`"Successfully bound pod to node" pod="ns/name" node="worker-1"`,
		`FLAG: --service-account-key-file="[/state/pki/sa.pub]"`,
		`"Waited before sending request" delay="1.01s" reason="client-side throttling" verb="POST" URL="https://127.0.0.1:1/api/v1/namespaces/x/serviceaccounts/default/token"`,
	} {
		if got := string(redact([]byte(harmless))); got != harmless {
			t.Errorf("redacted without need: %q", got)
		}
	}
}
