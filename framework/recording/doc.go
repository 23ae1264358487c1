// Package recording is the file format of a run: what was observed, before any
// judgment. A burst writes its observations to raw/<profile>/<burst>/ as it
// goes; everything after that (timelines, statistics, verdicts, reports) is a
// pure function of these files, can be computed again offline, and is tested
// from recorded runs without a cluster.
//
// The idea (record first, judge later) comes from etcd's robustness tests.
//
// Layout below a run's folder:
//
//	raw/run.json                                   Manifest
//	raw/<profile>/profile.json                     Profile
//	raw/<profile>/<burst>/burst.json               Burst (without the streams)
//	raw/<profile>/<burst>/watch.jsonl              one Observation per line
//	raw/<profile>/<burst>/audit.jsonl              one AuditEvent per line
//	raw/<profile>/<burst>/events.jsonl             one KubeEvent per line
//	raw/<profile>/<burst>/logs.jsonl               one LogLine per line
//	raw/<profile>/<burst>/usage.jsonl              one UsageSample per line
//	raw/<profile>/<burst>/metrics/<instance>.{before,after}.prom
//	raw/<profile>/<burst>/pods.jsonl               derived timelines, for people
//
// Files are written to a temporary name and renamed, so that a full disk or a
// kill leaves earlier files whole. burst.json is written last and counts the
// lines of the streams beside it, so that a reader can tell what is missing.
// Times are RFC 3339 with nanoseconds. Names of profiles and instances become
// path elements by PathName.
//
// Compatibility: a reader refuses versions it does not know. Within one, fields
// may be added (readers ignore those they do not know) and never change meaning.
package recording
