package usage

import (
	"reflect"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/internal/span"
)

// request is one at so many seconds after noon.
func request(at float64, verb, user, agent string) recording.AuditEvent {
	t := noon.Add(time.Duration(at * float64(time.Second)))
	return recording.AuditEvent{Verb: verb, User: user, UserAgent: agent, Received: t, Completed: t.Add(time.Millisecond)}
}

func TestWritesAreCountedBySenderAndSecond(t *testing.T) {
	const jobs = "kube-controller-manager/v1.37.2 (linux/amd64) kubernetes/1 /system:serviceaccount:kube-system:job-controller"
	b := recording.Burst{Audit: []recording.AuditEvent{
		request(0, "create", "admin", "podburst-observer/v1"),
		request(0.1, "create", "system:serviceaccount:kube-system:job-controller", jobs),
		request(0.9, "create", "system:serviceaccount:kube-system:job-controller", jobs),
		request(2.5, "update", "system:serviceaccount:kube-system:job-controller", jobs),
		request(1, "create", "system:kube-scheduler", "kube-scheduler/v1.37.2"),
		request(1.5, "get", "system:node:a", "kubelet/v1.37.2"), // no write
		request(1.6, "patch", "system:node:a", "kubelet/v1.37.2"),
		request(1.7, "patch", "admin", "hollow-kubelet/v1"),
		request(2, "delete", "someone", "kubectl/v1"),
		request(-1, "create", "system:kube-scheduler", ""),  // before the window
		request(2.6, "create", "system:kube-scheduler", ""), // and after it
	}}
	want := []Pace{
		{"kube-controller-manager", 3, 1, []int{2, 0, 1}},
		{"kube-scheduler", 1, 1, []int{0, 1, 0}},
		{"kubelet", 1, 1, []int{0, 1, 0}},
		{"kubelet-a", 1, 1, []int{0, 1, 0}},
		{"observer", 1, 1, []int{1, 0, 0}},
		{"others", 1, 1, []int{0, 0, 1}},
	}
	if got := Paces(&b, window(0, 2.5)); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestALineThatIsTwiceInTheAuditLogIsOneWrite(t *testing.T) {
	e := request(0, "create", "system:kube-scheduler", "")
	e.AuditID = "a"
	if got := Paces(&recording.Burst{Audit: []recording.AuditEvent{e, e}}, window(0, 1)); len(got) != 1 || got[0].Writes != 1 {
		t.Errorf("%+v", got)
	}
}

func TestALongBurstHasLongerIntervals(t *testing.T) {
	b := recording.Burst{Audit: []recording.AuditEvent{request(7199, "create", "system:kube-scheduler", "")}}
	got := Paces(&b, window(0, 7200))
	if len(got) != 1 || got[0].IntervalSeconds != 13 || len(got[0].PerInterval) != 554 || got[0].PerInterval[553] != 1 {
		t.Errorf("%d intervals of %s", len(got[0].PerInterval), got[0].IntervalSeconds)
	}
}

func TestWithoutAnAuditLogThereIsNoPace(t *testing.T) {
	for _, w := range []span.Span{window(0, 5), window(5, 0), {}} {
		if got := Paces(&recording.Burst{}, w); got == nil || len(got) != 0 {
			t.Errorf("%+v", got)
		}
	}
}

func FuzzPaces(f *testing.F) {
	f.Add(int64(0), int64(time.Second), int64(1), "create", "system:node:a")
	f.Add(int64(-1), int64(1)<<62, int64(1)<<61, "patch", "system:")
	f.Fuzz(func(t *testing.T, from, length, at int64, verb, user string) {
		w := span.Span{From: time.Unix(0, from), To: time.Unix(0, from).Add(time.Duration(length))}
		received := time.Unix(0, at)
		b := recording.Burst{Audit: []recording.AuditEvent{{Verb: verb, User: user, UserAgent: user, Received: received, Completed: received}}}
		for _, p := range Paces(&b, w) {
			sum := 0
			for _, n := range p.PerInterval {
				sum += n
			}
			if sum != p.Writes || p.Writes != 1 || len(p.PerInterval) > intervals || p.Component == "" {
				t.Errorf("%+v", p)
			}
		}
	})
}
