package componentlog

import "time"

// Pod is what the logs of one cluster say about a pod. A zero time is a mark that no
// log holds.
type Pod struct {
	// Node is the node that the scheduler bound it to.
	Node string
	// Scheduled is when the scheduler had bound it.
	Scheduled time.Time
	// Created is when the last of its containers had been created for the first time,
	// Started when the last had been started. Init containers do not count.
	Created, Started time.Time
	// Containers is how many containers were seen created.
	Containers int
	// Repeated counts lines that report something again: a container that restarted,
	// a new pod of the same name, or a log that was read twice. The marks are then
	// those of the first time.
	Repeated int
}

// Pods combines what several logs (of the scheduler, of each kubelet) say about each
// pod between from and to, both included. Only that span can tell successive pods of
// the same name apart.
func Pods(from, to time.Time, logs ...*Log) map[PodName]*Pod {
	pods := map[PodName]*Pod{}
	type key struct {
		pod       PodName
		kind      Kind
		container string
	}
	seen := map[key]bool{}
	for _, log := range logs {
		for _, line := range log.Lines {
			if line.Kind == Throttled || line.Init || line.At.Before(from) || line.At.After(to) {
				continue
			}
			pod := pods[line.Pod]
			if pod == nil {
				pod = &Pod{}
				pods[line.Pod] = pod
			}
			this := key{line.Pod, line.Kind, line.Container}
			if seen[this] {
				pod.Repeated++
				continue
			}
			seen[this] = true
			pod.take(line)
		}
	}
	return pods
}

func (p *Pod) take(line Line) {
	switch line.Kind {
	case Bound:
		p.Node, p.Scheduled = line.Node, line.At
	case Created:
		p.Containers++
		p.Created = later(p.Created, line.At)
	case Started:
		p.Started = later(p.Started, line.At)
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Throttling sums up the waits that a component logged.
type Throttling struct {
	// Lines is how many waits were logged; short ones are not.
	Lines int
	// Total and Longest are of these.
	Total, Longest time.Duration
}

// Throttling sums up the waits logged between from and to, both included.
func (l *Log) Throttling(from, to time.Time) Throttling {
	var sum Throttling
	for _, line := range l.Lines {
		if line.Kind != Throttled || line.At.Before(from) || line.At.After(to) {
			continue
		}
		sum.Lines++
		sum.Total += line.Wait
		sum.Longest = max(sum.Longest, line.Wait)
	}
	return sum
}
