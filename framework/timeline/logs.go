package timeline

import "github.com/podburst/podburst/framework/recording"

// readLogs takes the marks that components log. A pod is created (or started) when its last
// container is. Only pods known from another stream count.
func (bld *builder) readLogs() {
	names := bld.names()
	for i := range bld.burst.Logs {
		line := &bld.burst.Logs[i]
		if line.At.IsZero() || bld.afterEnd(line.At) {
			continue
		}
		l := bld.bearer(names, podName{line.Namespace, line.Name}, line.At)
		if l == nil {
			continue
		}
		r := reading{at: line.At}
		switch line.Kind {
		case recording.LogBound:
			l.set(Schedule, fromLog, r)
			if l.node == "" {
				l.node = line.Node
			}
		case recording.LogCreated:
			l.setLast(Created, fromLog, r)
		case recording.LogStarted:
			l.setLast(Started, fromLog, r)
		}
	}
}

// setLast keeps the latest reading.
func (l *life) setLast(m Mark, o origin, r reading) {
	if old := &l.readings[m][o]; r.at.After(old.at) {
		*old = r
	}
}
