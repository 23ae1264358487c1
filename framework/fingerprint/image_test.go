package fingerprint

import (
	"errors"
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
)

func profile(nodeImage, id string) recording.Profile {
	p := recording.Profile{Name: "p", Spec: clusters.Profile{Spec: clusters.ProfileSpec{NodeImage: nodeImage}}}
	if id != "" {
		p.Image = &clusters.Image{Name: nodeImage, ID: id}
	}
	return p
}

func TestTheSameRequestMustHaveGivenTheSameImage(t *testing.T) {
	for name, c := range map[string]struct {
		a, b []recording.Profile
		says string
	}{
		"the same":                     {[]recording.Profile{profile("", "sha256:1")}, []recording.Profile{profile("", "sha256:1")}, ""},
		"another under one tag":        {[]recording.Profile{profile("kindest/node:v1", "sha256:1")}, []recording.Profile{profile("kindest/node:v1", "sha256:2")}, "node image (kindest/node:v1): sha256:1 and sha256:2"},
		"another by default":           {[]recording.Profile{profile("", "sha256:1")}, []recording.Profile{profile("", "sha256:2")}, "node image (by default): sha256:1 and sha256:2"},
		"another on purpose":           {[]recording.Profile{profile("kindest/node:v1", "sha256:1")}, []recording.Profile{profile("kindest/node:v2", "sha256:2")}, ""},
		"not known of one":             {[]recording.Profile{profile("", "")}, []recording.Profile{profile("", "sha256:2")}, ""},
		"a tag that was moved midways": {[]recording.Profile{profile("", "sha256:2"), profile("", "sha256:1")}, []recording.Profile{profile("", "sha256:1")}, "sha256:1+sha256:2 and sha256:1"},
	} {
		a, b := Origin{Provider: "kind", Images: ImagesOf(c.a)}, Origin{Provider: "kind", Images: ImagesOf(c.b)}
		err := CheckAlike(a, b, false)
		if c.says == "" && err != nil || c.says != "" && (!errors.Is(err, ErrUnlike) || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: error %v, want %q", name, err, c.says)
		}
		if err := CheckAlike(a, b, true); err != nil {
			t.Errorf("%s: forced, yet %v", name, err)
		}
	}
}
