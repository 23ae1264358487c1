package componentlog

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/podburst/podburst/internal/golden"
)

// recordedAt is a time near that of the recorded samples.
var recordedAt = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

func read(t *testing.T, text string) *Log {
	t.Helper()
	log, err := Read(strings.NewReader(text), recordedAt, nil)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// Every sample was written by the component, or by the client-go and klog of the
// version in its folder's name; see testdata/README.md.
func TestRecordedSamples(t *testing.T) {
	for _, sample := range golden.Files(t, "testdata/*/*.log") {
		t.Run(strings.TrimPrefix(sample, "testdata/"), func(t *testing.T) {
			text, err := os.ReadFile(sample)
			if err != nil {
				t.Fatal(err)
			}
			log := read(t, string(text))
			if log.Damaged != 0 {
				t.Errorf("%d damaged lines", log.Damaged)
			}
			got, err := json.MarshalIndent(log, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			golden.Check(t, strings.TrimSuffix(sample, ".log")+".json", string(got)+"\n")
		})
	}
}

func TestLinesAreReadInEveryFormAndUnderEveryPrefix(t *testing.T) {
	at := time.Date(2026, 11, 29, 15, 39, 28, 487338000, time.UTC)
	pod := PodName{Namespace: "ns", Name: "pod-a"}
	created := Line{At: at, Kind: Created, Pod: pod, Container: "pause"}
	waited := Line{At: at, Kind: Throttled, Wait: 1174300141 * time.Nanosecond, Verb: "POST", URL: "https://127.0.0.1:6443/api/v1/namespaces/ns/pods"}
	for name, test := range map[string]struct {
		text string
		want Line
	}{
		"text": {
			`I1129 15:39:28.487338       1 schedule_one.go:483] "Successfully bound pod to node" pod="ns/pod-a" node="worker" evaluatedNodes=2 feasibleNodes=1`,
			Line{At: at, Kind: Bound, Pod: pod, Node: "worker"},
		},
		"keys in another order, with more of them": {
			`I1129 15:39:28.487338       1 schedule_one.go:1] "Successfully bound pod to node" logger="x" n=3 node="worker" pod="ns/pod-a"`,
			Line{At: at, Kind: Bound, Pod: pod, Node: "worker"},
		},
		"a key within a quoted value": {
			`I1129 15:39:28.487338       1 s.go:1] "Successfully bound pod to node" note="a \"b\" node=\"wrong\" " pod="ns/pod-a" node="worker"`,
			Line{At: at, Kind: Bound, Pod: pod, Node: "worker"},
		},
		"JSON": {
			`{"ts":1795966768487.338,"caller":"x.go:1","msg":"Successfully bound pod to node","v":2,"pod":{"name":"pod-a","namespace":"ns"},"node":"worker"}`,
			Line{At: at, Kind: Bound, Pod: pod, Node: "worker"},
		},
		"journald": {
			`2026-11-29T15:39:28.500000+0000 worker kubelet[168]: I1129 15:39:28.487338     168 event.go:395] "Event occurred" object="ns/pod-a" fieldPath="spec.containers{pause}" kind="Pod" apiVersion="v1" type="Normal" reason="Created" message="Container created"`,
			created,
		},
		"container runtime": {
			`2026-11-29T15:39:28.5Z stderr F I1129 15:39:28.487338     168 event.go:307] "Event occurred" object="ns/pod-a" fieldPath="spec.containers{pause}" kind="Pod" apiVersion="v1" type="Normal" reason="Created" message="Created container pause"`,
			created,
		},
		"container runtime, JSON": {
			`2026-11-29T15:39:28.5Z stderr F {"ts":1795966768487.338,"msg":"Event occurred","v":3,"object":{"name":"pod-a","namespace":"ns"},"fieldPath":"spec.containers{pause}","kind":"Pod","reason":"Created"}`,
			created,
		},
		"init container": {
			`I1129 15:39:28.487338     168 event.go:395] "Event occurred" object="ns/pod-a" fieldPath="spec.initContainers{setup}" kind="Pod" reason="Started"`,
			Line{At: at, Kind: Started, Pod: pod, Container: "setup", Init: true},
		},
		"wait": {
			`I1129 15:39:28.487338       1 request.go:754] "Waited before sending request" delay="1.174300141s" reason="client-side throttling, not priority and fairness" verb="POST" URL="https://127.0.0.1:6443/api/v1/namespaces/ns/pods"`,
			waited,
		},
		"wait, until 1.32": {
			`I1129 15:39:28.487338       1 request.go:697] Waited for 1.174300141s due to client-side throttling, not priority and fairness, request: POST:https://127.0.0.1:6443/api/v1/namespaces/ns/pods`,
			waited,
		},
	} {
		t.Run(name, func(t *testing.T) {
			log := read(t, test.text+"\n")
			if len(log.Lines) != 1 || log.Lines[0] != test.want {
				t.Errorf("got  %+v\nwant %+v", log.Lines, test.want)
			}
			if log.Read != 1 || log.Unstamped != 0 || log.Damaged != 0 {
				t.Errorf("counts are %+v", log)
			}
		})
	}
}

func TestOtherLinesAreNoMarks(t *testing.T) {
	for name, text := range map[string]string{
		"server asks to wait":            `I1129 15:39:28.487338       1 request.go:754] "Waited before sending request" delay="1s" reason="retries: 1, retry-after: 1s - retry-reason: due to retryable error" verb="GET" URL="x"`,
		"server asks to wait, 1.32":      `I1129 15:39:28.487338       1 request.go:697] Waited for 1s due to retry-after, request: GET:x`,
		"event of a node":                `I1129 15:39:28.487338     168 event.go:395] "Event occurred" object="worker" fieldPath="" kind="Node" reason="Started"`,
		"event of another kind":          `I1129 15:39:28.487338     168 event.go:395] "Event occurred" object="ns/x" fieldPath="spec.containers{pause}" kind="Lease" reason="Created"`,
		"ephemeral container":            `I1129 15:39:28.487338     168 event.go:395] "Event occurred" object="ns/x" fieldPath="spec.ephemeralContainers{debug}" kind="Pod" reason="Created"`,
		"another reason":                 `I1129 15:39:28.487338     168 event.go:395] "Event occurred" object="ns/x" fieldPath="spec.containers{pause}" kind="Pod" reason="Pulled"`,
		"the words as another's message": `I1129 15:39:28.487338       1 x.go:1] "Quoted" text="\"Successfully bound pod to node\" pod=\"a/b\""`,
	} {
		t.Run(name, func(t *testing.T) {
			if log := read(t, text+"\n"); len(log.Lines) != 0 || log.Damaged != 0 || log.Unstamped != 0 {
				t.Errorf("got %+v", log)
			}
		})
	}
}

// client-go logs a wait of more than a second at level 2 and, if level 3 is on, there
// as well: counted twice it would double the blame.
func TestWaitThatIsWrittenTwiceIsOne(t *testing.T) {
	const wait = ` "Waited before sending request" delay="1.197943215s" reason="client-side throttling, not priority and fairness" verb="POST" URL="https://x/pods"` + "\n"
	log := read(t, "I1129 15:52:36.428417    6504 request.go:1]"+wait+
		`I1129 15:52:36.428420    6504 s.go:1] "Successfully bound pod to node" pod="ns/x" node="worker"`+"\n"+
		"I1129 15:52:36.428447    6504 request.go:2]"+wait+
		"I1129 15:52:39.428447    6504 request.go:2]"+wait)
	if len(log.Lines) != 3 {
		t.Errorf("want two waits and a binding, got %+v", log.Lines)
	}
}

func TestDamagedAndForeignLinesAreCounted(t *testing.T) {
	log := read(t, strings.Join([]string{
		`I1129 15:39:28.487338       1 s.go:1] "Successfully bound pod to node" pod="no-namespace" node="worker"`,
		`I1129 15:39:28.487338       1 s.go:1] "Successfully bound pod to node" pod="ns/x"`,
		`I1129 15:39:28.487338       1 r.go:1] "Waited before sending request" delay="soon" reason="client-side throttling"`,
		`I1129 15:39:28.487338       1 r.go:1] "Successfully bound pod to node" pod="ns/x`,
		`	continued: config`,
		`Starting kubelet.service - kubelet...`,
		`I1329 15:39:28.487338       1 x.go:1] "no such month"`,
		`I0230 15:39:28.487338       1 x.go:1] "no such day"`,
		`I1129 25:39:28.487338       1 x.go:1] "no such hour"`,
		`{"ts":"yesterday","msg":"x"}`,
		strings.Repeat("x", 3*maxLine),
	}, "\n"))
	if log.Read != 11 || log.Damaged != 4 || log.Unstamped != 7 || len(log.Lines) != 0 {
		t.Errorf("got %+v", log)
	}
}

func TestYearIsTheOneNextToTheReference(t *testing.T) {
	const line = `I%s 23:59:59.999999       1 x.go:1] "x"`
	for name, test := range map[string]struct {
		day       string
		reference time.Time
		year      int
	}{
		"same year":           {"1129", time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), 2026},
		"read after midnight": {"1231", time.Date(2027, 1, 1, 0, 0, 1, 0, time.UTC), 2026},
		"read before it":      {"0101", time.Date(2026, 12, 31, 23, 0, 0, 0, time.UTC), 2027},
		"leap day":            {"0229", time.Date(2028, 3, 1, 0, 0, 0, 0, time.UTC), 2028},
	} {
		t.Run(name, func(t *testing.T) {
			log, err := Read(strings.NewReader(strings.Replace(line, "%s", test.day, 1)), test.reference, nil)
			if err != nil || log.First.Year() != test.year {
				t.Errorf("got %s, error %v, want year %d", log.First, err, test.year)
			}
		})
	}
	// A node five hours behind: its 23:59 is 04:59 the next day in UTC.
	log, err := Read(strings.NewReader(strings.Replace(line, "%s", "1129", 1)), recordedAt, time.FixedZone("", -5*3600))
	if want := time.Date(2026, 11, 30, 4, 59, 59, 999999000, time.UTC); err != nil || !log.First.Equal(want) {
		t.Errorf("got %s, want %s", log.First, want)
	}
}

func TestRotatedMissingAndRestartedLogsAreToldApart(t *testing.T) {
	const (
		start = `I1129 15:00:00.000000       1 flags.go:64] FLAG: --v="2"` + "\n"
		bound = `I1129 15:10:00.000000       1 s.go:1] "Successfully bound pod to node" pod="ns/x" node="worker"` + "\n"
	)
	at := func(minute int) time.Time { return time.Date(2026, 11, 29, 15, minute, 0, 0, time.UTC) }
	for name, test := range map[string]struct {
		text string
		from time.Time
		want Coverage
	}{
		"begins before":              {start + bound, at(5), Covered},
		"begins at it":               {bound, at(10), Covered},
		"begins within, midway":      {bound, at(5), Rotated},
		"begins within, with a life": {start + bound, at(0).Add(-time.Minute), Restarted},
		"empty":                      {"", at(5), Missing},
		"nothing with a stamp":       {"-- No entries --\n", at(5), Missing},
	} {
		t.Run(name, func(t *testing.T) {
			if got := read(t, test.text).Covers(test.from); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestWhatWasReadBeforeAReaderFailedIsKept(t *testing.T) {
	broken := errors.New("broken pipe")
	const line = `I1129 15:10:00.000000       1 s.go:1] "Successfully bound pod to node" pod="ns/x" node="worker"` + "\n"
	log, err := Read(io.MultiReader(strings.NewReader(line), iotest.ErrReader(broken)), recordedAt, nil)
	if !errors.Is(err, broken) || len(log.Lines) != 1 {
		t.Errorf("got %+v, error %v", log, err)
	}
}
