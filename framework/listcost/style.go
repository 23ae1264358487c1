package listcost

import (
	"fmt"
	"slices"
	"time"

	"github.com/podburst/podburst/framework/stats"
)

// informersOf sums up the tries of each style and number of consumers.
func informersOf(size Size) ([]InformerResult, error) {
	var results []InformerResult
	for _, pair := range pairsOf(size.Informers) {
		r := InformerResult{Style: pair.style, Consumers: pair.consumers, Pods: size.Pods, Requests: []RequestCount{}}
		var synced, changes, server, cpu, syncBytes, syncWire, changeBytes, changeWire, allocated, live []float64
		var timeouts []float64
		for i := range size.Informers {
			s := &size.Informers[i]
			if s.Style != pair.style || s.Consumers != pair.consumers {
				continue
			}
			r.Tries++
			if s.Error != "" {
				r.Failed++
				if r.FirstError == "" {
					r.FirstError = s.Error
				}
				continue
			}
			reads := 0
			for _, q := range s.Sync {
				if q.Verb != VerbWatch {
					reads += q.Requests
				}
				if q.Verb == VerbList {
					r.ListTimeout = r.ListTimeout || q.Deadline
				} else {
					r.WatchTimeout = r.WatchTimeout || q.Deadline
				}
				if q.MaxTimeoutSeconds > 0 {
					timeouts = append(timeouts, q.MinTimeoutSeconds, q.MaxTimeoutSeconds)
				}
			}
			r.Requests, r.FullReads, r.Watches = s.Sync, max(r.FullReads, reads), max(r.Watches, s.OpenWatches)
			b, w := bytesOf(s.Sync)
			syncBytes, syncWire = append(syncBytes, b), append(syncWire, w)
			b, w = bytesOf(s.Changes)
			changeBytes, changeWire = append(changeBytes, b), append(changeWire, w)
			synced, changes = append(synced, s.SyncedSeconds), append(changes, s.ChangesSeconds)
			if v, ok := serverSeconds(s); ok {
				server = append(server, v)
			}
			if s.CPUSeconds != nil {
				cpu = append(cpu, *s.CPUSeconds)
			}
			allocated, live = append(allocated, float64(s.AllocatedBytes)), append(live, float64(s.LiveBytes))
		}
		err := summarize(map[**stats.Summary][]float64{
			&r.SyncedSeconds: synced, &r.ChangesSeconds: changes, &r.ServerSeconds: server, &r.CPUSeconds: cpu,
		})
		if err != nil {
			return nil, err
		}
		if len(synced) > 0 {
			r.SyncBytes, r.SyncWireBytes = int64(median(syncBytes)), int64(median(syncWire))
			r.ChangeBytes, r.ChangeWireBytes = int64(median(changeBytes)), int64(median(changeWire))
			r.AllocatedBytes, r.LiveBytes = int64(median(allocated)), int64(median(live))
		}
		if len(timeouts) > 0 {
			r.ServerTimeout = fmt.Sprintf("%s to %s", seconds(slices.Min(timeouts)), seconds(slices.Max(timeouts)))
		}
		results = append(results, r)
	}
	return results, nil
}

func seconds(s float64) time.Duration {
	return time.Duration(min(max(s, 0), 1e6) * float64(time.Second)).Round(time.Second)
}

type stylePair struct {
	style     string
	consumers int
}

// pairsOf are the styles and numbers of consumers that were tried: fewer consumers
// first, and private before shared.
func pairsOf(samples []InformerSample) []stylePair {
	var pairs []stylePair
	for i := range samples {
		p := stylePair{samples[i].Style, samples[i].Consumers}
		if !slices.Contains(pairs, p) {
			pairs = append(pairs, p)
		}
	}
	slices.SortFunc(pairs, func(a, b stylePair) int {
		if a.consumers != b.consumers {
			return a.consumers - b.consumers
		}
		if a.style < b.style {
			return -1
		}
		return 1
	})
	return pairs
}

func bytesOf(requests []RequestCount) (decoded, wire float64) {
	for _, r := range requests {
		decoded, wire = decoded+float64(r.Bytes), wire+float64(r.WireBytes)
	}
	return decoded, wire
}

// serverSeconds is the time in the API server's histograms; ok is false if it has
// none.
func serverSeconds(s *InformerSample) (seconds float64, ok bool) {
	lists, listed := s.Server[CounterListSeconds]
	streams, streamed := s.Server[CounterStreamSeconds]
	return lists + streams, listed || streamed
}

// quantity is a number that is compared between tries of the styles.
type quantity struct {
	name string
	of   func(s *InformerSample) (float64, bool)
}

func quantities() []quantity {
	return []quantity{
		{"syncBytes", func(s *InformerSample) (float64, bool) { b, _ := bytesOf(s.Sync); return b, true }},
		{"syncedSeconds", func(s *InformerSample) (float64, bool) { return s.SyncedSeconds, true }},
		{"changesSeconds", func(s *InformerSample) (float64, bool) { return s.ChangesSeconds, true }},
		{"serverSeconds", serverSeconds},
		{"cpuSeconds", func(s *InformerSample) (float64, bool) {
			if s.CPUSeconds == nil {
				return 0, false
			}
			return *s.CPUSeconds, true
		}},
		{"allocatedBytes", func(s *InformerSample) (float64, bool) { return float64(s.AllocatedBytes), true }},
		{"liveBytes", func(s *InformerSample) (float64, bool) { return float64(s.LiveBytes), true }},
	}
}

// differences pairs the tries of a round, which are close in time.
func differences(cost Observation) []StyleDifference {
	all := []StyleDifference{}
	for _, size := range cost.Sizes {
		tries := map[stylePair]map[int]*InformerSample{}
		for i := range size.Informers {
			s := &size.Informers[i]
			p := stylePair{s.Style, s.Consumers}
			if tries[p] == nil {
				tries[p] = map[int]*InformerSample{}
			}
			if s.Error == "" {
				tries[p][s.Round] = s
			}
		}
		for _, p := range pairsOf(size.Informers) {
			if p.style != string(Private) || tries[stylePair{string(Shared), p.consumers}] == nil {
				continue
			}
			shared := tries[stylePair{string(Shared), p.consumers}]
			for _, q := range quantities() {
				all = append(all, compared(size.Pods, p.consumers, q, tries[p], shared))
			}
		}
	}
	return all
}

func compared(pods, consumers int, q quantity, private, shared map[int]*InformerSample) StyleDifference {
	d := StyleDifference{Pods: pods, Consumers: consumers, Quantity: q.name}
	var ratios []float64
	for round, a := range private {
		b := shared[round]
		if b == nil {
			continue
		}
		x, xok := q.of(a)
		y, yok := q.of(b)
		if xok && yok {
			ratios = append(ratios, quotient(x, y)...)
		}
	}
	d.Ratio = ratioOf(ratios)
	return d
}
