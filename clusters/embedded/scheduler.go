package embedded

import (
	"fmt"
	"os"

	"sigs.k8s.io/yaml"

	"github.com/podburst/podburst/clusters"
)

// schedulerConfiguration is kube-scheduler's configuration file: the fields that were
// asked for, and what its flags say otherwise.
func (s settings) schedulerConfiguration() ([]byte, error) {
	file := map[string]any{}
	if err := yaml.UnmarshalStrict([]byte(s.schedulerFields), &file); err != nil {
		return nil, fmt.Errorf("read the scheduler's configuration: %w; it must be a mapping (field: value)", err)
	}
	connection := map[string]any{"kubeconfig": s.layout.kubeconfig("scheduler")}
	limits := s.spec.KubeScheduler
	if limits.KubeAPIQPS != nil {
		connection["qps"] = *limits.KubeAPIQPS
	}
	if limits.KubeAPIBurst != nil {
		connection["burst"] = *limits.KubeAPIBurst
	}
	for field, value := range map[string]any{
		"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration",
		"clientConnection": connection, "leaderElection": map[string]any{"leaderElect": false},
	} {
		if _, set := file[field]; set {
			return nil, fmt.Errorf("read the scheduler's configuration: %s: the embedded provider sets this field itself; remove it", field)
		}
		file[field] = value
	}
	return yaml.Marshal(file)
}

// writeSchedulerConfiguration writes the file, if there is to be one.
func (s settings) writeSchedulerConfiguration() error {
	if s.schedulerFields == "" {
		return nil
	}
	text, err := s.schedulerConfiguration()
	if err == nil {
		err = os.WriteFile(s.layout.scheduler(), text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("write the configuration of %s: %w", clusters.KubeScheduler, err)
	}
	return nil
}
