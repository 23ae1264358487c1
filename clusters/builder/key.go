package builder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/podburst/podburst/internal/command"
)

// recipe is all that decides the bytes of the binary.
type recipe struct {
	version string
	ldflags string
	key     string
}

// goSettings are the variables of the go command that change a binary made from
// the same sources with CGO_ENABLED=0.
var goSettings = []string{"GOVERSION", "GOOS", "GOARCH", "GOAMD64", "GOARM64", "GOEXPERIMENT", "GOFIPS140"}

// readRecipe hashes the module's sources and the tool chain. It compiles nothing.
func readRecipe(ctx context.Context, o Options) (recipe, error) {
	gomod, err := os.ReadFile(filepath.Join(o.SourceDir, "go.mod"))
	if err != nil {
		return recipe{}, fmt.Errorf("read the control plane's sources: %w", err)
	}
	version, major, minor, err := kubernetesVersion(gomod)
	if err != nil {
		return recipe{}, err
	}
	// The first is what --version says, the second what user agents say; an empty
	// commit keeps the unstamped "$Format" out of them.
	ldflags := "-s -w"
	for _, in := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
		ldflags += fmt.Sprintf(" -X %[1]s.gitVersion=%[2]s -X %[1]s.gitMajor=%[3]s -X %[1]s.gitMinor=%[4]s -X %[1]s.gitCommit=", in, version, major, minor)
	}

	settings, err := readGoSettings(ctx, o)
	if err != nil {
		return recipe{}, err
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "ldflags %s\n", ldflags)
	for _, name := range goSettings {
		fmt.Fprintf(hash, "%s %s\n", name, settings[name])
	}
	if err := hashSources(hash, o.SourceDir); err != nil {
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

// hashSources adds each file that can change the binary, by name and content.
// Tests are left out, so that editing one costs no rebuild.
func hashSources(to io.Writer, dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path != dir && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		source := strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
		if !source && name != "go.mod" && name != "go.sum" {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(to, "%s %d %x\n", filepath.ToSlash(relative), len(content), sha256.Sum256(content))
		return err
	})
}
