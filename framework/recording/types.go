package recording

import (
	"encoding/json"
	"time"

	"github.com/podburst/podburst/clusters"
)

// Version is the format that this package writes. A reader refuses versions it does
// not know.
//
// v2 has Burst.Workload where v1 had jobName and jobUID; Read accepts both.
const Version = "podburst.dev/recording/v2"

// versions are those that Read accepts.
var versions = []string{Version, "podburst.dev/recording/v1"}

// Manifest is what is known of a run as a whole: what it planned to do, so that
// a run which ended early can be told from a whole one.
type Manifest struct {
	Version string `json:"version"`
	// ID names the run and its folder; it holds no colon.
	ID        string    `json:"id"`
	StartedAt time.Time `json:"startedAt"`
	// FinishedAt is nil until the run came to its planned end.
	FinishedAt *time.Time `json:"finishedAt,omitempty"`
	// Interrupted says why a run ended early ("signal: interrupt"); empty otherwise.
	Interrupted string `json:"interrupted,omitempty"`
	Seed        int64  `json:"seed"`
	Provider    string `json:"provider"`
	// ProviderReason is the sentence that says why this provider was taken.
	ProviderReason string `json:"providerReason,omitempty"`
	// Profiles, BurstsPerProfile and PodsPerBurst are the plan (warm-ups not counted).
	Profiles         []string `json:"profiles"`
	BurstsPerProfile int      `json:"burstsPerProfile"`
	PodsPerBurst     int      `json:"podsPerBurst"`
	// Comparison is the plan of a run that compares profiles; nil for one that does not.
	Comparison *ComparisonPlan `json:"comparison,omitempty"`
	// Order lists bursts as "<profile>/<burst folder>" in the order they were submitted.
	Order []string `json:"order"`
	// Environment is the fingerprint of the machine and tools (framework/fingerprint).
	Environment json.RawMessage `json:"environment,omitempty"`
}

// ComparisonPlan is the plan of a run that compares its profiles. Each block has one burst
// of every profile, in random order, so that what drifts falls on all of them alike.
type ComparisonPlan struct {
	// Base is the name of the profile that the others are compared with.
	Base string `json:"base"`
	// Blocks is how many blocks were planned at first.
	Blocks int `json:"blocks"`
	// MaxBlocks is how many blocks there are after the run has extended itself, which it
	// may do once.
	MaxBlocks int `json:"maxBlocks"`
	// Repeats is how many blocks with an invalid burst may be sent again.
	Repeats int `json:"repeats"`
	// Looks is how often the results were judged to decide whether to go on: 1, or 2 after
	// an extension.
	Looks int `json:"looks"`
	// Layout says how the clusters of the profiles were kept: all of them for the whole
	// run, or a new one for each burst.
	Layout Layout `json:"layout"`
	// LayoutReason is a sentence that says why the layout was chosen.
	LayoutReason string `json:"layoutReason,omitempty"`
	// Criteria are what the run was judged by when it ended, as in a criteria file.
	Criteria json.RawMessage `json:"criteria,omitempty"`
}

// Layout is how the clusters of a comparison were kept.
type Layout string

// The layouts.
const (
	// SideBySide: all arms' clusters live for the whole run.
	SideBySide Layout = "side-by-side"
	// Anew: one cluster at a time, started and warmed up for each burst.
	Anew Layout = "anew"
)

// Profile is one cluster configuration of a run, as asked for and as in force.
type Profile struct {
	Name     string           `json:"name"`
	Provider string           `json:"provider"`
	Spec     clusters.Profile `json:"spec"`
	Nodes    []string         `json:"nodes,omitempty"`
	// KubernetesVersion is what the API server reports.
	KubernetesVersion string             `json:"kubernetesVersion,omitempty"`
	Effective         clusters.Effective `json:"effective,omitempty"`
	// EffectiveUnavailable says what of it cannot be read back on such a cluster, and why.
	EffectiveUnavailable string `json:"effectiveUnavailable,omitempty"`
	// Image is what the nodes were made from; nil where the provider cannot tell.
	Image *clusters.Image `json:"image,omitempty"`
	// NodeInfo is what the nodes say of themselves; empty where they could not be listed.
	NodeInfo []NodeInfo `json:"nodeInfo,omitempty"`
	// CreateSeconds is how long the provider took until all nodes were Ready.
	CreateSeconds float64 `json:"createSeconds,omitempty"`
	// Problems are reasons to distrust every burst of the profile.
	Problems []Problem `json:"problems,omitempty"`
}

