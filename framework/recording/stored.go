package recording

import (
	"encoding/json"
	"io"
	"path"
)

// Names of the files of a run.
const (
	manifestFile  = "run.json"
	profileFile   = "profile.json"
	burstFile     = "burst.json"
	watchFile     = "watch.jsonl"
	auditFile     = "audit.jsonl"
	eventsFile    = "events.jsonl"
	logsFile      = "logs.jsonl"
	usageFile     = "usage.jsonl"
	metricsFolder = "metrics"
	pprofFolder   = "pprof"
	// PodsFile is a burst's derived file, which framework/recording itself neither
	// writes nor reads.
	PodsFile = "pods.jsonl"
)

// storedBurst is burst.json: the burst, and what a reader needs to tell whether the
// files beside it are whole.
type storedBurst struct {
	Burst
	// Lines is how many lines each stream was written with, by file name. A
	// stream that is not in here was not written.
	Lines map[string]int `json:"lines"`
	// MetricsOf lists the instances that have metrics files, for a file's name
	// need not give back the instance's.
	MetricsOf []string `json:"metricsOf,omitempty"`
	// PprofOf lists the instances that have a CPU profile.
	PprofOf []string `json:"pprofOf,omitempty"`
	// JobName and JobUID are what v1 has in the place of Burst.Workload.
	JobName string `json:"jobName,omitempty"`
	JobUID  string `json:"jobUID,omitempty"`
}

// burst is the stored burst in terms of this version.
func (s *storedBurst) burst() Burst {
	b := s.Burst
	if b.Workload == (Workload{}) && s.JobName != "" {
		b.Workload = Job(s.JobName, s.JobUID)
	}
	return b
}

func metricsFiles(instance string) (before, after string) {
	name := PathName(instance)
	return name + ".before.prom", name + ".after.prom"
}

// PprofFile is the path of an instance's CPU profile below the burst's folder.
func PprofFile(instance string) string { return path.Join(pprofFolder, PathName(instance)+".pb.gz") }

// stream is one .jsonl file of a burst.
type stream struct {
	file   string
	len    func() int
	encode func(io.Writer) error
	// decode appends one line's value.
	decode func(line []byte) error
}

// streams are the burst's .jsonl files, bound to its fields.
func streams(b *Burst) []stream {
	return []stream{
		streamOf(watchFile, &b.Watch),
		streamOf(auditFile, &b.Audit),
		streamOf(eventsFile, &b.Events),
		streamOf(logsFile, &b.Logs),
		streamOf(usageFile, &b.Usage),
	}
}

func streamOf[T any](file string, values *[]T) stream {
	return stream{
		file: file,
		len:  func() int { return len(*values) },
		encode: func(w io.Writer) error {
			enc := json.NewEncoder(w)
			enc.SetEscapeHTML(false)
			for i := range *values {
				if err := enc.Encode(&(*values)[i]); err != nil {
					return err
				}
			}
			return nil
		},
		decode: func(line []byte) error {
			var v T
			if err := json.Unmarshal(line, &v); err != nil {
				return err
			}
			*values = append(*values, v)
			return nil
		},
	}
}
