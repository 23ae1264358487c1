package truth

import (
	"math"
	"testing"
	"time"

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
	marks, err := Check(&timeline.Timeline{Pods: []timeline.Pod{
		pod(audit(100*time.Millisecond, 2*time.Millisecond), watch(103*time.Millisecond), api(0)),             // in its second
		pod(audit(1200*time.Millisecond, 8*time.Millisecond), watch(1199*time.Millisecond), api(0)),           // 0.2 s after it
		pod(audit(900*time.Millisecond, 4*time.Millisecond), watch(910*time.Millisecond), api(1*time.Second)), // 0.1 s before it
		pod(watch(500*time.Millisecond), api(0)),                                                              // no audit
		{Replacement: true, Marks: pod(audit(0, 0), watch(time.Hour)).Marks},                                  // not the burst's
	}})
	if err != nil || len(marks) != 1 || marks[0].Mark != timeline.Create {
		t.Fatalf("%+v, %v", marks, err)
	}
	m := marks[0]
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-9 }
	if m.Lag.Count != 3 || !near(m.Lag.Min, -0.001) || !near(m.Lag.P50, 0.003) || !near(m.Lag.Max, 0.010) {
		t.Errorf("lag %+v", m.Lag)
	}
	if m.Window.Count != 3 || !near(m.Window.Max, 0.008) {
		t.Errorf("window %+v", m.Window)
	}
	if m.Field.Count != 4 || !near(m.Field.Min, -0.1) || !near(m.Field.P50, 0) || !near(m.Field.Max, 0.2) {
		t.Errorf("field %+v", m.Field)
	}
}

func TestWithoutAnAuditLogOnlyFieldsAreCompared(t *testing.T) {
	b := timeline.Build(synthetic.Burst(synthetic.Options{Pods: 5, Index: 1, NoAudit: true}))
	marks, err := Check(&b)
	if err != nil || len(marks) == 0 {
		t.Fatalf("%+v, %v", marks, err)
	}
	for _, m := range marks {
		if m.Lag != nil || m.Window != nil || m.Field == nil || m.Field.Count != 5 {
			t.Errorf("%+v", m)
		}
	}
}