// Problem is a reason to distrust a burst. Its Code is one of the Problem constants.
type Problem struct {
	// Code says what kind of problem it is, as "pod-lost" or "watch-gap". Codes are never
	// renamed.
	Code string `json:"code" jsonschema:"minLength=1"`
	// Detail is a sentence about this case.
	Detail string `json:"detail"`
}

// Burst is one load of N pods, from its submission until its end, or (Passive) the
// pods that others made.
type Burst struct {
	Profile string `json:"profile"`
	// Index counts the profile's bursts from 1, and its warm-ups, one a cluster, from 0.
	Index int `json:"index"`
	// Block is the block of a comparison that the burst belongs to; 0 outside one.
	Block  int  `json:"block"`
	Warmup bool `json:"warmup"`
	// Pods is how many pods the load asks for. Of a passive burst it is
	// Passive.Wanted, or how many were seen where none were asked for.
	Pods      int    `json:"pods"`
	Namespace string `json:"namespace"`
	// Workload is the object that was submitted; empty for a passive burst.
	Workload Workload `json:"workload,omitzero"`
	// BurstID is the value of the label that marks the burst's pods.
	BurstID string `json:"burstID"`
	// Submit and SubmitReturned are the observer's clock right before the
	// workload's POST and right after its answer. Zero for a passive burst: nobody knows.
	Submit         time.Time `json:"submit,omitzero"`
	SubmitReturned time.Time `json:"submitReturned,omitzero"`
	// Passive is nil but for a burst that others sent.
	Passive *Passive `json:"passive,omitempty"`
	// End is when observing ended; EndReason says why.
	End       time.Time `json:"end"`
	EndReason EndReason `json:"endReason"`
	// DeadlineSeconds is how long the burst was given from Submit.
	DeadlineSeconds float64 `json:"deadlineSeconds"`
	// CleanupSeconds is the time from End until the pods were gone and the cluster quiet.
	CleanupSeconds float64 `json:"cleanupSeconds,omitempty"`
	// WorkerNodes are the nodes on which the pods were meant to land.
	WorkerNodes []string `json:"workerNodes,omitempty"`
	// Health is how the watcher fared during the burst.
	Health WatchHealth `json:"watchHealth"`
	// AuditUnavailable says why there is no audit stream; empty where there is one.
	AuditUnavailable string `json:"auditUnavailable,omitempty"`
	// ClockOffset bounds the API server's clock against the observer's; nil where it was not measured.
	ClockOffset *ClockOffset `json:"clockOffset,omitempty"`
	// Load is how busy the machine was; nil where it was not read.
	Load *Load `json:"load,omitempty"`
	// MetricsErrors says by instance name why an exposition is missing that the
	// provider can give; MetricsUnavailable, why it cannot give one.
	MetricsErrors      map[string]string `json:"metricsErrors,omitempty"`
	MetricsUnavailable map[string]string `json:"metricsUnavailable,omitempty"`
	// LogsUnavailable says why marks from component logs may be absent; empty
	// where every log was read.
	LogsUnavailable string `json:"logsUnavailable,omitempty"`
	// UsageUnavailable says why there are no samples of any component's processor time
	// and memory; empty where there are some, and in recordings from before there were any.
	UsageUnavailable string `json:"usageUnavailable,omitempty"`
	// UsageErrors says by account why its samples end early or are absent.
	UsageErrors map[string]string `json:"usageErrors,omitempty"`
	// Profiled is set if CPU profiles of the components were asked for: such a burst is
	// slower, and never compared. ProfileErrors says by instance why there is none, or why
	// it does not cover the whole burst.
	Profiled      bool              `json:"profiled,omitempty"`
	ProfileErrors map[string]string `json:"profileErrors,omitempty"`
	// Problems were found while recording (a component that restarted, a node
	// not Ready); what follows from the streams is left to framework/validity.
	Problems []Problem `json:"problems,omitempty"`

	// Watch and Audit are the streams, in the order they were seen. They live in files of their own.
	Watch []Observation `json:"-"`
	Audit []AuditEvent  `json:"-"`
	// Events are the Kubernetes Events about the burst's pods and workload.
	Events []KubeEvent `json:"-"`
	// Logs are what the components logged about the burst's pods.
	Logs []LogLine `json:"-"`
	// Usage is what components used of the machine, each account's samples in order of time.
	Usage []UsageSample `json:"-"`
	// Metrics are Prometheus text expositions by instance name.
	Metrics map[string]MetricsPair `json:"-"`
	// CPUProfiles are pprof files by instance name.
	CPUProfiles map[string][]byte `json:"-"`
}

