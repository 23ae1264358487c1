package recording

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

func edit(t *testing.T, path string, change func(string) string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(change(string(data))), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestADamagedStreamIsAProblemOfItsBurst(t *testing.T) {
	drop := func(n int) func(string) string { return func(s string) string { return s[:len(s)-n] } }
	for name, c := range map[string]struct {
		file   string
		change func(string) string
		watch  int // lines that stay
		want   string
	}{
		"last line cut":              {watchFile, drop(10), 1, "watch.jsonl ends within line 2"},
		"last line gone":             {watchFile, func(s string) string { i := strings.IndexByte(s, '\n'); return s[:i+1] }, 1, "watch.jsonl has 1 lines; it was written with 2"},
		"empty":                      {watchFile, func(string) string { return "" }, 0, "watch.jsonl has 0 lines; it was written with 2"},
		"a line too many":            {watchFile, func(s string) string { return s + "{}\n" }, 3, "watch.jsonl has 3 lines; it was written with 2"},
		"no newline at the end":      {watchFile, drop(1), 2, ""},
		"other stream's line is cut": {auditFile, drop(5), 2, "audit.jsonl ends within line 1"},
		"a sample of usage is cut":   {usageFile, drop(5), 2, "usage.jsonl ends within line 2"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := writeRun(t, aBurst("default", 1))
			edit(t, filepath.Join(dir, "raw/default/burst-1", c.file), c.change)
			run, err := Read(dir)
			if err != nil {
				t.Fatal(err)
			}
			b := run.Bursts[0]
			if len(b.Watch) != c.watch {
				t.Errorf("kept %d watch lines, want %d", len(b.Watch), c.watch)
			}
			if c.want == "" {
				if len(b.Problems) != 0 {
					t.Errorf("problems of a whole stream: %v", b.Problems)
				}
				return
			}
			if len(b.Problems) != 1 || b.Problems[0] != (Problem{Code: ProblemTruncatedRecording, Detail: c.want}) {
				t.Errorf("problems are %v, want %q", b.Problems, c.want)
			}
		})
	}
}

func TestAMissingFileIsAProblemOfItsBurst(t *testing.T) {
	dir := writeRun(t, aBurst("default", 1))
	for _, f := range []string{"audit.jsonl", "metrics/kube-scheduler.after.prom", "pprof/kube-scheduler.pb.gz"} {
		if err := os.Remove(filepath.Join(dir, "raw/default/burst-1", f)); err != nil {
			t.Fatal(err)
		}
	}
	run, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := run.Bursts[0].Problems; len(got) != 3 {
		t.Errorf("problems are %v, want one for each file", got)
	}
}

func TestABurstWithoutItsLastFileIsUnfinished(t *testing.T) {
	dir := writeRun(t, aBurst("default", 1))
	if err := os.Remove(filepath.Join(dir, "raw/default/burst-1/burst.json")); err != nil {
		t.Fatal(err)
	}
	run, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Bursts) != 0 || len(run.Unfinished) != 1 || run.Unfinished[0] != "raw/default/burst-1" {
		t.Errorf("bursts %v, unfinished %q; want the folder among the unfinished", run.Bursts, run.Unfinished)
	}
}

func TestReadRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(t *testing.T, dir string)
		want   string
	}{
		"another format version": {func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "raw/run.json"), func(s string) string { return strings.Replace(s, "recording/v2", "recording/v3", 1) })
		}, `is of format "podburst.dev/recording/v3" and this podburst reads only ["podburst.dev/recording/v2" "podburst.dev/recording/v1"]`},
		"a line within a stream that is no JSON": {func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "raw/default/burst-1/watch.jsonl"), func(s string) string { return "x" + s })
		}, "raw/default/burst-1/watch.jsonl: line 1:"},
		"a burst in another profile's folder": {func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "raw/default/burst-1/burst.json"), func(s string) string { return strings.Replace(s, `"default"`, `"tuned"`, 1) })
		}, `says that it is "burst-1" of profile "tuned"`},
		"a folder that is no run": {func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "raw/run.json")); err != nil {
				t.Fatal(err)
			}
		}, "this is no run's folder"},
		"a link out of the folder": {func(t *testing.T, dir string) {
			link := filepath.Join(dir, "raw/run.json")
			outside := filepath.Join(t.TempDir(), "run.json")
			if err := os.Rename(link, outside); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(outside, link); err != nil {
				t.Fatal(err)
			}
		}, "escapes"},
		"a folder for a file": {func(t *testing.T, dir string) {
			p := filepath.Join(dir, "raw/default/burst-1/watch.jsonl")
			if err := os.Remove(p); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(p, 0o755); err != nil {
				t.Fatal(err)
			}
		}, "is no regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := writeRun(t, aBurst("default", 1))
			c.change(t, dir)
			_, err := Read(dir)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want one that says %q", err, c.want)
			}
		})
	}
}

func TestTheArtifactsFolderIsNotARun(t *testing.T) {
	dir := writeRun(t)
	_, err := Read(filepath.Dir(dir))
	if err == nil || !strings.Contains(err.Error(), "name one of them: "+filepath.Base(dir)) {
		t.Errorf("error is %v, want one that names the run", err)
	}
}

func TestUnknownFieldsAreIgnored(t *testing.T) {
	dir := writeRun(t, aBurst("default", 1))
	for _, f := range []string{"raw/run.json", "raw/default/profile.json", "raw/default/burst-1/burst.json", "raw/default/burst-1/watch.jsonl"} {
		edit(t, filepath.Join(dir, f), func(s string) string { return strings.Replace(s, "{", `{"addedLater": {"x": 1}, `, 1) })
	}
	run, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Bursts[0].Problems) != 0 {
		t.Errorf("problems are %v, want none", run.Bursts[0].Problems)
	}
}

// memoryRun is a run in memory whose files tests make as large as they like.
func memoryRun(t testing.TB, lines map[string]int, files map[string]string) fstest.MapFS {
	t.Helper()
	encode := func(v any) *fstest.MapFile {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return &fstest.MapFile{Data: data}
	}
	m := fstest.MapFS{
		"raw/run.json":               encode(Manifest{Version: Version, ID: "run", StartedAt: time.Unix(0, 0).UTC()}),
		"raw/p/profile.json":         encode(Profile{Name: "p"}),
		"raw/p/burst-1/burst.json":   encode(storedBurst{Burst: Burst{Profile: "p", Index: 1}, Lines: lines}),
		"raw/p/burst-1/watch.jsonl":  {},
		"raw/p/burst-1/audit.jsonl":  {},
		"raw/p/burst-1/events.jsonl": {},
	}
	for name, data := range files {
		m[name] = &fstest.MapFile{Data: []byte(data)}
	}
	return m
}

func TestSizesAreBounded(t *testing.T) {
	limit := sizes{document: 1000, stream: 1000, line: 100, metrics: 1000, folders: 5, pods: 10}
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"a manifest too large":   {map[string]string{"raw/run.json": strings.Repeat(" ", 1001)}, "raw/run.json has 1001 bytes"},
		"a stream too large":     {map[string]string{"raw/p/burst-1/watch.jsonl": strings.Repeat("{}\n", 400)}, "watch.jsonl has 1200 bytes"},
		"a line too long":        {map[string]string{"raw/p/burst-1/watch.jsonl": `{"name":"` + strings.Repeat("x", 200) + `"}`}, "line 1 is longer than 100 bytes"},
		"too many pods":          {map[string]string{"raw/p/burst-1/burst.json": `{"profile":"p","index":1,"pods":11}`}, "a burst of 11 pods is out of range"},
		"a negative pod count":   {map[string]string{"raw/p/burst-1/burst.json": `{"profile":"p","index":1,"pods":-1}`}, "a burst of -1 pods is out of range"},
		"too many entries":       {map[string]string{"raw/1": "", "raw/2": "", "raw/3": "", "raw/4": ""}, "raw has 6 entries"},
		"a profile read twice":   {map[string]string{"raw/q/profile.json": `{"name":"p"}`}, `profile "p" was read from another folder`},
		"bursts without profile": {map[string]string{"raw/q/burst-1/burst.json": `{"profile":"q","index":1}`}, "the folder has bursts and no profile.json"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read(memoryRun(t, nil, c.files), limit)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want one that says %q", err, c.want)
			}
		})
	}
}

