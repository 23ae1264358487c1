package clusters

import (
	"encoding/json"
	"fmt"
)

// ParseConfigz reads the client limits in force from what a component serves at
// /configz. Names are matched without regard to case, which the controller
// manager's alpha type needs: it has no JSON names.
func ParseConfigz(component Component, text []byte) (Limits, error) {
	type connection struct {
		QPS   *float64
		Burst *int
	}
	type configuration struct {
		ClientConnection connection
		Generic          struct{ ClientConnection connection }
		KubeAPIQPS       *float64
		KubeAPIBurst     *int
	}
	// The key differs between components and versions, and is the only one.
	var configz map[string]configuration
	if err := json.Unmarshal(text, &configz); err != nil {
		return Limits{}, fmt.Errorf("parse /configz: %w", err)
	}
	for _, config := range configz {
		found := config.ClientConnection
		switch component {
		case KubeControllerManager:
			found = config.Generic.ClientConnection
		case Kubelet:
			found = connection{config.KubeAPIQPS, config.KubeAPIBurst}
		}
		if found.QPS != nil && found.Burst != nil {
			return Limits{KubeAPIQPS: *found.QPS, KubeAPIBurst: *found.Burst, Source: "configz"}, nil
		}
	}
	return Limits{}, fmt.Errorf("parse /configz: it holds no client limits of a %s", component)
}