// Folder is the burst's folder name below its profile's: "burst-1", "warmup".
// Names hold no colon, so that artifacts can be unpacked anywhere.
func (b Burst) Folder() string { return folder(b.Index, b.Warmup) }

// EndReason says why observing a burst ended.
type EndReason string

// Why observing ended.
const (
	EndAllReady    EndReason = "all-ready"
	EndDeadline    EndReason = "deadline"
	EndInterrupted EndReason = "interrupted"
	// EndRefused: the API server refused the workload. (The values of this and the
	// next date from when every workload was a Job.)
	EndRefused EndReason = "job-refused"
	// EndPodFailed: a pod failed, and what followed was no longer a burst.
	EndPodFailed EndReason = "job-failed"
	// EndAborted: waiting on was pointless (a component exited).
	EndAborted EndReason = "aborted"
	// EndSettled: all pods of a passive burst were ready (or had failed), and then
	// nothing changed any more.
	EndSettled EndReason = "settled"
)

// MetricsPair is one instance's exposition right before and right after a burst.
type MetricsPair struct {
	Before, After []byte
}

// WatchHealth is how well the observer could watch: everything that could make its record
// incomplete. Counts are of the burst's window, except for the Total ones, which run from
// the watcher's start.
type WatchHealth struct {
	// Lists are full reads by LIST, the first and repeated ones.
	Lists int `json:"lists"`
	// StreamingLists are full reads by a WATCH with sendInitialEvents.
	StreamingLists int `json:"streamingLists"`
	// Watches are WATCH requests that go on from a resourceVersion.
	Watches int `json:"watches"`
	// WatchErrors are list or watch requests that failed, and streams that broke.
	WatchErrors int `json:"watchErrors"`
	// Throttled are the observer's requests that the API server answered with 429.
	Throttled int `json:"throttled"`
	// Relists are full reads after the first. Events may have been missed before them.
	Relists int `json:"relists"`
	// Events are the watch events received.
	Events int `json:"events"`
	// Late are pods that were already past a mark when they were first seen. The mark is
	// then missing.
	Late int `json:"late"`
	// Dropped are events that were lost because a queue was full.
	Dropped int `json:"dropped"`
	// MaxDelaySeconds is the longest time from decoding an event to having handled it.
	MaxDelaySeconds float64 `json:"maxDelaySeconds"`
	// CPUSeconds is the CPU time that the observer's process used during the burst.
	CPUSeconds float64 `json:"cpuSeconds"`
	// TotalLists is how many full reads by LIST there were since the watcher started.
	TotalLists int `json:"totalLists"`
	// TotalStreamingLists is how many full reads by a WATCH there were since the watcher
	// started.
	TotalStreamingLists int `json:"totalStreamingLists"`
	// TotalWatches is how many other WATCH requests there were since the watcher started.
	TotalWatches int `json:"totalWatches"`
}

