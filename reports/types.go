// Package reports turns a recorded run into its report: report.json, whose format is
// stable, and (in the packages below this one) what people and other tools read. Every
// report is a pure function of a recording. Nothing here talks to a cluster.
package reports

import (
	"encoding/json"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/cpuprofile"
	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/framework/truth"
	"github.com/podburst/podburst/framework/usage"
	"github.com/podburst/podburst/framework/verdict"
)

// SchemaVersion is the version of report.json. Its JSON Schema in schemas/ is named for it.
const SchemaVersion = "podburst.dev/report/v3"

// Report is report.json: what a run measured and what it amounts to. Durations are
// seconds; no number is NaN or infinite.
type Report struct {
	// SchemaVersion names the version of this file.
	SchemaVersion string `json:"schemaVersion"`
	// Run is the run as a whole.
	Run Run `json:"run"`
	// Environment is the fingerprint of the machine and its tools, as recorded; null where
	// none was.
	Environment json.RawMessage `json:"environment"`
	// Profiles are the cluster configurations, in the order of the run.
	Profiles []Profile `json:"profiles"`
	// Bursts are in the order of submission.
	Bursts []Burst `json:"bursts"`
	// SLO has a check for each objective and each burst or profile that it covers.
	SLO []slo.Result `json:"slo"`
	// SLOLeftOut are objectives, or parts of them, that were not judged because they are
	// not available and their file allows that.
	SLOLeftOut []slo.LeftOut `json:"sloLeftOut"`
	// Comparisons has an entry for each endpoint and head profile, of a run that compares
	// its profiles.
	Comparisons []gate.Result `json:"comparisons"`
	// Moves say what differs between the run's first profile and each other one.
	Moves []station.Move `json:"moves"`
	// Verdict is what the run amounts to: the gravest of its parts.
	Verdict verdict.Verdict `json:"verdict" jsonschema:"enum=pass,enum=fail,enum=regressed,enum=inconclusive,enum=invalid"`
	// Reasons say why the verdict is not pass, gravest first.
	Reasons []verdict.Reason `json:"reasons"`

	// timelines are those of Bursts, by index; nil in a report read from report.json.
	timelines []timeline.Timeline
	// subtracted is what pod_startup leaves out of each pod of Bursts, by index like
	// timelines.
	subtracted []map[string]time.Duration
}

// Run is the run as a whole.
type Run struct {
	// ID is the name of the run and of its folder.
	ID string `json:"id"`
	// StartedAt is when the run began.
	StartedAt time.Time `json:"startedAt"`
	// FinishedAt is when the run ended; null unless it came to its planned end.
	FinishedAt *time.Time `json:"finishedAt"`
	// Complete tells whether every planned burst was recorded. A run that planned none is
	// never complete.
	Complete bool `json:"complete"`
	// Interrupted says why the run ended early. Absent if it did not.
	Interrupted string `json:"interrupted,omitempty"`
	// Seed is what the run's random order was drawn from.
	Seed int64 `json:"seed" jsonschema:"signed"`
	// Provider is what made the clusters: "kind", "embedded" or "existing".
	Provider string `json:"provider"`
	// ProviderReason says why the provider was chosen. Absent if it was asked for.
	ProviderReason string `json:"providerReason,omitempty"`
	// Order lists the bursts as profile/burst, as "tuned/2", in the order of submission.
	Order []string `json:"order"`
	// PlannedBursts is how many bursts were planned, over all profiles. Warm-ups are not
	// counted.
	PlannedBursts int `json:"plannedBursts"`
	// PlannedProfiles are the names of the planned profiles.
	PlannedProfiles []string `json:"plannedProfiles"`
	// Unfinished are the folders of bursts that were being written when the run died.
	Unfinished []string `json:"unfinished,omitempty"`
	// Comparison is the plan of a run that compares its profiles. Absent for other runs.
	Comparison *recording.ComparisonPlan `json:"comparison,omitempty"`
	// Quantile names the definition of every quantile in the file.
	Quantile string `json:"quantileDefinition"`
	// SLI says what the phase pod_startup measures.
	SLI string `json:"podStartupDefinition"`
}

// Profile is a cluster configuration as it was asked for and as it was in force, and what
// its bursts show together.
type Profile struct {
	// Name is the name of the profile.
	Name string `json:"name"`
	// Provider is what made the clusters of the profile.
	Provider string `json:"provider"`
	// Spec is what the profile's file sets.
	Spec clusters.ProfileSpec `json:"spec"`
	// Nodes are the names of the nodes.
	Nodes []string `json:"nodes"`
	// KubernetesVersion is what the API server reports.
	KubernetesVersion string `json:"kubernetesVersion,omitempty"`
	// Image is what the nodes were made from. Absent where the provider cannot tell.
	Image *clusters.Image `json:"image,omitempty"`
	// NodeInfo is what the nodes say about their machines. Absent where they could not be
	// listed.
	NodeInfo []recording.NodeInfo `json:"nodeInfo,omitempty"`
	// Effective are the limits in force by process, as "kubelet-node-1", read back from
	// the live cluster.
	Effective clusters.Effective `json:"effective"`
	// EffectiveUnavailable says which limits could not be read back, and why.
	EffectiveUnavailable string `json:"effectiveUnavailable,omitempty"`
	// CreateSeconds is how long it took to create the cluster, until all nodes were Ready.
	CreateSeconds stats.Seconds `json:"createSeconds,omitempty"`
	// Problems make every burst of the profile invalid.
	Problems []recording.Problem `json:"problems"`
	// RecordedBursts is how many bursts were recorded, warm-ups left out.
	RecordedBursts int `json:"recordedBursts"`
	// ValidBursts is how many of the recorded bursts are valid.
	ValidBursts int `json:"validBursts"`
	// Phases are the phases over all pods of the profile's valid bursts, by name; null for
	// a phase that the provider cannot give.
	Phases map[string]*stats.Summary `json:"phases"`
	// MakespanSeconds are the makespans of the valid bursts, one sample each; null without
	// a valid burst.
	MakespanSeconds *stats.Summary `json:"makespanSeconds"`
	// Explanation is where the time of the profile's bursts went; null without a valid
	// burst.
	Explanation *Explanation `json:"explanation"`
}

