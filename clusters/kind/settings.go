package kind

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/podburst/podburst/clusters"
)

// DroppedSettings reads back what a profile asks for besides the client limits
// (for those see clusters.Mismatches), and returns a sentence for each setting
// that is not in force: kind and kubeadm silently drop a patch that they do not
// understand.
func (c *Cluster) DroppedSettings(ctx context.Context) ([]string, error) {
	var dropped []string
	var errs []error
	for _, instance := range c.Instances() {
		found, err := c.droppedBy(ctx, instance)
		if err != nil {
			errs = append(errs, fmt.Errorf("read back the settings of %s: %w", instance, err))
		}
		dropped = append(dropped, found...)
	}
	return dropped, errors.Join(errs...)
}

func (c *Cluster) droppedBy(ctx context.Context, instance clusters.Instance) ([]string, error) {
	wanted := c.wantedFlags(instance.Component)
	if len(wanted) == 0 {
		return nil, nil
	}
	node, err := c.nodeOf(instance)
	if err != nil {
		return nil, err
	}
	running, err := c.processesOn(ctx, node)
	if err != nil {
		return nil, err
	}
	process, ok := running[instance.Component]
	if !ok {
		return nil, errors.New("it does not run")
	}
	dropped := differences(instance, wanted, process.args)
	if instance.Component != clusters.Kubelet {
		return dropped, nil
	}
	text, err := c.ask(ctx, instance, "/configz")
	if err != nil {
		return dropped, err
	}
	more, err := c.kubeletDifferences(instance, text)
	return append(dropped, more...), err
}

// wantedFlags are the flags that a component must run with.
func (c *Cluster) wantedFlags(component clusters.Component) map[string]string {
	switch component {
	case clusters.KubeAPIServer:
		args := c.plan.clusterConfiguration()["apiServer"].(object)["extraArgs"].(map[string]string)
		return args
	case clusters.Kubelet:
		return c.plan.nodeRegistration()["kubeletExtraArgs"].(map[string]string)
	case clusters.KubeControllerManager, clusters.KubeScheduler:
		spec, _ := c.plan.profile.Spec.Component(component)
		args := arguments(spec)
		if gates := c.plan.profile.Spec.FeatureGatesFlag(); gates != "" && args["feature-gates"] == "" {
			args["feature-gates"] = gates
		}
		return args
	}
	return nil
}

// differences compares the wanted flags with a process's arguments.
func differences(instance clusters.Instance, wanted map[string]string, args []string) []string {
	var found []string
	for _, name := range sortedKeys(wanted) {
		got, ok := clusters.Argument(args, name)
		switch {
		case name == "feature-gates" && ok && sameGates(wanted[name], got):
		case !ok:
			found = append(found, fmt.Sprintf("%s: --%s: asked for %s, the running process has no such argument", instance, name, wanted[name]))
		case got != wanted[name] && name != "feature-gates" || name == "feature-gates":
			found = append(found, fmt.Sprintf("%s: --%s: asked for %s, the running process has %s", instance, name, wanted[name], got))
		}
	}
	return found
}

// kubeletDifferences compares the fields that the kubelet takes from its
// configuration file with /configz.
func (c *Cluster) kubeletDifferences(instance clusters.Instance, text []byte) ([]string, error) {
	var configz map[string]map[string]any
	if err := json.Unmarshal(text, &configz); err != nil {
		return nil, fmt.Errorf("parse /configz: %w", err)
	}
	wanted := c.plan.kubeletConfiguration()
	// Client limits are checked elsewhere.
	for _, name := range []string{"kind", "kubeAPIQPS", "kubeAPIBurst", "featureGates"} {
		delete(wanted, name)
	}
	var found []string
	for _, name := range sortedKeys(wanted) {
		asked, got := fmt.Sprint(wanted[name]), "nothing"
		for _, config := range configz {
			if value, ok := config[name]; ok {
				got = fmt.Sprint(value)
			}
		}
		if asked != got {
			found = append(found, fmt.Sprintf("%s: %s: asked for %s, in force is %s (read from configz)", instance, name, asked, got))
		}
	}
	gates := map[string]any{}
	for _, config := range configz {
		gates, _ = config["featureGates"].(map[string]any)
	}
	for _, name := range sortedKeys(c.plan.profile.Spec.FeatureGates) {
		asked := strconv.FormatBool(c.plan.profile.Spec.FeatureGates[name])
		if got := fmt.Sprint(gates[name]); got != asked {
			found = append(found, fmt.Sprintf("%s: feature gate %s: asked for %s, in force is %s (read from configz)", instance, name, asked, got))
		}
	}
	return found, nil
}
