package experiment

import (
	"fmt"
	"strconv"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/recording"
)

// Plan is what a run sends, and where. The suite's variables and the command's flags
// fill it in; it is declared only here.
type Plan struct {
	// Spec is what each burst is: the load that is sent, and its deadline.
	burst.Spec
	// Profiles are the run's arms, in the order they are planned.
	Profiles []clusters.Profile
	// Bursts per profile. A run of blocks has the number of its Comparison instead.
	Bursts int
	// Warmup is how many pods the one warm-up burst of each cluster has; 0: no
	// warm-up. It is recorded but not part of any result. It is never larger than a
	// burst, since that would warm up what no burst uses.
	Warmup int
	// Comparison makes this a run of Blocks. nil: the caller sends bursts to each
	// arm.
	Comparison *recording.ComparisonPlan
	// Profile asks for CPU profiles of the components over each burst (not the warm-ups).
	// Profiled bursts are slower, and never compared.
	Profile bool
	// Seed of the run's random choices; recorded so that a run can be repeated.
	Seed int64
	// Artifacts is the folder in which the run's folder is created.
	Artifacts string
}

// The numbers that a user may ask for, with their defaults.
var (
	Pods   = Number{Default: 100, Low: 1, High: 1_000_000}
	Bursts = Number{Default: 3, Low: 1, High: 1000}
	Warmup = Number{Default: 10, Low: 0, High: 1_000_000}
)

// DefaultArtifacts is the folder in which runs' folders are created.
const DefaultArtifacts = "artifacts"

// Number is a whole number that a user may ask for.
type Number struct{ Default, Low, High int }

// Parse reads the number; given is the user's input (`PODS="x"`), for the error.
// Empty is the default.
func (n Number) Parse(given, text string) (int, error) {
	if text == "" {
		return n.Default, nil
	}
	value, err := strconv.Atoi(text)
	if err != nil || value < n.Low || value > n.High {
		return n.Default, fmt.Errorf("%s: want a whole number from %d to %d", given, n.Low, n.High)
	}
	return value, nil
}

// Check is Parse for a number that is already parsed; given is "--pods", say.
func (n Number) Check(given string, value int) error {
	_, err := n.Parse(fmt.Sprintf("%s %d", given, value), strconv.Itoa(value))
	return err
}

// ParseDuration reads a duration that defaults to def; see Number.Parse.
func ParseDuration(given, text string, def time.Duration) (time.Duration, error) {
	if text == "" {
		return def, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return d, fmt.Errorf("%s: want a positive duration such as 90s or 2m", given)
	}
	return d, nil
}

// CheckDuration is ParseDuration for a duration that is already parsed; given is
// "--deadline", say.
func CheckDuration(given string, d time.Duration) error {
	_, err := ParseDuration(fmt.Sprintf("%s %v", given, d), d.String(), 0)
	return err
}

// pods is how many a burst asks for; 0: as many as others send.
func (p Plan) pods() int {
	return p.Load.Terms().Pods
}
