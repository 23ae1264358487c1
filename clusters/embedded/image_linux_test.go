package embedded

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
)

func TestTheImageOfAnEmbeddedClusterIsItsBinarysContent(t *testing.T) {
	binary := fakeBinary(t, "exit 0")
	l, err := newStateDir(t.TempDir(), binary, clusters.Profile{}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	c := &Cluster{settings: settings{layout: l}}
	text, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("sha256:%x", sha256.Sum256(text))
	if got, err := c.NodeImage(t.Context()); err != nil || got.ID != want || !strings.HasSuffix(binary, "/"+got.Name) || got.Digest != "" {
		t.Errorf("%+v, %v; want %s", got, err, want)
	}
	if err := os.Remove(binary); err != nil {
		t.Fatal(err)
	}
	if _, err := c.NodeImage(t.Context()); err == nil {
		t.Error("a hash of nothing")
	}
}
