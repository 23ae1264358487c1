package fingerprint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/podburst/podburst/framework/recording"
)

// Images maps what was asked for (a node image, a Kubernetes version, or "" for
// neither) to the image that a run's clusters were made from. Profiles that ask for
// different ones are compared on purpose; the same request must give the same image.
type Images map[string]string

// ImagesOf identifies the images of a run's profiles by their content. Unknown images
// are left out.
func ImagesOf(profiles []recording.Profile) Images {
	all := map[string][]string{}
	for i := range profiles {
		p := &profiles[i]
		if p.Image == nil || p.Image.ID == "" {
			continue
		}
		spec := p.Spec.Spec
		asked := strings.TrimSpace(spec.NodeImage + " " + spec.KubernetesVersion)
		if !slices.Contains(all[asked], p.Image.ID) {
			all[asked] = append(all[asked], p.Image.ID)
		}
	}
	images := Images{}
	for asked, ids := range all {
		// A tag that was moved during the run stands for several images.
		slices.Sort(ids)
		images[asked] = strings.Join(ids, "+")
	}
	return images
}

// differences names the requests for which two runs got different images.
func (a Images) differences(b Images) []string {
	var differ []string
	for _, asked := range slices.Sorted(maps.Keys(a)) {
		if other, known := b[asked]; known && other != a[asked] {
			what := asked
			if what == "" {
				what = "by default"
			}
			differ = append(differ, fmt.Sprintf("node image (%s): %s and %s", what, a[asked], other))
		}
	}
	return differ
}