// Burst is the result of one burst.
type Burst struct {
	// Profile is the name of the profile that the burst ran on.
	Profile string `json:"profile"`
	// Index counts the bursts of a profile from 1; 0 is a warm-up.
	Index int `json:"index"`
	// Block is the number of the burst's block in a comparison; 0 in other runs.
	Block int `json:"block"`
	// Warmup tells whether the burst only warmed the cluster up. It counts for nothing.
	Warmup bool `json:"warmup"`
	// Path is the folder of the burst's recording, below the run's.
	Path string `json:"path"`
	// Workload is what the pods come from, for the words of sentences (Report.Workload).
	Workload recording.Workload `json:"-"`
	// Pods is how many pods were asked for.
	Pods int `json:"pods"`
	// SubmittedAt is when the Job was submitted. Absent for a burst that others sent: it
	// is not known.
	SubmittedAt time.Time `json:"submittedAt,omitzero"`
	// EndReason says why observing ended.
	EndReason recording.EndReason `json:"endReason"`
	// Valid tells whether the measurement can be trusted.
	Valid bool `json:"valid"`
	// InvalidReasons say why the measurement cannot be trusted.
	InvalidReasons []recording.Problem `json:"invalidReasons"`
	// Accounting is where the pods ended up.
	Accounting timeline.Accounting `json:"accounting"`
	// MakespanSeconds is the time from submission until the last pod was ready; null
	// unless all were.
	MakespanSeconds *stats.Seconds `json:"makespanSeconds"`
	// Completion lists when the first, second, … pod was ready, in seconds after
	// submission.
	Completion []stats.Seconds `json:"completionSeconds"`
	// CreationSpreadSeconds is the time from the first pod's creation to the last one's;
	// null where that of some pod is not known.
	CreationSpreadSeconds *stats.Seconds `json:"creationSpreadSeconds"`
	// CreationFloorSeconds is the least time in which the Job controller's limiter lets the
	// creations through, (pods - burst) / QPS; null where the limits are not known. It is
	// arithmetic, not a measurement: what the limiter held up is among Stations.
	CreationFloorSeconds *stats.Seconds `json:"creationFloorSeconds"`
	// Passive is how the pods of others were observed. Absent for a burst that podburst
	// sent.
	Passive *Passive `json:"passive,omitempty"`
	// SpanSeconds is the time from the first pod's creation until the last pod was ready,
	// for a burst that others sent. Absent for other bursts, and unless all pods were
	// ready.
	SpanSeconds *stats.Seconds `json:"firstCreateToLastReadySeconds,omitempty"`
	// Phases are the phases by name; null for a phase that the provider cannot give.
	Phases map[string]*stats.Summary `json:"phases"`
	// Analysis says where the burst's pods waited.
	station.Analysis
	// Usage is what each component used of its machine.
	Usage []usage.Component `json:"usage"`
	// UsageWindowSeconds is the time that Usage is about: from the submission, or the
	// beginning of observing, until the last pod was ready, or to the burst's end if not
	// all became ready.
	UsageWindowSeconds stats.Seconds `json:"usageWindowSeconds"`
	// UsageUnavailable says why nothing was sampled. Absent if something was.
	UsageUnavailable string `json:"usageUnavailable,omitempty"`
	// Writes are the writes that each component sent in that time, over time, by the audit
	// log; empty without one.
	Writes []usage.Pace `json:"writes"`
	// Truth compares the sources of the marks.
	Truth truth.Truth `json:"truth"`
	// SecondOpinions are what components measured themselves.
	SecondOpinions []station.Opinion `json:"secondOpinions"`
	// PodStartup says on which pods the phase pod_startup was measured.
	PodStartup PodStartup `json:"podStartup"`
	// Worst are the five slowest pods.
	Worst []WorstPod `json:"worstPods"`
	// Watch is how well the observer could watch.
	Watch recording.WatchHealth `json:"watchHealth"`
	// AuditUnavailable says why there are no marks from the audit log. Absent if there
	// are.
	AuditUnavailable string `json:"auditUnavailable,omitempty"`
	// MetricsErrors says by process why its metrics could not be read, although the provider
	// can give them. What rests on them is not known.
	MetricsErrors map[string]string `json:"metricsErrors,omitempty"`
	// MetricsUnavailable says by process why the provider cannot give its metrics.
	MetricsUnavailable map[string]string `json:"metricsUnavailable,omitempty"`
	// Profiled tells whether CPU profiles of the components were taken during the burst.
	// That slows them, so the burst is never compared.
	Profiled bool `json:"profiled,omitempty"`
	// CPUProfiles say which code of the components used the processors. Absent for a burst
	// that was not profiled.
	CPUProfiles []cpuprofile.Breakdown `json:"cpuProfiles,omitempty"`
	// CleanupSeconds is how long it took to remove the pods.
	CleanupSeconds stats.Seconds `json:"cleanupSeconds,omitempty"`
}

// WorstPod is one of the five pods that took longest.
type WorstPod struct {
	// Name is the name of the pod.
	Name string `json:"name"`
	// Node is the node that the pod ran on. Absent if it was never bound.
	Node string `json:"node,omitempty"`
	// Phases are the lengths of the pod's phases in seconds, by name.
	Phases map[string]stats.Seconds `json:"phases"`
}
