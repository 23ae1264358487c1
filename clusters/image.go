package clusters

import "context"

// Image is what a cluster's nodes (or processes) were made from: two results are of
// the same program only if it is the same. Empty fields are unknown.
type Image struct {
	// Name is the node image's, or the file's of a control plane without one.
	Name string `json:"name"`
	// ID tells its content: "sha256:…", by which the container engine knows the
	// image, or which is the file's hash.
	ID string `json:"id"`
	// Digest is how a registry knows the image ("kindest/node@sha256:…"); empty for
	// one that was built here.
	Digest string `json:"digest,omitempty"`
}

// ImageReader is implemented by a Cluster whose image can be told apart from others
// of the same name.
type ImageReader interface {
	// NodeImage reads it from what runs, not from what was asked for.
	NodeImage(ctx context.Context) (Image, error)
}
