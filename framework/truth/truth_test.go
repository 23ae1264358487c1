package truth

import (
	"math"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/timeline"
)

var second = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

func pod(stamps ...timeline.Stamp) timeline.Pod {
	var p timeline.Pod
	p.Marks[timeline.Create] = stamps
	return p
}

func audit(after, since time.Duration) timeline.Stamp {
	return timeline.Stamp{At: second.Add(after), Source: timeline.Audit, Resolution: time.Microsecond, Since: since}
}

func watch(after time.Duration) timeline.Stamp {
	return timeline.Stamp{At: second.Add(after), Source: timeline.Watch}
}

func api(after time.Duration) timeline.Stamp {
	return timeline.Stamp{At: second.Add(after), Source: timeline.API, Resolution: time.Second}
}

func TestLagWindowAndFieldOfOneMark(t *testing.T) {
	truth, err := Check(&recording.Burst{}, &timeline.Timeline{Pods: []timeline.Pod{
		pod(audit(100*time.Millisecond, 2*time.Millisecond), watch(103*time.Millisecond), api(0)),             // in its second
		pod(audit(1200*time.Millisecond, 8*time.Millisecond), watch(1199*time.Millisecond), api(0)),           // 0.2 s after it
		pod(audit(900*time.Millisecond, 4*time.Millisecond), watch(910*time.Millisecond), api(1*time.Second)), // 0.1 s before it
		pod(watch(500*time.Millisecond), api(0)),                                                              // no audit
		{Replacement: true, Marks: pod(audit(0, 0), watch(time.Hour)).Marks},                                  // not the burst's
	}})
	if err != nil || len(truth.Marks) != 1 || truth.Marks[0].Mark != timeline.Create {
		t.Fatalf("%+v, %v", truth, err)
	}
	m := truth.Marks[0]
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-9 }
	if m.WatchLag.Count != 3 || !near(m.WatchLag.Min, -0.001) || !near(m.WatchLag.P50, 0.003) || !near(m.WatchLag.Max, 0.010) {
		t.Errorf("lag %+v", m.WatchLag)
	}
	if m.AuditWindow.Count != 3 || !near(m.AuditWindow.Max, 0.008) {
		t.Errorf("window %+v", m.AuditWindow)
	}
	if m.FieldError.Count != 4 || !near(m.FieldError.Min, -0.1) || !near(m.FieldError.P50, 0) || !near(m.FieldError.Max, 0.2) {
		t.Errorf("field %+v", m.FieldError)
	}
}

func TestWithoutAnAuditLogOnlyFieldsAreCompared(t *testing.T) {
	b := synthetic.Burst(synthetic.Options{Pods: 5, Index: 1, NoAudit: true})
	built := timeline.Build(b)
	truth, err := Check(&b, &built)
	if err != nil || len(truth.Marks) == 0 {
		t.Fatalf("%+v, %v", truth, err)
	}
	for _, m := range truth.Marks {
		if m.WatchLag != nil || m.AuditWindow != nil || m.FieldError == nil || m.FieldError.Count != 5 {
			t.Errorf("%+v", m)
		}
	}
}
