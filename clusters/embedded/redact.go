package embedded

import (
	"bytes"
	"regexp"
)

// Secrets that a log may contain by accident and that must not leave the
// machine: bearer tokens, JSON web tokens (service account tokens among them),
// PEM keys, and values named as secrets.
var secrets = []struct {
	pattern *regexp.Regexp
	with    []byte
}{
	{regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(-----END [A-Z ]*PRIVATE KEY-----)?`), []byte("[redacted key]")},
	{regexp.MustCompile(`eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.?[A-Za-z0-9_-]*`), []byte("[redacted token]")},
	{regexp.MustCompile(`(?i)\b(bearer\s+)[A-Za-z0-9._~+/=-]{8,}`), []byte("${1}[redacted]")},
	{regexp.MustCompile(`(?i)\b((?:client-key-data|password|passwd|secret|token)["']?\s*[:=]\s*["']?)[^\s"',}]{8,}`), []byte("${1}[redacted]")},
}

// redact removes secrets from text.
func redact(text []byte) []byte {
	for _, secret := range secrets {
		if secret.pattern.Match(text) {
			text = secret.pattern.ReplaceAll(text, secret.with)
		}
	}
	return bytes.ToValidUTF8(text, []byte("?"))
}
