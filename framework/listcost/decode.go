package listcost

import (
	"errors"
	"fmt"
	"io"
	"mime"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	restwatch "k8s.io/client-go/rest/watch"
)

// codecs decode every format in which pods are requested.
var codecs = newCodecs()

func newCodecs() serializer.CodecFactory {
	scheme := runtime.NewScheme()
	utilruntime.Must(corev1.AddToScheme(scheme))
	utilruntime.Must(metav1.AddMetaToScheme(scheme))
	return serializer.NewCodecFactory(scheme)
}

// page is one decoded answer of a list.
type page struct {
	items int
	// resume is the token for requesting the next page; empty at the end.
	resume string
}

// decodePage decodes an answer as a client does, and counts its items.
func decodePage(body []byte) (page, error) {
	object, _, err := codecs.UniversalDeserializer().Decode(body, nil, nil)
	if err != nil {
		return page{}, fmt.Errorf("decode an answer of %d bytes: %w", len(body), err)
	}
	switch list := object.(type) {
	case *corev1.PodList:
		return page{len(list.Items), list.Continue}, nil
	case *metav1.PartialObjectMetadataList:
		return page{len(list.Items), list.Continue}, nil
	case *metav1.Table:
		return page{len(list.Rows), list.Continue}, nil
	}
	return page{}, fmt.Errorf("decode an answer: it is a %T, not a list of pods", object)
}

// ContinueOf is an answer's token for the next page; empty for the last page and for
// anything that is not a list.
func ContinueOf(body []byte) string {
	p, err := decodePage(body)
	if err != nil {
		return ""
	}
	return p.resume
}

// decodeInitial reads a stream's events up to the bookmark that ends the initial
// ones, and returns how many initial events there were.
func decodeInitial(body io.ReadCloser, contentType string) (items int, err error) {
	mediaType, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return 0, fmt.Errorf("read stream: content type %q: %w", contentType, err)
	}
	info, ok := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), mediaType)
	if !ok || info.StreamSerializer == nil {
		return 0, fmt.Errorf("read stream: content type %q cannot be decoded as a stream", contentType)
	}
	frames := info.StreamSerializer.Framer.NewFrameReader(body)
	events := restwatch.NewDecoder(streaming.NewDecoder(frames, info.StreamSerializer), codecs.UniversalDeserializer())
	for {
		kind, object, err := events.Decode()
		switch {
		case errors.Is(err, io.EOF):
			return items, fmt.Errorf("read stream: it ended after %d objects, before the bookmark that ends the initial ones", items)
		case err != nil:
			return items, fmt.Errorf("read stream: %w", err)
		}
		switch kind {
		case watch.Added:
			items++
		case watch.Bookmark:
			pod, ok := object.(metav1.Object)
			if ok && pod.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true" {
				return items, nil
			}
		case watch.Error:
			return items, fmt.Errorf("read stream: %w", apierrors.FromObject(object))
		}
	}
}
