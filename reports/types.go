// Package reports turns a recorded run into its report: the contract
// report.json, and (in the packages below this one) what people and other tools
// read. Every report is a pure function of a recording; nothing here talks to a cluster.
package reports

import (
	"encoding/json"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/framework/verdict"
)

// SchemaVersion of report.json. schemas/ has its JSON Schema, which is named for it.
const SchemaVersion = "podburst.dev/report/v1"

// Report is report.json. Durations are seconds; no number is NaN or infinite.
type Report struct {
	SchemaVersion string          `json:"schemaVersion"`
	Run           Run             `json:"run"`
	Environment   json.RawMessage `json:"environment"`
	Profiles      []Profile       `json:"profiles"`
	Bursts        []Burst         `json:"bursts"`
	SLO           []Check         `json:"slo"`
	Comparisons   []Comparison    `json:"comparisons"`
	// Moves describe what differs between the run's first profile and each other.
	Moves []Move `json:"moves"`
	// ListCost is absent but of a run that measured lists and watches.
	ListCost *ListCost       `json:"listCost,omitempty"`
	Verdict  verdict.Verdict `json:"verdict" jsonschema:"enum=pass,enum=fail,enum=regressed,enum=inconclusive,enum=invalid"`
	// Reasons say in sentences why the verdict is not pass.
	Reasons []string `json:"reasons"`

	// timelines are those of Bursts, by index; nil in a report that was read
	// from report.json.
	timelines []timeline.Timeline
	// pulls are those of Bursts, by index, like timelines.
	pulls []map[string]time.Duration
}

// Run is the run as a whole.
type Run struct {
	ID         string     `json:"id"`
	StartedAt  time.Time  `json:"startedAt"`
	FinishedAt *time.Time `json:"finishedAt"`
	// Complete is true when every planned burst was recorded. A run that
	// planned none is never complete.
	Complete bool `json:"complete"`
	// Interrupted says why the run ended early; empty otherwise.
	Interrupted    string   `json:"interrupted,omitempty"`
	Seed           int64    `json:"seed" jsonschema:"signed"`
	Provider       string   `json:"provider"`
	ProviderReason string   `json:"providerReason,omitempty"`
	Order          []string `json:"order"`
	// PlannedBursts counts those of all profiles, PlannedProfiles names these;
	// warm-ups are not counted.
	PlannedBursts   int      `json:"plannedBursts"`
	PlannedProfiles []string `json:"plannedProfiles"`
	// Unfinished are folders of bursts that were being written when the run died.
	Unfinished []string `json:"unfinished,omitempty"`
	// Comparison is the plan of a run that compares its profiles; absent otherwise.
	Comparison *recording.Comparison `json:"comparison,omitempty"`
	// Quantile and SLI name the definitions behind the numbers.
	Quantile string `json:"quantileDefinition"`
	SLI      string `json:"podStartupDefinition"`
}

// Profile is a cluster configuration: as asked for and as in force.
type Profile struct {
	Name              string               `json:"name"`
	Provider          string               `json:"provider"`
	Spec              clusters.ProfileSpec `json:"spec"`
	Nodes             []string             `json:"nodes"`
	KubernetesVersion string               `json:"kubernetesVersion,omitempty"`
	// Image is what the nodes were made from, where the provider can tell.
	Image *clusters.Image `json:"image,omitempty"`
	// NodeInfo is what the nodes say of themselves, where they could be listed.
	NodeInfo  []recording.NodeInfo `json:"nodeInfo,omitempty"`
	Effective clusters.Effective   `json:"effective"`
	// EffectiveUnavailable says what of it the provider cannot read back, and why.
	EffectiveUnavailable string  `json:"effectiveUnavailable,omitempty"`
	CreateSeconds        float64 `json:"createSeconds,omitempty"`
	// Problems make every burst of the profile invalid.
	Problems []recording.Problem `json:"problems"`
	// RecordedBursts and ValidBursts do not count warm-ups.
	RecordedBursts int `json:"recordedBursts"`
	ValidBursts    int `json:"validBursts"`
	// Phases pools the pods of the profile's valid bursts, with a null for a
	// phase that the provider cannot give. MakespanSeconds sums up the bursts'
	// makespans (one sample a burst); null without a valid burst.
	Phases          map[string]*Phase `json:"phases"`
	MakespanSeconds *stats.Summary    `json:"makespanSeconds"`
	// Attribution says in sentences which client-side limiters held which phase
	// up in the median valid burst, and which did not; empty without a valid burst.
	Attribution []string `json:"attribution"`
}

