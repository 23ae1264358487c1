package fakeruntime

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"
	"time"

	cri "k8s.io/cri-api/pkg/apis"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

const (
	// imageBytes is the size of every image: not zero, because the kubelet
	// takes an image of no size for one that is not there.
	imageBytes = 1 << 20
	// imageMountpoint is the file system that images and writable layers claim
	// to be on.
	imageMountpoint = "/"
)

// Images is a node's image store. Unless pulls take time, every image is present,
// so that no pod waits for one; otherwise an image is there once it was pulled.
// It lists none: there is nothing in it that the kubelet could have to clean up.
type Images struct {
	latency time.Duration

	mu sync.Mutex
	// pulled are the IDs of images that were pulled.
	pulled map[string]bool
}

var _ cri.ImageManagerService = (*Images)(nil)

// NewImages returns the store of a node that has pulled nothing yet.
func NewImages(options Options) *Images {
	return &Images{latency: options.ImagePullLatency, pulled: map[string]bool{}}
}

// imageID is an image's digest: the same for each use of the same name. The
// kubelet creates containers by the digest that it was told.
func imageID(image *runtimeapi.ImageSpec) string {
	const algorithm = "sha256:"
	if strings.HasPrefix(image.GetImage(), algorithm) {
		return image.GetImage()
	}
	digest := sha256.Sum256([]byte(image.GetImage()))
	return algorithm + hex.EncodeToString(digest[:])
}

// imageSpec names a container's image as its pod does.
func imageSpec(image *runtimeapi.ImageSpec) *runtimeapi.ImageSpec {
	name := image.GetUserSpecifiedImage()
	if name == "" {
		name = image.GetImage()
	}
	return &runtimeapi.ImageSpec{Image: name, UserSpecifiedImage: name}
}

// ListImages implements cri.ImageManagerService.
func (*Images) ListImages(context.Context, *runtimeapi.ImageFilter) ([]*runtimeapi.Image, error) {
	return nil, nil
}

// ImageStatus implements cri.ImageManagerService. An answer without an image says
// that it is not present.
func (i *Images) ImageStatus(_ context.Context, image *runtimeapi.ImageSpec, _ bool) (*runtimeapi.ImageStatusResponse, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.latency > 0 && !i.pulled[imageID(image)] {
		return &runtimeapi.ImageStatusResponse{}, nil
	}
	return &runtimeapi.ImageStatusResponse{Image: &runtimeapi.Image{
		Id:       imageID(image),
		RepoTags: []string{image.GetImage()},
		Size:     imageBytes,
		Spec:     image,
	}}, nil
}

// PullImage implements cri.ImageManagerService. It takes its latency each time, as
// asking a registry does for an image that is there. How many pulls run at once is
// for the kubelet to decide.
func (i *Images) PullImage(ctx context.Context, image *runtimeapi.ImageSpec, _ *runtimeapi.AuthConfig, _ *runtimeapi.PodSandboxConfig) (string, error) {
	if err := sleep(ctx, i.latency); err != nil {
		return "", contextStatus("pull image", err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.pulled[imageID(image)] = true
	return imageID(image), nil
}

// RemoveImage implements cri.ImageManagerService.
func (*Images) RemoveImage(context.Context, *runtimeapi.ImageSpec) error { return nil }

// ImageFsInfo implements cri.ImageManagerService: an empty file system.
func (*Images) ImageFsInfo(context.Context) (*runtimeapi.ImageFsInfoResponse, error) {
	usage := []*runtimeapi.FilesystemUsage{{
		Timestamp:  time.Now().UnixNano(),
		FsId:       &runtimeapi.FilesystemIdentifier{Mountpoint: imageMountpoint},
		UsedBytes:  &runtimeapi.UInt64Value{},
		InodesUsed: &runtimeapi.UInt64Value{},
	}}
	return &runtimeapi.ImageFsInfoResponse{ImageFilesystems: usage, ContainerFilesystems: usage}, nil
}

// Close implements cri.ImageManagerService.
func (*Images) Close(context.Context) error { return nil }
