package listcost

import (
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/framework/watch"
)

// Result is what a measurement amounts to: a pure function of what was recorded.
type Result struct {
	Profile           string `json:"profile"`
	KubernetesVersion string `json:"kubernetesVersion,omitempty"`
	// Nodes are the cluster's workers.
	Nodes []string `json:"nodes"`
	// Complete: every planned size was measured.
	Complete           bool   `json:"complete"`
	AuditUnavailable   string `json:"auditUnavailable,omitempty"`
	MetricsUnavailable string `json:"metricsUnavailable,omitempty"`
	// Limit is the page size that was asked for.
	Limit      int              `json:"limit"`
	Strategies []StrategyResult `json:"strategies"`
	Informers  []InformerResult `json:"informers"`
	// ListDifferences are those between lists, Differences those between styles.
	ListDifferences []ListDifference  `json:"listDifferences"`
	Differences     []StyleDifference `json:"differences"`
	// Watcher is what the run's own watcher asked of the API server for each resource.
	Watcher map[string]watch.Requests `json:"watcher"`
	// Findings are sentences about this server; none is a failure.
	Findings []string `json:"findings"`
	Checks   []Check  `json:"checks"`
}

// StrategyResult is one way to list.
type StrategyResult struct {
	Name string `json:"name"`
	Help string `json:"help"`
	// Requests are the parameters sent at the largest size, each once, as they
	// stand in the URL; continue tokens are "*".
	Requests []string `json:"requests"`
	// Unserved is the server's refusal; empty where it serves the strategy.
	Unserved string `json:"unserved,omitempty"`
	// ServedFrom is "watch cache", "etcd" or "watch cache and etcd" by the API
	// server's own count; empty where it does not tell (streams never do: they
	// come from the watch cache).
	ServedFrom string   `json:"servedFrom,omitempty"`
	Points     []Point  `json:"points"`
	Growth     []Growth `json:"growth"`
}

// Point is a strategy at one number of pods. Times are seconds; statistics are
// null where nothing was measured.
type Point struct {
	Pods int `json:"pods"`
	// Tries were made, Failed of them without a whole answer; FirstError says why.
	Tries      int    `json:"tries"`
	Failed     int    `json:"failed"`
	FirstError string `json:"firstError,omitempty"`
	// Pages is how many answers it took (the most of any try).
	Pages int `json:"pages"`
	// Bytes and WireBytes are medians, after and before decompression.
	Bytes     int64 `json:"bytes"`
	WireBytes int64 `json:"wireBytes"`
	// Seconds is from sending to the last pod decoded, DecodeSeconds the part of
	// it that decoding took (0 for a stream, which is decoded as it comes).
	Seconds          *stats.Summary `json:"seconds"`
	FirstByteSeconds *stats.Summary `json:"firstByteSeconds"`
	DecodeSeconds    *stats.Summary `json:"decodeSeconds"`
	// ServerSeconds is from the audit log, all requests of a try together; of a
	// stream until the client has closed it.
	ServerSeconds *stats.Summary `json:"serverSeconds"`
	// Samples are the tries' Seconds in the order they were made.
	Samples []float64 `json:"samplesSeconds"`
	// Slow tries took more than SlowList; SlowestSteps are the slowest one's.
	Slow         int        `json:"slow"`
	SlowestSteps []ListStep `json:"slowestSteps,omitempty"`
}

// InformerResult is a client style with some consumers at one number of pods.
// Bytes and memory are medians.
type InformerResult struct {
	Style      string `json:"style"`
	Consumers  int    `json:"consumers"`
	Pods       int    `json:"pods"`
	Tries      int    `json:"tries"`
	Failed     int    `json:"failed"`
	FirstError string `json:"firstError,omitempty"`
	// Requests are those of the last try until all were synced.
	Requests []RequestCount `json:"requests"`
	// FullReads and Watches are how many lists (streaming ones, too) it took to
	// sync, and how many watch streams were open then; the most of any try.
	FullReads int `json:"fullReads"`
	Watches   int `json:"watches"`
	// SyncBytes were read until synced, ChangeBytes while pods were changed; the
	// wire bytes are before decompression.
	SyncBytes       int64 `json:"syncBytes"`
	SyncWireBytes   int64 `json:"syncWireBytes"`
	ChangeBytes     int64 `json:"changeBytes"`
	ChangeWireBytes int64 `json:"changeWireBytes"`
	// SyncedSeconds is until each consumer's work queue had handed out every
	// pod, ChangesSeconds until each had seen all changes.
	SyncedSeconds  *stats.Summary `json:"syncedSeconds"`
	ChangesSeconds *stats.Summary `json:"changesSeconds"`
	// ServerSeconds are the API server's own histograms of lists and streaming
	// lists of pods over the try.
	ServerSeconds *stats.Summary `json:"serverSeconds"`
	// CPUSeconds is the whole client process's until synced.
	CPUSeconds     *stats.Summary `json:"cpuSeconds"`
	AllocatedBytes int64          `json:"allocatedBytes"`
	LiveBytes      int64          `json:"liveBytes"`
	// ListTimeout and WatchTimeout tell whether the client gives up a list or a
	// watch after a time; ServerTimeout is after which times the server is
	// asked to end watches, "5m0s to 10m0s"; empty: none.
	ListTimeout   bool   `json:"listTimeout"`
	WatchTimeout  bool   `json:"watchTimeout"`
	ServerTimeout string `json:"serverTimeout,omitempty"`
}

// Ratio is how many times as much one thing takes as another, over rounds in which
// both were tried.
type Ratio struct {
	// Rounds is how many pairs of tries there are, and Median the median of their
	// ratios, with its 99 % interval by order statistics; null with fewer
	// than 8.
	Rounds int      `json:"rounds"`
	Median *float64 `json:"median"`
	Low    *float64 `json:"low"`
	High   *float64 `json:"high"`
	// Beyond: the interval leaves 1 out, and the median is at least 5 % from it.
	Beyond bool `json:"beyondNoise"`
}

// ListDifference is how many times as much a list takes as the strategy "full".
type ListDifference struct {
	List string `json:"list"`
	Pods int    `json:"pods"`
	// Quantity is "seconds" or "serverSeconds".
	Quantity string `json:"quantity"`
	Ratio    Ratio  `json:"ratio"`
}

// StyleDifference is how many times as much private informers take as a shared one.
type StyleDifference struct {
	Pods      int    `json:"pods"`
	Consumers int    `json:"consumers"`
	Quantity  string `json:"quantity"`
	Ratio     Ratio  `json:"ratio"`
}

// Check is one verdict. Names hold no measured number.
type Check struct {
	Name    string          `json:"name"`
	Verdict verdict.Verdict `json:"verdict"`
	Message string          `json:"message"`
}
