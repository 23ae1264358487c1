package componentlog

import (
	"testing"
	"time"
)

func TestMarksOfAPodComeFromSeveralLogs(t *testing.T) {
	at := func(seconds int) time.Time { return recordedAt.Add(time.Duration(seconds) * time.Second) }
	pod := PodName{Namespace: "ns", Name: "x"}
	scheduler := &Log{Lines: []Line{
		{At: at(-9), Kind: Bound, Pod: pod, Node: "before the span"},
		{At: at(1), Kind: Bound, Pod: pod, Node: "worker"},
		{At: at(1), Kind: Bound, Pod: PodName{Namespace: "ns", Name: "never-started"}, Node: "worker"},
	}}
	kubelet := &Log{Lines: []Line{
		{At: at(2), Kind: Created, Pod: pod, Container: "setup", Init: true},
		{At: at(3), Kind: Created, Pod: pod, Container: "a"},
		{At: at(4), Kind: Started, Pod: pod, Container: "a"},
		{At: at(5), Kind: Created, Pod: pod, Container: "b"},
		{At: at(6), Kind: Started, Pod: pod, Container: "b"},
		{At: at(7), Kind: Created, Pod: pod, Container: "a"}, // it restarted
		{At: at(8), Kind: Started, Pod: pod, Container: "a"},
		{At: at(3), Kind: Throttled, Wait: time.Second},
		{At: at(99), Kind: Created, Pod: PodName{Namespace: "ns", Name: "after"}, Container: "a"},
	}}
	pods := Pods(at(0), at(20), scheduler, kubelet)
	want := Pod{Node: "worker", Scheduled: at(1), Created: at(5), Started: at(6), Containers: 2, Repeated: 2}
	if len(pods) != 2 || *pods[pod] != want {
		t.Errorf("got %d pods, %+v\nwant %+v", len(pods), *pods[pod], want)
	}
	if never := pods[PodName{Namespace: "ns", Name: "never-started"}]; !never.Created.IsZero() || !never.Started.IsZero() {
		t.Errorf("a pod that never started has %+v", never)
	}
}

func TestLogReadTwiceChangesNoMark(t *testing.T) {
	pod := PodName{Namespace: "ns", Name: "x"}
	log := &Log{Lines: []Line{{At: recordedAt, Kind: Created, Pod: pod, Container: "a"}}}
	once, twice := Pods(recordedAt, recordedAt, log)[pod], Pods(recordedAt, recordedAt, log, log)[pod]
	if once.Created != twice.Created || twice.Containers != 1 || twice.Repeated != 1 {
		t.Errorf("got %+v and %+v", once, twice)
	}
}

func TestWaitsAreSummedOverASpan(t *testing.T) {
	log := &Log{}
	for second := range 4 { // Waits of 0, 1, 2 and 3 s at second 0 to 3.
		log.Lines = append(log.Lines, Line{At: recordedAt.Add(time.Duration(second) * time.Second), Kind: Throttled, Wait: time.Duration(second) * time.Second})
	}
	got := log.Throttling(recordedAt.Add(time.Second), recordedAt.Add(2*time.Second))
	if want := (Throttling{Lines: 2, Total: 3 * time.Second, Longest: 2 * time.Second}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
