// Package reports turns a recorded run into its report: the contract
// report.json, and (in the packages below this one) what people and other tools
// read. Every report is a pure function of a recording; nothing here talks to a cluster.
package reports

import (
	"encoding/json"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/framework/truth"
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
	SLO           []slo.Result    `json:"slo"`
	Comparisons   []gate.Result   `json:"comparisons"`
	// Moves describe what differs between the run's first profile and each other.
	Moves []station.Move `json:"moves"`
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
	Comparison *recording.ComparisonPlan `json:"comparison,omitempty"`
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
	EffectiveUnavailable string        `json:"effectiveUnavailable,omitempty"`
	CreateSeconds        stats.Seconds `json:"createSeconds,omitempty"`
	// Problems make every burst of the profile invalid.
	Problems []recording.Problem `json:"problems"`
	// RecordedBursts and ValidBursts do not count warm-ups.
	RecordedBursts int `json:"recordedBursts"`
	ValidBursts    int `json:"validBursts"`
	// Phases pools the pods of the profile's valid bursts, with a null for a
	// phase that the provider cannot give. MakespanSeconds sums up the bursts'
	// makespans (one sample a burst); null without a valid burst.
	Phases          map[string]*stats.Summary `json:"phases"`
	MakespanSeconds *stats.Summary            `json:"makespanSeconds"`
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
	MakespanSeconds *stats.Seconds `json:"makespanSeconds"`
	// Completion[k-1] is when the k-th pod was ready, in seconds after submit.
	Completion []stats.Seconds `json:"completionSeconds"`
	// CreationSpreadSeconds is the time from the first pod's creation to the
	// last one's; null where some pod's is not known. CreationFloorSeconds is
	// the least time in which the Job controller's limiter lets them through,
	// and what it sent besides (Events take tokens, too), (requests - burst) /
	// QPS; null where the limits are not known.
	CreationSpreadSeconds *stats.Seconds `json:"creationSpreadSeconds"`
	CreationFloorSeconds  *stats.Seconds `json:"creationFloorSeconds"`
	// Passive is nil but for a burst that others sent; SpanSeconds is then its first
	// pod's creation to the last pod ready, which is no makespan. nil unless all are.
	Passive     *Passive       `json:"passive,omitempty"`
	SpanSeconds *stats.Seconds `json:"firstCreateToLastReadySeconds,omitempty"`
	// Phases holds a null for a phase that this provider cannot give.
	Phases   map[string]*stats.Summary `json:"phases"`
	Throttle []station.Limiter         `json:"throttle"`
	// Queues are others in which the burst's work may have waited.
	Queues []station.Queue `json:"queues"`
	// Attribution says in sentences what the limiters did.
	Attribution []string `json:"attribution"`
	// Truth compares the sources of the marks; SecondOpinions are what
	// components measured themselves.
	Truth          truth.Truth           `json:"truth"`
	SecondOpinions []station.Opinion     `json:"secondOpinions"`
	PodStartup     PodStartup            `json:"podStartup"`
	Worst          []WorstPod            `json:"worstPods"`
	Watch          recording.WatchHealth `json:"watchHealth"`
	// AuditUnavailable says why there are no marks from the audit log; empty where there are.
	AuditUnavailable string `json:"auditUnavailable,omitempty"`
	// MetricsUnavailable says by instance why the provider cannot give its
	// metrics: such an instance is not among Throttle, and may have waited.
	MetricsUnavailable map[string]string `json:"metricsUnavailable,omitempty"`
	CleanupSeconds     stats.Seconds     `json:"cleanupSeconds,omitempty"`
}

// WorstPod is one of the five slowest pods by total, with its phases in seconds.
type WorstPod struct {
	Name   string                   `json:"name"`
	Node   string                   `json:"node,omitempty"`
	Phases map[string]stats.Seconds `json:"phases"`
}
