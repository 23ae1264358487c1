package testbed

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
)

// Describe records a live cluster: its versions, its nodes, and the settings in force
// in its components, read back. A difference from the cluster's profile is a problem
// in the record, not an error; only an API server that does not answer is an error.
func Describe(ctx context.Context, provider string, cluster clusters.Cluster, client kubernetes.Interface) (recording.Profile, error) {
	profile := cluster.Profile()
	record := recording.Profile{Name: profile.Metadata.Name, Provider: provider, Spec: profile, Nodes: cluster.WorkerNodes()}
	version, err := client.Discovery().ServerVersion()
	if err != nil {
		return record, fmt.Errorf("ask the API server for its version: %w", err)
	}
	record.KubernetesVersion, record.NodeInfo = version.GitVersion, nodeInfo(ctx, client)
	if reader, ok := cluster.(clusters.ImageReader); ok {
		// An image that cannot be read is not known.
		if image, err := reader.NodeImage(ctx); err == nil {
			record.Image = &image
		}
	}
	record.Effective, err = cluster.EffectiveConfig(ctx)
	switch {
	case errors.Is(err, clusters.ErrUnsupported):
		// It cannot be read here: whatever the profile states about it becomes a
		// mismatch below.
		record.EffectiveUnavailable = err.Error()
	case err != nil:
		record.Problems = append(record.Problems, recording.Problem{Code: recording.ProblemSettingsMismatch,
			Detail: fmt.Sprintf("settings could not be read back: %v", err)})
	}
	for _, m := range clusters.Mismatches(profile, record.Effective, cluster.Instances()) {
		record.Problems = append(record.Problems, recording.Problem{Code: recording.ProblemSettingsMismatch, Detail: m})
	}
	record.Problems = append(record.Problems, dropped(ctx, cluster)...)
	return record, nil
}

// dropped lists the settings, other than limits, that the profile asks for but that
// are not in force, if the provider can tell.
func dropped(ctx context.Context, cluster clusters.Cluster) (problems []recording.Problem) {
	reader, ok := cluster.(clusters.SettingsReader)
	if !ok {
		return nil
	}
	found, err := reader.DroppedSettings(ctx)
	if err != nil {
		found = append(found, fmt.Sprintf("settings could not be read back: %v", err))
	}
	for _, f := range found {
		problems = append(problems, recording.Problem{Code: recording.ProblemSettingsMismatch, Detail: f})
	}
	return problems
}
