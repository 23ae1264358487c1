package reports

import "github.com/podburst/podburst/framework/recording"

// Workload is what the pods of the run's bursts come from, for the wording of sentences. A
// report read from report.json does not say; a Job is then assumed.
func (r *Report) Workload() recording.Workload {
	for i := range r.Bursts {
		if w := r.Bursts[i].Workload; w != (recording.Workload{}) {
			return w
		}
	}
	return recording.Job("", "")
}
