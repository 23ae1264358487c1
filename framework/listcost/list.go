package listcost

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/podburst/podburst/framework/watch"
)

// listTimeout bounds one try: a server that does not know sendInitialEvents never
// sends the bookmark.
const listTimeout = time.Minute

// maxRefusal bounds how much of a refusal is read, in bytes.
const maxRefusal = 64 << 10

// lister lists the pods of a namespace with plain requests, so that nothing is sent
// but what a strategy says, and nothing is retried.
type lister struct {
	client    *http.Client
	pods      *url.URL
	namespace string
	meter     *Meter
	plan      Plan
	now       func() time.Time
	slow      time.Duration
}

// newLister makes a client with its own connection.
func newLister(config *rest.Config, namespace string, plan Plan, now func() time.Time) (*lister, error) {
	if config.QPS >= 0 || config.RateLimiter != nil {
		return nil, fmt.Errorf("list pods of %s: the client has a limiter: set QPS to -1, for a list that waits for itself is not the server's", config.Host)
	}
	config = rest.CopyConfig(config)
	config.UserAgent = watch.UserAgent()
	meter := NewMeter(now)
	meter.Attach(config)
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("list pods of %s: make a client: %w", config.Host, err)
	}
	base, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, fmt.Errorf("list pods of %s: %w", config.Host, err)
	}
	return &lister{
		client: client, pods: base.JoinPath("api", "v1", "namespaces", namespace, "pods"), namespace: namespace,
		meter: meter, plan: plan, now: now, slow: SlowList,
	}, nil
}

// list tries the strategy once. If something goes wrong, it is the sample's Error.
func (l *lister) list(ctx context.Context, s Strategy, round int) ListSample {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	l.meter.Reset()
	sample := ListSample{Strategy: s.Name, Round: round}
	steps := newSteps(l.now, l.slow, s.Name, l.namespace)
	began := l.now()
	var decoding time.Duration
	var err error
	if s.Streaming {
		sample.Pages, err = l.stream(ctx, s, steps)
	} else {
		sample.Pages, decoding, err = l.page(ctx, s, steps)
	}
	sample.Seconds, sample.DecodeSeconds = l.now().Sub(began).Seconds(), decoding.Seconds()
	sample.Steps = steps.slowSteps()
	for i, r := range l.meter.Requests() {
		sample.Bytes += r.Bytes
		sample.WireBytes += r.WireBytes
		sample.Requests = append(sample.Requests, stable(r.Query))
		if r.AuditID != "" {
			sample.AuditIDs = append(sample.AuditIDs, r.AuditID)
		}
		if i == 0 && !r.FirstByte.IsZero() {
			sample.FirstByteSeconds = r.FirstByte.Sub(r.Sent).Seconds()
		}
	}
	if err != nil {
		sample.Error, sample.Unserved = err.Error(), errors.As(err, new(unservedError))
	}
	return sample
}

// unservedError says that the server refuses the parameters, not the list.
type unservedError struct{ error }

// get sends one request; an answer that is not 200 is an error that says why.
func (l *lister) get(ctx context.Context, s Strategy, resume string) (*http.Response, error) {
	target := *l.pods
	target.RawQuery = s.Query(l.plan, resume).Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("list pods: %w", err)
	}
	request.Header.Set("Accept", s.accept)
	response, err := l.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("list pods: %w", err)
	}
	if response.StatusCode == http.StatusOK {
		return response, nil
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(response.Body, maxRefusal))
	why := fmt.Errorf("list pods: %s", response.Status)
	if object, _, err := codecs.UniversalDeserializer().Decode(body, nil, nil); err == nil {
		if status, ok := object.(*metav1.Status); ok {
			why = fmt.Errorf("list pods: %w", apierrors.FromObject(status))
		}
	}
	switch response.StatusCode {
	case http.StatusBadRequest, http.StatusNotAcceptable, http.StatusUnprocessableEntity:
		why = unservedError{why}
	}
	return nil, why
}

func (l *lister) page(ctx context.Context, s Strategy, steps *steps) (pages []int, decoding time.Duration, err error) {
	resume := ""
	for {
		response, err := l.get(ctx, s, resume)
		if err != nil {
			return pages, decoding, err
		}
		steps.step("answered")
		body, err := io.ReadAll(response.Body)
		_ = response.Body.Close() // only read
		if err != nil {
			return pages, decoding, fmt.Errorf("list pods: read the answer: %w", err)
		}
		steps.step("read")
		began := l.now()
		p, err := decodePage(body)
		decoding += l.now().Sub(began)
		if err != nil {
			return pages, decoding, err
		}
		steps.step("decoded")
		pages = append(pages, p.items)
		if p.resume == "" {
			return pages, decoding, nil
		}
		resume = p.resume
	}
}

func (l *lister) stream(ctx context.Context, s Strategy, steps *steps) ([]int, error) {
	response, err := l.get(ctx, s, "")
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	steps.step("answered")
	items, err := decodeInitial(response.Body, response.Header.Get("Content-Type"))
	steps.step("read and decoded")
	return []int{items}, err
}
