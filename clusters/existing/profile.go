package existing

import (
	"errors"
	"fmt"

	"github.com/podburst/podburst/clusters"
)

// CheckProfile implements clusters.Adopter. Only three fields of a profile can
// be checked against a cluster that someone else configures: kubeAPIQPS and
// kubeAPIBurst (against /configz; if that cannot be read, they count as not
// met) and kubernetesVersion. Every other field that is set is refused, because
// nothing would enforce it.
func (p *Provider) CheckProfile(profile clusters.Profile) error {
	if err := profile.Validate(); err != nil {
		return err
	}
	spec := profile.Spec
	var errs []error
	refuse := func(field string, set bool) {
		if set {
			errs = append(errs, fmt.Errorf("%s: the existing provider configures nothing and cannot check this field; remove it", field))
		}
	}
	refuse("spec.nodeImage", spec.NodeImage != "")
	refuse("spec.topology", spec.Topology != clusters.Topology{})
	refuse("spec.featureGates", len(spec.FeatureGates) > 0)
	refuse("spec.kind", len(spec.Kind.KubeadmConfigPatches) > 0)
	refuse("spec.hollowRuntime", spec.HollowRuntime != clusters.HollowRuntime{})
	refuse("spec.kubelet.maxPods", spec.Kubelet.MaxPods != nil)
	refuse("spec.kubelet.serializeImagePulls", spec.Kubelet.SerializeImagePulls != nil)
	refuse("spec.kubelet.maxParallelImagePulls", spec.Kubelet.MaxParallelImagePulls != nil)
	for _, c := range clusters.Configurable() {
		set, _ := spec.Component(c)
		refuse(c.Setting()+".verbosity", set.Verbosity != nil)
		refuse(c.Setting()+".extraArgs", len(set.ExtraArgs) > 0)
	}
	return errors.Join(errs...)
}
