package kind

import (
	"errors"
	"fmt"
	"testing"

	"github.com/podburst/podburst/clusters"
)

func TestAnEngineThatDoesNotAnswerIsAnErrorOnlyWhereAClusterHasAFolder(t *testing.T) {
	down := fmt.Errorf("list: %w", ErrNoEngine)
	if list, err := withoutEngine(nil, down); err != nil || len(list) != 0 {
		t.Errorf("nothing is left: %v, %v", list, err)
	}
	// Its nodes may still run.
	if list, err := withoutEngine([]clusters.Leftover{{Cluster: "podburst-tuned"}}, down); !errors.Is(err, ErrNoEngine) || len(list) != 1 {
		t.Errorf("a folder is left: %v, %v", list, err)
	}
}