// Observation is one pod object as the watcher saw it, trimmed to what marks need.
type Observation struct {
	// At is the observer's clock when the event had been decoded.
	At time.Time `json:"at"`
	// Type is "added", "modified" or "deleted".
	Type            string `json:"type"`
	UID             string `json:"uid"`
	Name            string `json:"name"`
	Namespace       string `json:"namespace"`
	ResourceVersion string `json:"resourceVersion"`
	// BurstID is the pod's burst label.
	BurstID string `json:"burstID,omitempty"`
	// OwnerUID is the UID of the controlling owner, empty for a foreign pod.
	OwnerUID string `json:"ownerUID,omitempty"`
	// Created is creationTimestamp (resolution 1 s).
	Created time.Time `json:"created"`
	Node    string    `json:"node,omitempty"`
	Phase   string    `json:"phase,omitempty"`
	// StartTime is status.startTime (1 s).
	StartTime *time.Time `json:"startTime,omitempty"`
	// Deleting is set once the pod has a deletionTimestamp.
	Deleting   bool        `json:"deleting,omitempty"`
	Conditions []Condition `json:"conditions,omitempty"`
	Containers Containers  `json:"containers"`
	// Initial: the object came with a full read, not as a change.
	Initial bool `json:"initial,omitempty"`
	// Stateful: the pod mounts volumes other than secrets, configmaps, downward
	// API and emptyDir (the pod startup SLI's words; projected volumes of these count as they do).
	Stateful bool `json:"stateful,omitempty"`
	// InitContainers is how many the pod has.
	InitContainers int `json:"initContainers,omitempty"`
	// SchedulingGates is how many are left of those that keep it from being scheduled.
	SchedulingGates int `json:"schedulingGates,omitempty"`
}

// Condition is a pod condition. Since is lastTransitionTime (1 s).
type Condition struct {
	Type   string    `json:"type"`
	Status string    `json:"status"`
	Reason string    `json:"reason,omitempty"`
	Since  time.Time `json:"since,omitzero"`
}

// Containers sums up a pod's container statuses (init containers not counted).
type Containers struct {
	Total      int `json:"total"`
	Running    int `json:"running"`
	Ready      int `json:"ready"`
	Terminated int `json:"terminated"`
	Failed     int `json:"failed"`
	Restarts   int `json:"restarts"`
	// StartedAt is the latest state.running.startedAt (1 s); zero if none runs.
	StartedAt time.Time `json:"startedAt,omitzero"`
	// Waiting is the first waiting reason ("ImagePullBackOff"), if any.
	Waiting string `json:"waiting,omitempty"`
}

// AuditEvent is an audit.k8s.io/v1 Event of stage ResponseComplete, trimmed.
// Both times are the API server's clock with a resolution of 1 µs.
type AuditEvent struct {
	AuditID     string `json:"auditID"`
	Verb        string `json:"verb"`
	APIGroup    string `json:"apiGroup,omitempty"`
	Resource    string `json:"resource"`
	Subresource string `json:"subresource,omitempty"`
	Namespace   string `json:"namespace,omitempty"`
	Name        string `json:"name,omitempty"`
	// UID is the object's, where the request or response body named it.
	UID       string    `json:"uid,omitempty"`
	User      string    `json:"user,omitempty"`
	UserAgent string    `json:"userAgent,omitempty"`
	Code      int       `json:"code"`
	Received  time.Time `json:"received"`
	Completed time.Time `json:"completed"`
	// BurstID is the created pod's or job's burst label.
	BurstID string `json:"burstID,omitempty"`
	// OwnerUID is the created pod's controlling owner.
	OwnerUID string `json:"ownerUID,omitempty"`
	// TargetNode is the node that a binding names.
	TargetNode string `json:"targetNode,omitempty"`
	// Status is what a write of pods/status carries.
	Status *StatusChange `json:"status,omitempty"`
}

// StatusChange is what one pods/status patch sets. A patch carries only what it
// changes: an empty field was not touched.
type StatusChange struct {
	Phase      string      `json:"phase,omitempty"`
	Conditions []Condition `json:"conditions,omitempty"`
	// Containers is nil when the patch does not touch container statuses.
	Containers *Containers `json:"containers,omitempty"`
	// StartTime is status.startTime (1 s); zero when the patch does not set it.
	StartTime time.Time `json:"startTime,omitzero"`
}