// Burst is one burst's result.
type Burst struct {
	Profile string `json:"profile"`
	Index   int    `json:"index"`
	Block   int    `json:"block"`
	Warmup  bool   `json:"warmup"`
	// Path is the folder of the burst's recording below the run's.
	Path string `json:"path"`
	Pods int    `json:"pods"`
	// SubmittedAt is absent for a passive burst: nobody knows.
	SubmittedAt    time.Time           `json:"submittedAt,omitzero"`
	EndReason      recording.EndReason `json:"endReason"`
	Valid          bool                `json:"valid"`
	InvalidReasons []recording.Problem `json:"invalidReasons"`
	Accounting     timeline.Accounting `json:"accounting"`
	// MakespanSeconds is submit to the last pod ready; null unless all are.
	MakespanSeconds *float64 `json:"makespanSeconds"`
	// Completion[k-1] is when the k-th pod was ready, in seconds after submit.
	Completion []float64 `json:"completionSeconds"`
	// CreationSpreadSeconds is the time from the first pod's creation to the
	// last one's; null where some pod's is not known. CreationFloorSeconds is
	// the least time in which the Job controller's limiter lets them through,
	// and what it sent besides (Events take tokens, too), (requests - burst) /
	// QPS; null where the limits are not known.
	CreationSpreadSeconds *float64 `json:"creationSpreadSeconds"`
	CreationFloorSeconds  *float64 `json:"creationFloorSeconds"`
	// Passive is nil but for a burst that others sent; SpanSeconds is then its first
	// pod's creation to the last pod ready, which is no makespan. nil unless all are.
	Passive     *Passive `json:"passive,omitempty"`
	SpanSeconds *float64 `json:"firstCreateToLastReadySeconds,omitempty"`
	// Phases holds a null for a phase that this provider cannot give.
	Phases   map[string]*Phase `json:"phases"`
	Throttle []Throttle        `json:"throttle"`
	// Queues are others in which the burst's work may have waited.
	Queues []Queue `json:"queues"`
	// Attribution says in sentences what the limiters did.
	Attribution []string `json:"attribution"`
	// Truth compares the sources of the marks; SecondOpinions are what
	// components measured themselves.
	Truth          Truth                 `json:"truth"`
	SecondOpinions []Opinion             `json:"secondOpinions"`
	PodStartup     PodStartup            `json:"podStartup"`
	Worst          []WorstPod            `json:"worstPods"`
	Watch          recording.WatchHealth `json:"watchHealth"`
	// AuditUnavailable says why there are no marks from the audit log; empty where there are.
	AuditUnavailable string `json:"auditUnavailable,omitempty"`
	// MetricsUnavailable says by instance why the provider cannot give its
	// metrics: such an instance is not among Throttle, and may have waited.
	MetricsUnavailable map[string]string `json:"metricsUnavailable,omitempty"`
	CleanupSeconds     float64           `json:"cleanupSeconds,omitempty"`
}

// Phase is a Summary in seconds and where the times of both its ends were read
// ("audit", "watch", or "audit+watch" where ends or pods differ).
//
// Without samples the statistics are null in JSON: a 0 would look fast.
type Phase struct {
	stats.Summary
	Source string `json:"source"`
}

