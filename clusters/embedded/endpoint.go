package embedded

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// endpoint reads from the components' own servers.
type endpoint struct {
	client *http.Client
}

// newEndpoint makes a client that talks to loopback directly, ignoring any
// proxy in the environment.
func newEndpoint(config *tls.Config) endpoint {
	return endpoint{client: &http.Client{Transport: &http.Transport{
		TLSClientConfig:     config,
		DialContext:         (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
		MaxIdleConnsPerHost: 4,
		IdleConnTimeout:     30 * time.Second,
		ForceAttemptHTTP2:   true,
	}}}
}

// get returns the body of a 200 answer.
func (e endpoint) get(ctx context.Context, port int, path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address(port)+path, nil)
	if err != nil {
		return nil, fmt.Errorf("get %s: %w", path, err)
	}
	response, err := e.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("get %s: %w", path, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("get %s: %w", path, err)
	}
	if response.StatusCode != http.StatusOK {
		const enough = 300
		return nil, fmt.Errorf("get %s: %s: %s", path, response.Status, body[:min(len(body), enough)])
	}
	return body, nil
}

func (e endpoint) close() { e.client.CloseIdleConnections() }
