package gate

import (
	"fmt"
	"io"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/slo"
)

// Kind of the files, whose apiVersion is clusters.APIVersion.
const Kind = "Gate"

// The defaults of Spec.
const (
	DefaultBlocks  = 8
	DefaultRepeats = 4
	// DefaultFloor is about as large as the difference between two observers of the same
	// burst on a busy two-core machine (docs/phases.md). A smaller change may come from the
	// observer.
	DefaultFloor = 50 * time.Millisecond
)

// Criteria is a file that says what is gated, how strictly and on how many blocks.
type Criteria struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Metadata has a name and a description, and may be left out.
	Metadata clusters.Metadata `json:"metadata,omitzero"`
	// Spec says what is gated. All of it has defaults.
	Spec Spec `json:"spec"`
}

// Spec says what is gated, how strictly and on how many blocks. Parsed criteria have every
// default filled in.
type Spec struct {
	// Alpha is the risk that the gate calls something regressed that is not slower by more
	// than its margin, and the risk that it passes what is. Above 0 and below 0.5, default
	// 0.05.
	Alpha float64 `json:"alpha" jsonschema:"optional,exclusiveMinimum=0,exclusiveMaximum=0.5"`
	// Blocks is how many valid blocks are taken before the first look: 6 to 128, default
	// 8.
	Blocks int `json:"blocks" jsonschema:"optional,minimum=6,maximum=128"`
	// MaxBlocks is how many blocks there are after the one extension of an inconclusive
	// comparison: at most 256, default twice Blocks. If it equals Blocks, there is no
	// extension.
	MaxBlocks int `json:"maxBlocks" jsonschema:"optional,maximum=256"`
	// Repeats is how many blocks with an invalid burst a run may take again: 0 to 100,
	// default 4.
	Repeats int `json:"repeats" jsonschema:"optional,maximum=100"`
	// Endpoints are what is gated, 1 to 4 of them. Default: makespan (margin 0.1) and p90
	// of submit_to_ready (margin 0.15).
	Endpoints []Criterion `json:"endpoints" jsonschema:"optional,minItems=1,maxItems=4"`
	// Watched are endpoints, at most 4, that are shown with their intervals and decide
	// nothing. A change of limits moves waiting from one phase to another, and a single
	// phase that got slower is no regression if the burst as a whole got faster. Default:
	// p50 of submit_to_ready and of pod_startup; an empty list for none.
	Watched []Criterion `json:"watched" jsonschema:"optional,maxItems=4"`
	// Evidence is what the margins were calibrated from, as podburst calibrate writes it.
	// Absent unless they were.
	Evidence *Evidence `json:"evidence,omitempty"`
}

// Criterion is an endpoint and how much slower it may get.
type Criterion struct {
	// Phase is the phase that is compared. "makespan" is the time from submission until
	// the last pod is ready.
	Phase string `json:"phase"`
	// Stat is the statistic of a burst's pods that is compared; left out for the makespan,
	// of which a burst has one. Other statistics depend on one or two pods of a burst and
	// are too noisy to gate.
	Stat string `json:"stat,omitempty" jsonschema:"enum=mean,enum=p50,enum=p90,enum=p95"`
	// Margin is the slowdown that is tolerated, as a part of base (0.1 is 10 %). Above 0
	// and at most 10.
	Margin float64 `json:"margin" jsonschema:"exclusiveMinimum=0,maximum=10"`
	// Floor is the largest change that is too small to act on, whatever its ratio: 0s to
	// 24h, default 50ms.
	Floor *metav1.Duration `json:"floor,omitempty"`
}

// Name returns the endpoint's name: "submit_to_ready/p50", "makespan".
func (c Criterion) Name() string {
	if c.Stat == "" {
		return c.Phase
	}
	return c.Phase + "/" + c.Stat
}

// FloorSeconds returns Floor, or the default.
func (c Criterion) FloorSeconds() float64 {
	if c.Floor == nil {
		return DefaultFloor.Seconds()
	}
	return c.Floor.Seconds()
}

// Endpoint returns the criterion in the form that Judge takes.
func (c Criterion) Endpoint(pairs []Pair) Endpoint {
	return Endpoint{Name: c.Name(), Margin: c.Margin, FloorSeconds: c.FloorSeconds(), Pairs: pairs}
}

