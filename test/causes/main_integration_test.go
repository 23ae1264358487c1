//go:build integration

package causes

import (
	"flag"
	"os"
	"testing"
	"time"
)

var (
	labFlag    = flag.Bool("lab", false, "inject every cause into several bursts and print the table")
	seedFlag   = flag.Int64("seed", 0, "seed of the order; 0: by the clock")
	burstsFlag = flag.Int("bursts", 5, "bursts with and without each cause")
	keepFlag   = flag.String("artifacts", "", "folder that keeps the recordings")
	onlyFlag   = flag.String("only", "", "names of causes, separated by commas; empty: all")
	fromFlag   = flag.String("from", "", "judge the recordings in this folder again, without a cluster")
	docsFlag   = flag.String("document", "", "Markdown file that takes the table between its markers")
)

// spinEnv makes a copy of this binary run until it is killed, and do nothing else.
const spinEnv = "PODBURST_CAUSES_SPIN"

func TestMain(m *testing.M) {
	if os.Getenv(spinEnv) != "" {
		for stop := time.Now().Add(10 * time.Minute); time.Now().Before(stop); { // never longer than any test
		}
		return
	}
	os.Exit(m.Run())
}
