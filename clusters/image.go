package clusters

import "context"

// Image is what the nodes (or the processes of the control plane) were made from. Two
// results are of the same program only if their images are the same. Empty fields are
// unknown.
type Image struct {
	// Name is the name of the node image, or of the control plane's file where there is no
	// image.
	Name string `json:"name"`
	// ID identifies the content: the container engine's ID of the image, or the file's
	// hash.
	ID string `json:"id"`
	// Digest is the image's name in a registry, as "kindest/node@sha256:…". Empty for an
	// image that was built locally.
	Digest string `json:"digest,omitempty"`
}

// ImageReader is implemented by a Cluster whose image can be told apart from others
// of the same name.
type ImageReader interface {
	// NodeImage reads it from what runs, not from what was asked for.
	NodeImage(ctx context.Context) (Image, error)
}