// WorstPod is one of the five slowest pods by total, with its phases in seconds.
type WorstPod struct {
	Name   string             `json:"name"`
	Node   string             `json:"node,omitempty"`
	Phases map[string]float64 `json:"phases"`
}

// Check is one SLO objective judged on one burst, or (Burst 0) on all valid
// bursts of a profile together.
type Check struct {
	Name    string `json:"name"`
	Profile string `json:"profile"`
	// Scope is "burst" or "profile".
	Scope        string  `json:"scope" jsonschema:"enum=burst,enum=profile"`
	Burst        int     `json:"burst,omitempty" jsonschema:"minimum=1"`
	Phase        string  `json:"phase"`
	Stat         string  `json:"stat"`
	LimitSeconds float64 `json:"limitSeconds"`
	// ObservedSeconds is null where nothing could be observed; the verdict is then invalid.
	ObservedSeconds *float64        `json:"observedSeconds"`
	Samples         int             `json:"samples"`
	Verdict         verdict.Verdict `json:"verdict" jsonschema:"enum=pass,enum=fail,enum=invalid"`
	Message         string          `json:"message"`
}

// Comparison holds one endpoint of the head profile against the base profile's
// (framework/gate). Numbers that do not exist are null.
type Comparison struct {
	Base string `json:"base"`
	Head string `json:"head"`
	// Endpoint is what was compared, one number a burst: "makespan", "pod_startup/p50".
	Endpoint string `json:"endpoint"`
	// Gated: the endpoint's verdict counts. Otherwise it is only watched.
	Gated bool `json:"gated"`
	// Paired: the bursts of a block are compared with one another; otherwise
	// those of two runs as they come.
	Paired bool `json:"paired"`
	// Blocks is how many valid blocks the numbers rest on; of an unpaired
	// comparison, the bursts of the arm that has fewer.
	Blocks int `json:"blocks"`
	// Ratio is the Hodges-Lehmann estimate of head/base; null without a block.
	Ratio *float64 `json:"ratio"`
	// Low and High are its one-sided bounds: it is above Low with LowConfidence, and
	// below High with HighConfidence (framework/gate says why they differ). null with
	// too few blocks for any.
	Low            *float64 `json:"low"`
	High           *float64 `json:"high"`
	LowConfidence  float64  `json:"lowConfidence" jsonschema:"minimum=0,maximum=1"`
	HighConfidence float64  `json:"highConfidence" jsonschema:"minimum=0,maximum=1"`
	// Margin is by which part the head may be slower, and FloorSeconds by how
	// much it must be slower in any case to count as regressed.
	Margin       float64 `json:"margin" jsonschema:"minimum=0"`
	FloorSeconds float64 `json:"floorSeconds" jsonschema:"minimum=0"`
	// BaseSeconds and HeadSeconds are the arms' medians, ChangeSeconds the
	// Hodges-Lehmann estimate of head - base.
	BaseSeconds   *float64 `json:"baseSeconds"`
	HeadSeconds   *float64 `json:"headSeconds"`
	ChangeSeconds *float64 `json:"changeSeconds"`
	// PValue is that of "slower by more than the margin", one-sided and adjusted.
	PValue *float64 `json:"pValue"`
	// Noise is the robust standard deviation of a block's log ratio.
	Noise *float64 `json:"noise"`
	// BlocksNeeded is about how many blocks would decide it at this noise; 0: not known.
	BlocksNeeded int `json:"blocksNeeded,omitempty"`
	// Pairs are the blocks' values, in the order of the blocks; empty where unpaired.
	Pairs   []Pair          `json:"pairs"`
	Verdict verdict.Verdict `json:"verdict" jsonschema:"enum=pass,enum=regressed,enum=improved,enum=inconclusive,enum=invalid"`
	Message string          `json:"message"`
}

// Pair is one block of a comparison.
type Pair struct {
	Block       int     `json:"block"`
	BaseSeconds float64 `json:"baseSeconds"`
	HeadSeconds float64 `json:"headSeconds"`
}
