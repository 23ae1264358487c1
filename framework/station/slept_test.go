package station

import (
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording"
)

// samplesOf gives the burst samples of a machine of two processors that was full, and of a
// kubelet that used and waited for so much of it.
func samplesOf(b *recording.Burst, kubelet time.Duration) {
	zero := 0.0
	b.Usage = nil
	for _, account := range []string{recording.AccountMachine, "kubelet-" + b.WorkerNodes[0]} {
		used, waited := kubelet.Seconds()/10, 9*kubelet.Seconds()/10
		if account == recording.AccountMachine {
			used = 2 * b.End.Sub(b.Submit).Seconds()
		}
		b.Usage = append(b.Usage, recording.UsageSample{At: b.Submit, Account: account, RunQueueSeconds: &zero}, recording.UsageSample{At: b.End, Account: account, CPUSeconds: used, RunQueueSeconds: &waited})
	}
}

func TestWhatSleepsDoesNotFollowTheProcessors(t *testing.T) {
	const pods = 20
	operations := map[string][2]float64{"run_podsandbox": {pods, pods * 0.01}, "create_container": {pods, pods * 0.005}, "start_container": {pods, pods * 0.005}}
	// The n-th pod's worker took n times 0.2 s: 42 s of all pods together.
	b, p := delayed(t, pods, 200*time.Millisecond, operations)
	for kubelet, follows := range map[time.Duration]Name{time.Second: "", 30 * time.Second: Processors} {
		samplesOf(&b, kubelet)
		a := analyze(b, p)
		if st := find(t, a, PodWorkers, ""); st.Part.Seconds < 3 || st.Follows != follows {
			t.Errorf("a kubelet that ran or waited for %v: %+v", kubelet, st)
		}
	}
	// Without samples of the kubelet nothing says that it worked.
	samplesOf(&b, time.Second)
	b.Usage = b.Usage[:2]
	if st := find(t, analyze(b, p), PodWorkers, ""); st.Follows != "" {
		t.Errorf("%+v", st)
	}
}

func TestProcessorsThatOthersTakeAreSaidWithWhatTheyCost(t *testing.T) {
	const pods = 20
	operations := map[string][2]float64{"run_podsandbox": {pods, pods * 0.01}, "create_container": {pods, pods * 0.005}, "start_container": {pods, pods * 0.005}}
	b, p := delayed(t, pods, 20*time.Millisecond, operations)
	alone := b
	samplesOf(&b, 100*time.Millisecond) // the machine is full, and not of the kubelet
	if st := find(t, analyze(b, p), Processors, ""); st.Gain == nil || !strings.Contains(strings.Join(st.Evidence, " "), "by others") {
		t.Errorf("%+v", st)
	}
	samplesOf(&alone, 10*2*alone.End.Sub(alone.Submit)) // all that the machine used
	if st := find(t, analyze(alone, p), Processors, ""); st.Gain != nil || st.Advice != "" {
		t.Errorf("nothing else ran: %+v", st)
	}
}
