package builder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/podburst/podburst/internal/command"
)

// recipe is everything that determines the binary's bytes.
type recipe struct {
	version string
	ldflags string
	key     string
}

// goSettings are the go command's variables that change the binary even if the
// sources are the same and CGO_ENABLED=0.
var goSettings = []string{"GOVERSION", "GOOS", "GOARCH", "GOAMD64", "GOARM64", "GOEXPERIMENT", "GOFIPS140"}

// readRecipe hashes the module's sources and the toolchain. It compiles nothing.
func readRecipe(ctx context.Context, o Options) (recipe, error) {
	gomod, err := os.ReadFile(filepath.Join(o.SourceDir, "go.mod"))
	if err != nil {
		return recipe{}, fmt.Errorf("read the control plane's sources: %w", err)
	}
	version, err := KubernetesVersion(gomod)
	if err != nil {
		return recipe{}, err
	}
	ldflags := VersionFlags(version)
	settings, err := readGoSettings(ctx, o)
	if err != nil {
		return recipe{}, err
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "ldflags %s\n", ldflags)
	for _, name := range goSettings {
		fmt.Fprintf(hash, "%s %s\n", name, settings[name])
	}
	if err := Hash(hash, os.DirFS(o.SourceDir), IsSource); err != nil {
		return recipe{}, fmt.Errorf("read the control plane's sources: %w", err)
	}
	return recipe{version: version, ldflags: ldflags, key: hex.EncodeToString(hash.Sum(nil))[:20]}, nil
}

func readGoSettings(ctx context.Context, o Options) (map[string]string, error) {
	text, err := o.Run.Output(ctx, command.Command{
		Dir:     o.SourceDir,
		Environ: o.buildEnviron(),
		Args:    append([]string{o.GoTool, "env", "-json"}, goSettings...),
	})
	if err != nil {
		return nil, explain("ask the go command for its settings", err)
	}
	settings := map[string]string{}
	if err := json.Unmarshal([]byte(text), &settings); err != nil {
		return nil, fmt.Errorf("ask the go command for its settings: %w", err)
	}
	return settings, nil
}
