package embedded

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func testAuthority(t *testing.T) *authority {
	t.Helper()
	a, err := newAuthority("test", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func issuedPair(t *testing.T) func(pair, error) pair {
	return func(p pair, err error) pair {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
}

// testServer requires client certificates from the authority.
func testServer(t *testing.T, a *authority) *httptest.Server {
	t.Helper()
	certificate := issuedPair(t)(a.server("server", "extra.test", "10.96.0.1"))
	config, err := clientTLS(a.pem, certificate)
	if err != nil {
		t.Fatal(err)
	}
	config.ClientCAs, config.ClientAuth = config.RootCAs, tls.RequireAndVerifyClientCert
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.TLS = config
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // It would log each refusal.
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

func TestCertificatesServeAndProveOnLoopback(t *testing.T) {
	a, stranger := testAuthority(t), testAuthority(t)
	server := testServer(t, a)
	for _, row := range []struct {
		name    string
		trusts  *authority
		shows   pair
		refused bool
	}{
		{"client of the authority", a, issuedPair(t)(a.client("admin", "system:masters")), false},
		{"peer of the authority", a, issuedPair(t)(a.peer("peer")), false},
		{"server's certificate shown by a client", a, issuedPair(t)(a.server("server")), true},
		{"client of a stranger", a, issuedPair(t)(stranger.client("admin", "system:masters")), true},
		{"client that trusts a stranger", stranger, issuedPair(t)(a.client("admin")), true},
	} {
		t.Run(row.name, func(t *testing.T) {
			config, err := clientTLS(row.trusts.pem, row.shows)
			if err != nil {
				t.Fatal(err)
			}
			client := &http.Client{Transport: &http.Transport{TLSClientConfig: config}}
			response, err := client.Get(server.URL)
			if err == nil {
				response.Body.Close()
			}
			if refused := err != nil; refused != row.refused {
				t.Errorf("error %v, want refused = %v", err, row.refused)
			}
		})
	}
}

func TestCertificatesSayWhoAndForHowLong(t *testing.T) {
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	a, err := newAuthority("test", now)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(issuedPair(t)(a.client("system:node:worker-1", "system:nodes")).certificate)
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	if certificate.Subject.CommonName != "system:node:worker-1" || len(certificate.Subject.Organization) != 1 || certificate.Subject.Organization[0] != "system:nodes" {
		t.Errorf("subject %v", certificate.Subject)
	}
	if certificate.IsCA || len(certificate.IPAddresses) != 0 {
		t.Error("a client's certificate can do more than prove who it is")
	}
	if !certificate.NotBefore.Before(now) || certificate.NotAfter.Sub(now) != lifetime {
		t.Errorf("valid from %s to %s", certificate.NotBefore, certificate.NotAfter)
	}
}
