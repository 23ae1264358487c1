package clusters

import (
	"fmt"
	"strconv"
)

// Mismatches compares what the profile asks for with what is in force. It
// returns a sentence for each difference, with component, node, field, the
// value asked for and the value in force. If the profile sets anything for an
// instance that could not be read back, that is a mismatch; so is a configured
// component without any instance in the cluster. What a profile leaves unset
// matches anything.
func Mismatches(profile Profile, effective Effective, instances []Instance) []string {
	var found []string
	for _, component := range Configurable() {
		spec, _ := profile.Spec.Component(component)
		if spec.KubeAPIQPS == nil && spec.KubeAPIBurst == nil {
			continue
		}
		listed := false
		for _, instance := range instances {
			if instance.Component != component {
				continue
			}
			listed = true
			limits, read := effective[instance.String()]
			found = append(found, spec.mismatches(instance, limits, read)...)
		}
		if !listed {
			found = append(found, fmt.Sprintf("%s: the profile sets its limits, but the cluster lists no such component", component))
		}
	}
	return found
}

func (s ComponentSpec) mismatches(instance Instance, inForce Limits, read bool) []string {
	where := string(instance.Component)
	if instance.Node != "" {
		where += " on " + instance.Node
	}
	var found []string
	differ := func(field, asked, got string) {
		if !read {
			found = append(found, fmt.Sprintf("%s: %s: asked for %s, could not be read back", where, field, asked))
			return
		}
		found = append(found, fmt.Sprintf("%s: %s: asked for %s, in force is %s (read from %s)", where, field, asked, got, inForce.Source))
	}
	// Components store the rate as a float32, so 0.1 comes back as 0.10000000149.
	if asked := s.KubeAPIQPS; asked != nil && (!read || float32(*asked) != float32(inForce.KubeAPIQPS)) {
		differ("kubeAPIQPS", plain(*asked), plain(inForce.KubeAPIQPS))
	}
	if asked := s.KubeAPIBurst; asked != nil && (!read || *asked != inForce.KubeAPIBurst) {
		differ("kubeAPIBurst", strconv.Itoa(*asked), strconv.Itoa(inForce.KubeAPIBurst))
	}
	return found
}

// plain prints a rate without an exponent.
func plain(rate float64) string { return strconv.FormatFloat(rate, 'f', -1, 64) }