// Unpaired returns the criterion in the form that JudgeUnpaired takes.
func (c Criterion) Unpaired(base, head []float64) UnpairedEndpoint {
	return UnpairedEndpoint{Name: c.Name(), Margin: c.Margin, FloorSeconds: c.FloorSeconds(), Base: base, Head: head}
}

// Options returns the options of Judge for look 1 (after Blocks) or look 2 (after
// MaxBlocks).
func (c Criteria) Options(look int) Options {
	looks := 1
	if c.Spec.MaxBlocks > c.Spec.Blocks {
		looks = 2
	}
	return Options{Alpha: c.Spec.Alpha, Look: look, Looks: looks}
}

// DefaultCriteria gate the whole burst and the slowest tenth of its pods, both from the
// submission of the Job. The tail is noisier, so its margin is wider.
//
// The median pod is watched but not gated. Where pod creation is rate-limited, the first
// pods have the nodes to themselves; lifting the limit makes those pods slower but the
// burst faster. pod_startup is watched for the same reason, which affects it even more: it
// begins when the API server has the pod, so a limit that delays creation makes it shorter.
// Gate it (in a file) where both arms create pods at the same rate and only the nodes' part
// matters.
func DefaultCriteria() Criteria {
	floor := func() *metav1.Duration { return &metav1.Duration{Duration: DefaultFloor} }
	return Criteria{
		APIVersion: clusters.APIVersion, Kind: Kind,
		Metadata: clusters.Metadata{Name: "default", Description: "Not calibrated: run podburst calibrate on the machine that gates."},
		Spec: Spec{
			Alpha: DefaultAlpha, Blocks: DefaultBlocks, MaxBlocks: 2 * DefaultBlocks, Repeats: DefaultRepeats,
			Endpoints: []Criterion{
				{Phase: slo.Makespan, Margin: 0.10, Floor: floor()},
				{Phase: "submit_to_ready", Stat: "p90", Margin: 0.15, Floor: floor()},
			},
			Watched: []Criterion{
				{Phase: "submit_to_ready", Stat: "p50", Margin: 0.10, Floor: floor()},
				{Phase: "pod_startup", Stat: "p50", Margin: 0.10, Floor: floor()},
			},
		},
	}
}

// WithBlocks returns c with other numbers of blocks, checked like those of a file. 0 keeps
// a number, except that MaxBlocks becomes twice Blocks if only blocks is given.
func (c Criteria) WithBlocks(blocks, maxBlocks int) (Criteria, error) {
	if blocks != 0 {
		c.Spec.Blocks, c.Spec.MaxBlocks = blocks, 2*blocks
	}
	if maxBlocks != 0 {
		c.Spec.MaxBlocks = maxBlocks
	}
	return c, c.check("the number of blocks")
}

// WithMargin returns c with one margin for all endpoints, checked like that of a file. It
// drops the evidence, which supports other margins. 0 returns c unchanged.
func (c Criteria) WithMargin(margin float64) (Criteria, error) {
	if margin == 0 {
		return c, nil
	}
	for _, list := range []*[]Criterion{&c.Spec.Endpoints, &c.Spec.Watched} {
		*list = append([]Criterion{}, *list...)
		for i := range *list {
			(*list)[i].Margin = margin
		}
	}
	c.Spec.Evidence = nil
	return c, c.check("the margin")
}

func (c Criteria) check(what string) error {
	if found := c.faults(); len(found) > 0 {
		return fmt.Errorf("change %s of the gate criteria: %s", what, strings.Join(found, "; "))
	}
	return nil
}

// Write writes a file that ParseCriteria reads back as the same criteria. Criteria that
// ParseCriteria would refuse are an error.
func (c Criteria) Write(w io.Writer) error {
	text, err := yaml.Marshal(c)
	if err != nil {
		return fmt.Errorf("write gate criteria: %w", err)
	}
	if _, err := ParseCriteria("criteria", text); err != nil {
		return fmt.Errorf("write gate criteria: %w", err)
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write gate criteria: %w", err)
	}
	return nil
}
