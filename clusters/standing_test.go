package clusters

import (
	"context"
	"errors"
	"strings"
	"testing"
)

type starter struct{}

func (starter) Name() string                                     { return "starter" }
func (starter) Create(context.Context, Profile) (Cluster, error) { return nil, errors.ErrUnsupported }

type adopter struct{ starter }

func (adopter) CheckProfile(p Profile) error {
	if p.Spec.NodeImage != "" {
		return errors.New("cannot set an image")
	}
	return nil
}

func named(name string) Profile { return Profile{Metadata: Metadata{Name: name}} }

func TestWhatIsPlannedMustBePossibleWithTheProvider(t *testing.T) {
	image := named("image")
	image.Spec.NodeImage = "x"
	for name, c := range map[string]struct {
		provider Provider
		profiles []Profile
		pods     int
		fails    string
	}{
		"no profile":                               {starter{}, nil, 1, "no profile"},
		"two profiles, two clusters":               {starter{}, []Profile{named("a"), named("b")}, 220, ""},
		"more pods than the planned nodes hold":    {starter{}, []Profile{named("a")}, 221, "do not fit"},
		"one profile of a cluster that stands":     {adopter{}, []Profile{named("a")}, 5000, ""}, // its size is known only at Create
		"two profiles of one cluster":              {adopter{}, []Profile{named("a"), named("b")}, 1, "one cluster as it is"},
		"no pods":                                  {adopter{}, []Profile{named("a")}, 0, "at least 1"},
		"a profile that sets what cannot be set":   {adopter{}, []Profile{image}, 1, `profile "image": cannot set an image`},
		"two faults, both of which are to be told": {adopter{}, []Profile{image, named("b")}, 1, "cannot set an image\n2 profiles"},
	} {
		t.Run(name, func(t *testing.T) {
			err := CheckPlan(c.provider, c.profiles, c.pods)
			if c.fails == "" && err != nil || c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)) {
				t.Errorf("error %v, want %q", err, c.fails)
			}
		})
	}
}
