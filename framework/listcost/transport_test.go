package listcost

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

// metered is a client that goes through a meter to a test server.
type metered struct {
	client *http.Client
	url    string
}

func (m metered) get(ctx context.Context, path string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, m.url+path, nil)
	if err != nil {
		return nil, err
	}
	return m.client.Do(request)
}

// server answers as the test says.
func server(t *testing.T, compressed bool, answer http.HandlerFunc) (*Meter, metered) {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	meter := NewMeter(nil)
	config := &rest.Config{Host: s.URL, QPS: -1, DisableCompression: !compressed}
	meter.Attach(config)
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdleConnections)
	return meter, metered{client, s.URL}
}

func read(t *testing.T, c metered, path string) string {
	t.Helper()
	response, err := c.get(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func only(t *testing.T, m *Meter) Request {
	t.Helper()
	all := m.Requests()
	if len(all) != 1 {
		t.Fatalf("%d requests were counted, want 1: %+v", len(all), all)
	}
	return all[0]
}

func TestBytesAreThoseThatAreReadAndNotThoseThatAreAnnounced(t *testing.T) {
	m, client := server(t, true, func(w http.ResponseWriter, _ *http.Request) {
		for range 3 { // chunked: there is no Content-Length
			_, _ = io.WriteString(w, "12345")
			w.(http.Flusher).Flush()
		}
	})
	if body := read(t, client, "/api/v1/namespaces/x/pods"); body != "123451234512345" {
		t.Errorf("the client read %q", body)
	}
	r := only(t, m)
	if r.Bytes != 15 || r.WireBytes != 15 || r.Open || r.Err != nil || r.Status != http.StatusOK || r.FirstByte.IsZero() || r.LastRead.Before(r.FirstByte) {
		t.Errorf("%+v", r)
	}
}

func TestCompressedBodiesAreCountedBeforeAndAfter(t *testing.T) {
	text := strings.Repeat("all pods are alike ", 1000)
	answer := func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "gzip" {
			_, _ = io.WriteString(w, text)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, text)
		_ = z.Close()
	}
	for name, compressed := range map[string]bool{"compressed": true, "not asked for": false} {
		m, client := server(t, compressed, answer)
		if body := read(t, client, "/api/v1/pods"); body != text {
			t.Errorf("%s: the client read %d bytes, want %d", name, len(body), len(text))
		}
		r := only(t, m)
		if r.Bytes != int64(len(text)) || compressed != (r.WireBytes < r.Bytes/10) || r.Err != nil {
			t.Errorf("%s: %d bytes, %d on the wire, %v", name, r.Bytes, r.WireBytes, r.Err)
		}
	}
}

func TestAWatchIsOpenUntilItEndsAndClosingItIsNoError(t *testing.T) {
	m, client := server(t, true, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "event\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	response, err := client.get(ctx, "/api/v1/pods?watch=true&timeoutSeconds=480&resourceVersion=77")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(response.Body, make([]byte, 6)); err != nil {
		t.Fatal(err)
	}
	r := only(t, m)
	if r.Verb != VerbWatch || !r.Open || r.Bytes != 6 || r.TimeoutSeconds != 480 || !r.Deadline {
		t.Errorf("while it watches: %+v", r)
	}
	_ = response.Body.Close()
	_, _ = response.Body.Read(make([]byte, 1))
	if r := only(t, m); r.Open || r.Err != nil {
		t.Errorf("after it was closed: %+v", r)
	}
}

func TestWhatBreaksOffOrIsRefusedIsAnError(t *testing.T) {
	m, client := server(t, true, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "nodes") {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "half")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	response, err := client.get(t.Context(), "/api/v1/pods")
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.ReadAll(response.Body)
	_ = response.Body.Close()
	if r := only(t, m); err == nil || r.Err == nil || r.Bytes != 4 {
		t.Errorf("read with %v, counted %+v", err, r)
	}
	m.Reset()
	read(t, client, "/api/v1/nodes")
	if r := only(t, m); r.Status != http.StatusTooManyRequests {
		t.Errorf("%+v", r)
	}
	if sum := Sum(m.Requests()); len(sum) != 1 || sum[0].Errors != 1 || sum[0].Resource != "nodes" {
		t.Errorf("%+v", sum)
	}
}

func TestAServerThatIsNotThereIsAnError(t *testing.T) {
	m := NewMeter(nil)
	refused := errors.New("connection refused")
	transport := &transport{meter: m, next: refusing{refused}}
	request := httptest.NewRequest(http.MethodGet, "/api/v1/pods", nil)
	response, err := transport.RoundTrip(request)
	if response != nil {
		_ = response.Body.Close()
	}
	if r := only(t, m); !errors.Is(err, refused) || !errors.Is(r.Err, refused) || r.Open {
		t.Errorf("%v, %+v", err, r)
	}
}

type refusing struct{ err error }

func (r refusing) RoundTrip(*http.Request) (*http.Response, error) { return nil, r.err }

func TestVerbsAndResources(t *testing.T) {
	for url, want := range map[string][2]string{
		"/api/v1/namespaces/x/pods?limit=5":                {VerbList, "pods"},
		"/api/v1/pods?watch=1":                             {VerbWatch, "pods"},
		"/api/v1/pods?watch=true&sendInitialEvents=true":   {VerbStreamingList, "pods"},
		"/api/v1/namespaces/x/pods/y":                      {"GET", "pods"},
		"/api/v1/namespaces/x":                             {"GET", "namespaces"},
		"/api/v1/namespaces":                               {VerbList, "namespaces"},
		"/apis/batch/v1/namespaces/x/jobs":                 {VerbList, "jobs"},
		"/api/v1/namespaces/x/pods?sendInitialEvents=true": {VerbList, "pods"},
		"/version": {"GET", ""},
		"/":        {"GET", ""},
		"/api/v1/namespaces/x/pods?timeoutSeconds=notanumber": {VerbList, "pods"},
	} {
		r := newRequest(httptest.NewRequest(http.MethodGet, url, nil), time.Now())
		if r.Verb != want[0] || r.Resource != want[1] {
			t.Errorf("%s is %s of %q, want %q", url, r.Verb, r.Resource, want)
		}
	}
	if r := newRequest(httptest.NewRequest(http.MethodPost, "/api/v1/namespaces/x/pods", nil), time.Now()); r.Verb != "POST" {
		t.Errorf("a POST is %s", r.Verb)
	}
}

func TestRequestsThatDifferInNothingButWhatIsDrawnAtRandomAreSummedUp(t *testing.T) {
	watch := func(timeout float64, version string) Request {
		return Request{Verb: VerbWatch, Resource: "pods", Query: "resourceVersion=" + version + "&timeout=8m&timeoutSeconds=480&watch=true",
			TimeoutSeconds: timeout, Status: 200, Bytes: 10, WireBytes: 4}
	}
	got := Sum([]Request{
		watch(480, "7"), watch(301, "9"),
		{Verb: VerbList, Resource: "pods", Query: "limit=500&resourceVersion=0", Status: 410},
		{Verb: VerbList, Resource: "pods", Query: "continue=abc&limit=500", Status: 200, Err: io.ErrUnexpectedEOF},
	})
	want := []RequestCount{
		{Verb: VerbList, Resource: "pods", Query: "continue=*&limit=500", Requests: 1, Errors: 1},
		{Verb: VerbList, Resource: "pods", Query: "limit=500&resourceVersion=0", Requests: 1, Errors: 1},
		{Verb: VerbWatch, Resource: "pods", Query: "resourceVersion=*&timeout=*&timeoutSeconds=*&watch=true", Requests: 2, Bytes: 20, WireBytes: 8,
			MinTimeoutSeconds: 301, MaxTimeoutSeconds: 480},
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
}
