package embedded

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"
)

// lifetime is how long a cluster's certificates are valid; no cluster lives longer.
const lifetime = 7 * 24 * time.Hour

// authority signs a cluster's certificates. Its key never leaves the process.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pem         []byte
	now         time.Time
}

// pair is a certificate and its key, PEM-encoded.
type pair struct {
	certificate, key []byte
}

func newAuthority(name string, now time.Time) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make the authority %q: %w", name, err)
	}
	template, err := newTemplate(pkix.Name{CommonName: name}, now)
	if err != nil {
		return nil, fmt.Errorf("make the authority %q: %w", name, err)
	}
	template.IsCA = true
	template.BasicConstraintsValid = true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("make the authority %q: %w", name, err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("make the authority %q: %w", name, err)
	}
	return &authority{certificate: certificate, key: key, pem: encode("CERTIFICATE", der), now: now}, nil
}

// client issues a client certificate for user, a member of groups.
func (a *authority) client(user string, groups ...string) (pair, error) {
	return a.issue(pkix.Name{CommonName: user, Organization: groups}, []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}, nil)
}

// server issues a certificate for a server on loopback and any further names.
func (a *authority) server(name string, names ...string) (pair, error) {
	return a.issue(pkix.Name{CommonName: name}, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, names)
}

// peer issues a certificate for both client and server, as etcd members need.
func (a *authority) peer(name string) (pair, error) {
	return a.issue(pkix.Name{CommonName: name}, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}, nil)
}

func (a *authority) issue(subject pkix.Name, usage []x509.ExtKeyUsage, names []string) (pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return pair{}, fmt.Errorf("issue the certificate of %q: %w", subject.CommonName, err)
	}
	template, err := newTemplate(subject, a.now)
	if err != nil {
		return pair{}, fmt.Errorf("issue the certificate of %q: %w", subject.CommonName, err)
	}
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = usage
	if usage[0] == x509.ExtKeyUsageServerAuth {
		template.DNSNames = []string{"localhost"}
		template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
		for _, name := range names {
			if ip := net.ParseIP(name); ip != nil {
				template.IPAddresses = append(template.IPAddresses, ip)
			} else {
				template.DNSNames = append(template.DNSNames, name)
			}
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, key.Public(), a.key)
	if err != nil {
		return pair{}, fmt.Errorf("issue the certificate of %q: %w", subject.CommonName, err)
	}
	encoded, err := encodeKey(key)
	if err != nil {
		return pair{}, fmt.Errorf("issue the certificate of %q: %w", subject.CommonName, err)
	}
	return pair{certificate: encode("CERTIFICATE", der), key: encoded}, nil
}

func newTemplate(subject pkix.Name, now time.Time) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	return &x509.Certificate{
		SerialNumber: serial,
		Subject:      subject,
		// An hour ago, in case the clock is set while the cluster starts.
		NotBefore: now.Add(-time.Hour),
		NotAfter:  now.Add(lifetime),
	}, nil
}

// newSigningKey makes the key pair for service account tokens.
func newSigningKey() (private, public []byte, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, fmt.Errorf("make the token key: %w", err)
	}
	if private, err = encodeKey(key); err != nil {
		return nil, nil, fmt.Errorf("make the token key: %w", err)
	}
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return nil, nil, fmt.Errorf("make the token key: %w", err)
	}
	return private, encode("PUBLIC KEY", der), nil
}

func encodeKey(key *ecdsa.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return encode("EC PRIVATE KEY", der), nil
}

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// clientTLS is the configuration of a client that trusts only the authority and
// presents the pair.
func clientTLS(authorityPEM []byte, credentials pair) (*tls.Config, error) {
	certificate, err := tls.X509KeyPair(credentials.certificate, credentials.key)
	if err != nil {
		return nil, fmt.Errorf("use the client certificate: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(authorityPEM) {
		return nil, fmt.Errorf("use the authority's certificate: it holds none")
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots, Certificates: []tls.Certificate{certificate}}, nil
}
