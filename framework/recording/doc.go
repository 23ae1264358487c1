// Package recording is the file format of a run: what was observed, before any
// judgement. A burst writes its observations to raw/<profile>/<burst>/ as it
// goes; everything after that (timelines, statistics, verdicts, reports) is a
// pure function of these files, can be computed again offline, and is tested
// from recorded runs with no cluster.
//
// The idea (record first, judge later) is that of etcd's robustness tests.
//
// Layout below a run's folder:
//
//	raw/run.json                                   Manifest
//	raw/<profile>/profile.json                     Profile
//	raw/<profile>/<burst>/burst.json               Burst (without the streams)
//	raw/<profile>/<burst>/watch.jsonl              one Observation a line
//	raw/<profile>/<burst>/audit.jsonl              one AuditEvent a line
//	raw/<profile>/<burst>/events.jsonl             one KubeEvent a line
//	raw/<profile>/<burst>/metrics/<instance>.{before,after}.prom
//	raw/<profile>/<burst>/pods.jsonl               derived timelines, for people
//
// Files are written to a temporary name and renamed, so that a full disk or a
// kill leaves earlier files whole. Times are RFC 3339 with nanoseconds.
package recording
