package preflight

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// usual are the additions that every API server makes through defaulting and its own
// admission plugins: the path, and the value if only one is usual.
var usual = map[string]string{
	`metadata.labels.batch.kubernetes.io/controller-uid`: "",
	`metadata.labels.batch.kubernetes.io/job-name`:       "",
	`metadata.labels.controller-uid`:                     "",
	`metadata.labels.job-name`:                           "",
	`spec.dnsPolicy`:                                     `"ClusterFirst"`,
	`spec.schedulerName`:                                 `"default-scheduler"`,
	`spec.serviceAccount`:                                `"default"`,
	`spec.serviceAccountName`:                            `"default"`,
	`spec.priority`:                                      `0`,
	`spec.preemptionPolicy`:                              `"PreemptLowerPriority"`,
	`spec.containers[0].terminationMessagePath`:          `"/dev/termination-log"`,
	`spec.containers[0].terminationMessagePolicy`:        `"File"`,
	`spec.containers[0].resources`:                       `{}`,
}

// usualToleration: DefaultTolerationSeconds adds one each for nodes that are not
// ready and nodes that are unreachable.
var usualToleration = regexp.MustCompile(`^\{"effect":"NoExecute","key":"node\.kubernetes\.io/(not-ready|unreachable)","operator":"Exists","tolerationSeconds":300\}$`)

// Changes lists what a cluster changes in a pod beyond what every cluster does: one
// sentence per field that was added, changed or removed, with its path.
func Changes(sent, got *corev1.Pod) ([]string, error) {
	before, err := fields(sent)
	if err != nil {
		return nil, err
	}
	after, err := fields(got)
	if err != nil {
		return nil, err
	}
	var found []string
	compare("metadata.labels", before["labels"], after["labels"], &found)
	compare("metadata.annotations", before["annotations"], after["annotations"], &found)
	compare("spec", before["spec"], after["spec"], &found)
	return found, nil
}

// fields are the parts of a pod that matter, as plain JSON values.
func fields(pod *corev1.Pod) (map[string]any, error) {
	text, err := json.Marshal(map[string]any{"labels": pod.Labels, "annotations": pod.Annotations, "spec": pod.Spec})
	if err != nil {
		return nil, fmt.Errorf("encode pod: %w", err)
	}
	var values map[string]any
	if err := json.Unmarshal(text, &values); err != nil {
		return nil, fmt.Errorf("decode pod: %w", err)
	}
	return values, nil
}

func compare(path string, before, after any, found *[]string) {
	switch after := after.(type) {
	case map[string]any:
		sent, ok := before.(map[string]any)
		// Name labels and annotations one by one even if none were sent.
		if ok || path == "metadata.labels" || path == "metadata.annotations" {
			for _, key := range slices.Sorted(maps.Keys(after)) {
				compare(path+"."+key, sent[key], after[key], found)
			}
			for _, key := range slices.Sorted(maps.Keys(sent)) {
				if _, kept := after[key]; !kept {
					*found = append(*found, fmt.Sprintf("%s.%s removed", path, key))
				}
			}
			return
		}
	case []any:
		sent, _ := before.([]any)
		for i := range after {
			var was any
			if i < len(sent) {
				was = sent[i]
			}
			compare(fmt.Sprintf("%s[%d]", path, i), was, after[i], found)
		}
		for i := len(after); i < len(sent); i++ {
			*found = append(*found, fmt.Sprintf("%s[%d] removed", path, i))
		}
		return
	}
	is, was := text(after), text(before)
	value, known := usual[path]
	switch {
	case is == was:
	case before != nil:
		*found = append(*found, fmt.Sprintf("%s changed from %s to %s", path, was, is))
	case known && (value == "" || value == is), usualToleration.MatchString(is):
	default:
		*found = append(*found, fmt.Sprintf("%s added: %s", path, is))
	}
}

// text is a value on one line, cut if it is long; map keys are sorted.
func text(value any) string {
	const long = 200
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	if len(data) > long {
		return string(data[:long]) + "…"
	}
	return string(data)
}
