package station

import (
	"testing"

	"github.com/podburst/podburst/framework/recording"
)

const apfBefore = `# TYPE apiserver_flowcontrol_request_wait_duration_seconds histogram
apiserver_flowcontrol_request_wait_duration_seconds_bucket{execute="true",flow_schema="a",priority_level="workload-high",le="0.005"} 5
apiserver_flowcontrol_request_wait_duration_seconds_bucket{execute="true",flow_schema="a",priority_level="workload-high",le="0.5"} 5
apiserver_flowcontrol_request_wait_duration_seconds_bucket{execute="true",flow_schema="a",priority_level="workload-high",le="+Inf"} 5
apiserver_flowcontrol_request_wait_duration_seconds_sum{execute="true",flow_schema="a",priority_level="workload-high"} 0.25
apiserver_flowcontrol_request_wait_duration_seconds_count{execute="true",flow_schema="a",priority_level="workload-high"} 5
`

const apfAfter = `# TYPE apiserver_flowcontrol_request_wait_duration_seconds histogram
apiserver_flowcontrol_request_wait_duration_seconds_bucket{execute="true",flow_schema="a",priority_level="workload-high",le="0.005"} 8
apiserver_flowcontrol_request_wait_duration_seconds_bucket{execute="true",flow_schema="a",priority_level="workload-high",le="0.5"} 9
apiserver_flowcontrol_request_wait_duration_seconds_bucket{execute="true",flow_schema="a",priority_level="workload-high",le="+Inf"} 9
apiserver_flowcontrol_request_wait_duration_seconds_sum{execute="true",flow_schema="a",priority_level="workload-high"} 1.25
apiserver_flowcontrol_request_wait_duration_seconds_count{execute="true",flow_schema="a",priority_level="workload-high"} 9
# TYPE apiserver_flowcontrol_rejected_requests_total counter
apiserver_flowcontrol_rejected_requests_total{flow_schema="a",priority_level="workload-high",reason="queue-full"} 2
`

const jobsAfter = `# TYPE workqueue_queue_duration_seconds histogram
workqueue_queue_duration_seconds_bucket{name="job",le="1"} 3
workqueue_queue_duration_seconds_bucket{name="job",le="+Inf"} 4
workqueue_queue_duration_seconds_sum{name="job"} 5
workqueue_queue_duration_seconds_count{name="job"} 4
# TYPE workqueue_depth gauge
workqueue_depth{name="job",priority=""} 1
`

const schedulerAfter = `# TYPE scheduler_pod_scheduling_sli_duration_seconds histogram
scheduler_pod_scheduling_sli_duration_seconds_bucket{attempts="1",le="+Inf"} 10
scheduler_pod_scheduling_sli_duration_seconds_sum{attempts="1"} 4
scheduler_pod_scheduling_sli_duration_seconds_count{attempts="1"} 10
# TYPE scheduler_scheduling_attempt_duration_seconds histogram
scheduler_scheduling_attempt_duration_seconds_bucket{result="scheduled",le="+Inf"} 10
scheduler_scheduling_attempt_duration_seconds_sum{result="scheduled"} 2.5
scheduler_scheduling_attempt_duration_seconds_count{result="scheduled"} 10
# TYPE scheduler_pending_pods gauge
scheduler_pending_pods{queue="active"} 1
scheduler_pending_pods{queue="unschedulable"} 2
`

func TestQueuesOfTheServerTheJobControllerAndTheScheduler(t *testing.T) {
	got := Queues(recording.Burst{Metrics: map[string]recording.MetricsPair{
		"kube-apiserver":          {Before: []byte(apfBefore), After: []byte(apfAfter)},
		"kube-controller-manager": {After: []byte(jobsAfter)},
		"kube-scheduler":          {After: []byte(schedulerAfter)},
	}})
	want := []Queue{
		{Component: "kube-apiserver", Name: "workload-high", Kind: "apf", Items: 4, WaitSeconds: 1, MaxWaitSeconds: 0.5, Rejected: 2},
		{Component: "kube-controller-manager", Name: "job", Kind: "workqueue", Items: 4, WaitSeconds: 5, MaxWaitSeconds: 5, Depth: 1},
		{Component: "kube-scheduler", Name: "scheduling", Kind: "scheduling", Items: 10, WaitSeconds: 1.5, Depth: 3},
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
}

func TestQueuesThatCannotBeReadAreLeftOut(t *testing.T) {
	got := Queues(recording.Burst{Metrics: map[string]recording.MetricsPair{
		"kube-apiserver":          {Before: []byte(apfAfter), After: []byte(apfBefore)}, // it fell: another process
		"kube-controller-manager": {After: []byte("a 1\n")},
		"kube-scheduler":          {After: []byte("<html>")},
	}})
	if len(got) != 0 {
		t.Errorf("%+v", got)
	}
}
