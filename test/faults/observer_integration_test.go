//go:build integration

package faults_test

import (
	"bytes"
	"context"
	"io"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/podburst/podburst/framework/audit"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/framework/watch"
)

// observerFaults leave the burst alone: only the observation is faulty.
func observerFaults() map[string]func(l *lab) {
	return map[string]func(l *lab){
		"the watch breaks off and is resumed": func(l *lab) {
			cut := newCutter(l)
			b := l.invalid(trial{watcher: cut.watcher, fault: func(ctx context.Context, _ live) error {
				return cut.now(ctx)
			}}, []string{recording.ProblemWatchGap})
			if b.Watch.Relists != 0 || b.Accounting.Ready != burstSize {
				l.Errorf("health %+v, accounting %+v: want all pods ready and nothing listed anew", b.Watch, b.Accounting)
			}
		},
		"the watch breaks off and lists anew": func(l *lab) {
			cut := newCutter(l)
			b := l.invalid(trial{watcher: cut.watcher, fault: func(ctx context.Context, _ live) error {
				return cut.now(ctx, metav1.StatusReasonExpired)
			}}, []string{recording.ProblemWatchGap})
			if b.Watch.Relists != 1 {
				l.Errorf("health %+v, want one relist", b.Watch)
			}
		},
		"pods come while the watch is down": func(l *lab) {
			cut := newCutter(l)
			release := cut.hold()
			l.invalid(trial{watcher: cut.watcher, change: l.made(func() { release(metav1.StatusReasonExpired) })}, []string{recording.ProblemWatchGap, recording.ProblemPodLate}, recording.ProblemMarkMissing)
		},
		"the watch was down before and is resumed": func(l *lab) {
			cut := newCutter(l)
			// If a stream breaks before its first event, it is not resumed; the
			// objects are listed again.
			if _, report, err := l.run(l.Context(), trial{watcher: cut.watcher}); err != nil || report.Verdict != verdict.Pass {
				l.Fatalf("a clean burst through the cutter: verdict %q, %v", report.Verdict, err)
			}
			release := cut.hold()
			l.invalid(trial{watcher: cut.watcher, change: l.made(func() { release() })}, []string{recording.ProblemWatchGap})
		},
		"the observer is told to slow down": func(l *lab) {
			cut := newCutter(l)
			l.invalid(trial{watcher: cut.watcher, fault: func(ctx context.Context, _ live) error {
				return cut.now(ctx, metav1.StatusReasonTooManyRequests)
			}}, []string{recording.ProblemObserverThrottled, recording.ProblemWatchGap})
		},
		"the observer has no room for Events": func(l *lab) {
			l.invalid(trial{watcher: l.watch(l.cluster, watch.Options{MaxEvents: 1})}, []string{recording.ProblemWatchDropped})
		},
		"the observer's clock is set": func(l *lab) {
			clock := newSteppingClock()
			l.invalid(trial{change: func(o *burst.Options) { o.Clock = clock.read }, fault: func(context.Context, live) error {
				clock.step(time.Second)
				return nil
			}}, []string{recording.ProblemClockStep})
		},
		"the observer's clock is another than the API server's": func(l *lab) {
			clock := newSteppingClock()
			clock.step(10 * time.Second)
			l.invalid(trial{change: func(o *burst.Options) { o.Clock = clock.read }}, []string{recording.ProblemClockOffset})
		},
		"events are stamped before they happened": func(l *lab) {
			early := func() time.Time { return time.Now().Add(-10 * time.Second) }
			l.invalid(trial{watcher: l.watch(l.cluster, watch.Options{Now: early})}, []string{recording.ProblemNegativeDuration})
		},
		"the audit log ends early": func(l *lab) {
			log := &tampered{l: l}
			l.invalid(trial{change: log.instead, fault: func(ctx context.Context, _ live) error {
				text, err := log.read(ctx)
				log.set(func([]byte) []byte { return text })
				return err
			}}, []string{recording.ProblemAuditGap}, mixed...)
		},
		"the audit log is another file": func(l *lab) {
			log := &tampered{l: l}
			l.invalid(trial{change: log.instead, fault: func(ctx context.Context, _ live) error {
				text, err := log.read(ctx)
				log.set(func(now []byte) []byte { return now[len(text):] })
				return err
			}}, []string{recording.ProblemAuditGap}, mixed...)
		},
		"the audit log lacks a request": func(l *lab) {
			log := &tampered{l: l}
			// The API server drops requests like this when its buffer is full.
			log.set(func(now []byte) []byte {
				var kept []byte
				bindings := 0
				for line := range bytes.Lines(now) {
					if bytes.Contains(line, []byte(`"subresource":"binding"`)) && bytes.Contains(line, []byte(l.namespace)) {
						if bindings++; bindings%2 == 0 {
							continue
						}
					}
					kept = append(kept, line...)
				}
				return kept
			})
			l.invalid(trial{change: log.instead}, []string{recording.ProblemAuditGap})
		},
	}
}

// mixed follows when the audit log is lost: then the kubelet's log gives the start of
// a container, and the watch, later, gives its sandbox.
var mixed = []string{recording.ProblemNegativeDuration}

// made calls then once all pods of the burst exist, whether or not its watcher has
// seen them.
func (l *lab) made(then func()) func(o *burst.Options) {
	return func(o *burst.Options) {
		var once sync.Once
		o.OnProgress = func(watch.Counts, time.Duration) {
			once.Do(func() {
				go func() {
					defer then()
					_ = l.eventually(l.Context(), "the pods to be there", func() (bool, error) {
						list, err := l.admin.CoreV1().Pods(l.namespace).List(l.Context(), metav1.ListOptions{LabelSelector: recording.LabelBurst})
						return err == nil && len(list.Items) == burstSize, err
					})
				}()
			})
		}
	}
}

// tampered is the cluster's audit log after something has changed it.
type tampered struct {
	l      *lab
	change guarded[func(now []byte) []byte]
}

func (a *tampered) set(change func(now []byte) []byte) { a.change.set(change) }

func (a *tampered) read(ctx context.Context) ([]byte, error) {
	log, err := a.l.cluster.AuditLog(ctx)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	return io.ReadAll(log)
}

// instead makes a burst read it in place of the real one.
func (a *tampered) instead(o *burst.Options) {
	o.AuditTimeout = 3 * time.Second
	o.Audit = audit.NewCursor(func(ctx context.Context) (io.ReadCloser, error) {
		text, err := a.read(ctx)
		if change := a.change.get(); change != nil && err == nil {
			text = change(text)
		}
		return io.NopCloser(bytes.NewReader(text)), err
	})
}

// steppingClock is the system's wall clock plus what was added to it.
type steppingClock struct {
	system burst.Clock
	by     guarded[time.Duration]
}

func newSteppingClock() *steppingClock { return &steppingClock{system: burst.SystemClock()} }

func (c *steppingClock) step(by time.Duration) { c.by.set(by) }

func (c *steppingClock) read() burst.Reading {
	r := c.system()
	r.Wall = r.Wall.Add(c.by.get())
	return r
}