// A line longer than the read buffer is still one line.
func TestALongLineIsReadWhole(t *testing.T) {
	name := strings.Repeat("x", 200_000)
	run, err := read(memoryRun(t, map[string]int{watchFile: 2}, map[string]string{
		"raw/p/burst-1/watch.jsonl": `{"name":"` + name + `"}` + "\n" + `{"name":"short"}` + "\n",
	}), defaultSizes())
	if err != nil {
		t.Fatal(err)
	}
	got := run.Bursts[0].Watch
	if len(got) != 2 || got[0].Name != name || got[1].Name != "short" {
		t.Errorf("read %d lines, want the long and the short one", len(got))
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"version":"`+Version+`"}`, `{"name":"p"}`, `{"profile":"p","index":1,"pods":1,"lines":{"watch.jsonl":1},"metricsOf":["a"]}`, `{"uid":"u"}`+"\n")
	f.Add(`{}`, `[]`, `null`, "\n\n{")
	f.Fuzz(func(t *testing.T, manifest, profile, burst, stream string) {
		fsys := memoryRun(t, nil, map[string]string{
			"raw/run.json": manifest, "raw/p/profile.json": profile,
			"raw/p/burst-1/burst.json": burst, "raw/p/burst-1/watch.jsonl": stream, "raw/p/burst-1/audit.jsonl": stream,
		})
		run, err := read(fsys, defaultSizes())
		if err == nil && run.Manifest.Version != Version {
			t.Errorf("version %q was taken", run.Manifest.Version)
		}
	})
}

// Samples of usage were added within version 2.
func TestARecordingFromBeforeThereWereSamplesOfUsageIsRead(t *testing.T) {
	dir := writeRun(t, aBurst("default", 1))
	burst := filepath.Join(dir, "raw/default/burst-1")
	if err := os.Remove(filepath.Join(burst, usageFile)); err != nil {
		t.Fatal(err)
	}
	edit(t, filepath.Join(burst, burstFile), func(s string) string { return strings.Replace(s, `"usage.jsonl": 2,`, "", 1) })
	run, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if b := run.Bursts[0]; len(b.Problems) != 0 || b.Usage != nil {
		t.Errorf("%d samples, problems %v", len(b.Usage), b.Problems)
	}
}

// In version 1 every workload was a Job.
func TestARecordingOfTheFirstVersionIsOfAJob(t *testing.T) {
	dir := writeRun(t, aBurst("default", 1))
	edit(t, filepath.Join(dir, "raw/run.json"), func(s string) string { return strings.Replace(s, "recording/v2", "recording/v1", 1) })
	edit(t, filepath.Join(dir, "raw/default/burst-1/burst.json"), func(s string) string {
		i := strings.Index(s, `"workload": {`)
		j := i + strings.Index(s[i:], "},")
		return s[:i] + `"jobName": "job", "jobUID": "job-uid",` + s[j+len("},"):]
	})
	run, err := Read(dir)
	if err != nil || len(run.Bursts) != 1 {
		t.Fatalf("%d bursts, %v", len(run.Bursts), err)
	}
	if got := run.Bursts[0].Workload; got != Job("job", "job-uid") {
		t.Errorf("workload %+v", got)
	}
}
