package causes

import (
	"encoding/json"

	"github.com/podburst/podburst/framework/fingerprint"
	"github.com/podburst/podburst/framework/recording"
)

// processors are those of the machine that the run was recorded on; 0: not known.
func processors(run recording.Run) int {
	var e fingerprint.Environment
	if json.Unmarshal(run.Manifest.Environment, &e) != nil {
		return 0
	}
	return e.CPUs
}
