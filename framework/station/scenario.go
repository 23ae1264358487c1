package station

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/nearest"
)

// unlimited is the word for a client without a limiter.
const unlimited = "unlimited"

// otherProcesses is the word for what runs on the machine besides the burst.
const otherProcesses = "other-processes"

// ParseScenario reads what a person would change: limits in the words of a profile,
// separated by commas, stations to do without, and stations that serve so many times as
// fast (etcd=2).
//
//	kubeControllerManager.kubeAPIQPS=40,kubeAPIBurst=60
//	kubeScheduler=unlimited
//
// A field without a component belongs to the component named before it. What is not set
// stays as effective says that it was; where that is not known, both must be given.
func ParseScenario(limits string, without, faster []string, effective clusters.Effective) (Scenario, error) {
	sc := Scenario{Limits: map[clusters.Component]clusters.Limits{}, Faster: map[Name]float64{}}
	for _, name := range without {
		if name == otherProcesses {
			sc.Alone = true
			continue
		}
		station, err := removable(name)
		if err != nil {
			return Scenario{}, fmt.Errorf("without: %w", err)
		}
		sc.Without = append(sc.Without, station)
	}
	for _, item := range faster {
		if err := sc.faster(item); err != nil {
			return Scenario{}, err
		}
	}
	given := map[clusters.Component]map[string]bool{}
	var current clusters.Component
	for _, item := range strings.Split(limits, ",") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		key, value, ok := strings.Cut(item, "=")
		if !ok {
			return Scenario{}, fmt.Errorf("what if %q: write COMPONENT.FIELD=VALUE, as kubeControllerManager.kubeAPIQPS=40", item)
		}
		component, field, named := strings.Cut(strings.TrimPrefix(key, "spec."), ".")
		if !named && value != unlimited {
			component, field = "", component
		}
		if component != "" {
			c, err := configurable(component)
			if err != nil {
				return Scenario{}, fmt.Errorf("what if %q: %w", item, err)
			}
			current = c
		}
		if current == "" {
			return Scenario{}, fmt.Errorf("what if %q: say whose it is, as kubeControllerManager.%s", item, item)
		}
		l, known := sc.Limits[current]
		if !known {
			if all := effective.Of(current); len(all) > 0 {
				l = all[0]
			}
			given[current] = map[string]bool{}
		}
		if err := set(&l, field, value); err != nil {
			return Scenario{}, fmt.Errorf("what if %q: %w", item, err)
		}
		if given[current][field] {
			return Scenario{}, fmt.Errorf("what if %q: it is set twice", item)
		}
		given[current][field] = true
		sc.Limits[current] = l
	}
	for _, c := range clusters.Configurable() {
		l, changed := sc.Limits[c]
		if changed && l.KubeAPIQPS > 0 && l.KubeAPIBurst <= 0 || changed && l.KubeAPIQPS == 0 {
			return Scenario{}, fmt.Errorf("what if %s: its limits in the recorded burst are not known: set both kubeAPIQPS and kubeAPIBurst", strings.TrimPrefix(c.Setting(), "spec."))
		}
	}
	if len(sc.Limits) == 0 && len(sc.Without) == 0 && len(sc.Faster) == 0 && !sc.Alone {
		return Scenario{}, fmt.Errorf("what if %q: nothing is changed", limits)
	}
	return sc, nil
}

// faster reads STATION=TIMES.
func (sc *Scenario) faster(item string) error {
	name, value, _ := strings.Cut(item, "=")
	times, err := strconv.ParseFloat(value, 64)
	if err != nil || !(times > 0) || math.IsInf(times, 0) {
		return fmt.Errorf("faster %q: write STATION=TIMES with a number above 0, as etcd=2", item)
	}
	station, err := removable(name)
	switch {
	case err != nil:
		return fmt.Errorf("faster %q: %w", item, err)
	case station == StatusManager:
		return fmt.Errorf("faster %q: a status manager is as fast as the API server answers; try priority-and-fairness, admission or etcd, or --without %s", item, StatusManager)
	case sc.Faster[station] > 0 || sc.without(station):
		return fmt.Errorf("faster %q: %s is changed twice", item, station)
	}
	sc.Faster[station] = times
	return nil
}

// String is the scenario in words: "kube-controller-manager at 40/60, without etcd".
func (sc Scenario) String() string {
	var parts []string
	for _, c := range clusters.Configurable() {
		if l, changed := sc.Limits[c]; changed {
			if l.KubeAPIQPS <= 0 {
				parts = append(parts, string(c)+" without its limiter")
			} else {
				parts = append(parts, fmt.Sprintf("%s at %s", c, l))
			}
		}
	}
	for _, name := range sc.Without {
		parts = append(parts, "without "+titles[name])
	}
	for _, name := range Removable() {
		if times := sc.Faster[name]; times > 0 {
			parts = append(parts, fmt.Sprintf("%s %g times as fast", titles[name], times))
		}
	}
	if sc.Alone {
		parts = append(parts, "nothing else on the machine")
	}
	return strings.Join(parts, ", ")
}

// set changes one field.
func set(l *clusters.Limits, field, value string) error {
	fields := []string{"kubeAPIQPS", "kubeAPIBurst"}
	switch {
	case value == unlimited && (field == "" || field == fields[0]):
		*l = clusters.Limits{KubeAPIQPS: -1}
	case field == fields[0]:
		qps, err := strconv.ParseFloat(value, 64)
		if err != nil || !(qps > 0) || math.IsInf(qps, 0) {
			return fmt.Errorf("%q is no rate above 0 and not %q", value, unlimited)
		}
		l.KubeAPIQPS = qps
	case field == fields[1]:
		burst, err := strconv.Atoi(value)
		if err != nil || burst < 1 {
			return fmt.Errorf("%q is no whole number above 0", value)
		}
		l.KubeAPIBurst = burst
	default:
		return fmt.Errorf("unknown field %q%s", field, nearest.Hint(field, "fields", fields))
	}
	return nil
}

// configurable is the component of a profile's field ("kubeScheduler") or of its binary's
// name ("kube-scheduler").
func configurable(name string) (clusters.Component, error) {
	var names []string
	for _, c := range clusters.Configurable() {
		setting := strings.TrimPrefix(c.Setting(), "spec.")
		if name == setting || name == string(c) {
			return c, nil
		}
		names = append(names, setting)
	}
	return "", fmt.Errorf("unknown component %q%s", name, nearest.Hint(name, "components", names))
}

// Removable are the stations that a replay can do without.
func Removable() []Name {
	return []Name{JobController, PriorityAndFairness, Admission, Etcd, SchedulingLoop, Place, StatusManager, ImagePulls, ContainerRuntime}
}

func removable(name string) (Name, error) {
	if slices.Contains(Removable(), Name(name)) {
		return Name(name), nil
	}
	names := []string{otherProcesses}
	for _, n := range Removable() {
		names = append(names, string(n))
	}
	return "", fmt.Errorf("unknown station %q%s", name, nearest.Hint(name, "stations that a replay can do without", names))
}
