package recording

// Codes of Problems. They are part of the file format: readers match on them, so a
// code is never renamed. framework/validity decides which ones make a burst invalid;
// the packages that record only state what they saw.
const (
	// ProblemPodLost: an expected pod was never seen, or vanished before it was ready.
	ProblemPodLost = "pod-lost"
	// ProblemPodFailed: a pod reached phase Failed, or one of its containers ended
	// with an error.
	ProblemPodFailed = "pod-failed"
	// ProblemPodPending: a pod was not ready when the burst ended.
	ProblemPodPending = "pod-pending"
	// ProblemPodDeleted: a pod was being deleted while the burst was observed.
	ProblemPodDeleted = "pod-deleted"
	// ProblemPodReplaced: the workload made more pods than it was asked for.
	ProblemPodReplaced = "pod-replaced"
	// ProblemPodRestarted: a container restarted, so later marks belong to its next
	// life.
	ProblemPodRestarted = "pod-restarted"
	// ProblemPodLate: a pod was already past a mark when the watcher first saw it.
	ProblemPodLate = "pod-late"
	// ProblemForeignPod: a pod not made by the burst's workload ran in its namespace during the burst.
	ProblemForeignPod = "foreign-pod"
	// ProblemMarkMissing: a ready pod lacks a mark that the provider can give.
	ProblemMarkMissing = "mark-missing"
	// ProblemNegativeDuration: a phase is negative by more than the error of its
	// clocks.
	ProblemNegativeDuration = "negative-duration"
	// ProblemWatchGap: the watcher had to list again, so it may have missed events.
	ProblemWatchGap = "watch-gap"
	// ProblemWatchDropped: the watcher received events that it could not keep.
	ProblemWatchDropped = "watch-dropped"
	// ProblemClockStep: the observer's wall clock and monotonic clock drifted apart during the burst.
	ProblemClockStep = "clock-step"
	// ProblemClockOffset: the observer's clock and the API server's differ by more than a request took.
	ProblemClockOffset = "clock-offset"
	// ProblemImagePulled: a node pulled an image during the burst although none
	// should be pulled.
	ProblemImagePulled = "image-pulled"
	// ProblemNodeNotReady: a worker node was not Ready for some of the burst.
	ProblemNodeNotReady = "node-not-ready"
	// ProblemObserverThrottled: the observer's own client waited in a limiter or was answered 429.
	ProblemObserverThrottled = "observer-throttled"
	// ProblemSettingsMismatch: a component does not run with the settings its profile
	// asks for.
	ProblemSettingsMismatch = "settings-mismatch"
	// ProblemAuditGap: the audit log is incomplete or could not be read for the burst.
	ProblemAuditGap = "audit-gap"
	// ProblemComponentRestarted: a component was served by another process after the
	// burst than before it.
	ProblemComponentRestarted = "component-restarted"
	// ProblemComponentExited: a component's process had ended during or right after the burst.
	ProblemComponentExited = "component-exited"
	// ProblemNoSamples: no pod of the burst can be measured.
	ProblemNoSamples = "no-samples"
	// ProblemInterrupted: the run was interrupted while the burst was observed.
	ProblemInterrupted = "interrupted"
	// ProblemTruncatedRecording: the burst's files end early or are missing.
	ProblemTruncatedRecording = "truncated-recording"
	// ProblemRefused: the API server refused the burst's workload, of whatever kind.
	ProblemRefused = "job-refused"
	// ProblemAccounting: the pods do not add up to what was expected.
	ProblemAccounting = "accounting"
)
