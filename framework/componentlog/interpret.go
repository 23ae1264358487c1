package componentlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

var (
	boundMessage     = []byte("Successfully bound pod to node")
	eventMessage     = []byte("Event occurred")
	waitedMessage    = []byte("Waited before sending request")
	waitedForMessage = []byte("Waited for ")
)

// throttling begins the reason that client-go gives for a wait in its own limiter;
// other reasons come from the server (a Retry-After).
const throttling = "client-side throttling"

// interpret says what the record reports. told is false for a line that is not kept;
// an error is a line that announces something but does not hold it.
func (r record) interpret() (line Line, told bool, err error) {
	line = Line{At: r.at}
	switch {
	case bytes.Equal(r.message, boundMessage):
		line.Kind = Bound
		line.Node = r.value("node")
		line.Pod, err = r.pod("pod")
		if err == nil && line.Node == "" {
			err = errors.New("it names no node")
		}
		return line, true, err
	case bytes.Equal(r.message, eventMessage):
		return r.event(line)
	case bytes.Equal(r.message, waitedMessage):
		if !strings.HasPrefix(r.value("reason"), throttling) {
			return line, false, nil
		}
		line.Kind = Throttled
		line.Verb, line.URL = r.value("verb"), r.value("URL")
		line.Wait, err = wait(r.value("delay"))
		return line, true, err
	case bytes.HasPrefix(r.message, waitedForMessage):
		return r.waitedFor(line)
	}
	return line, false, nil
}

// event reads the line that client-go's recorder writes for an Event.
func (r record) event(line Line) (Line, bool, error) {
	switch r.value("reason") {
	case "Created":
		line.Kind = Created
	case "Started":
		line.Kind = Started
	default:
		return line, false, nil
	}
	if r.value("kind") != "Pod" {
		return line, false, nil
	}
	var ok bool
	if line.Container, line.Init, ok = container(r.value("fieldPath")); !ok {
		return line, false, nil // An ephemeral container, or the pod as a whole.
	}
	var err error
	line.Pod, err = r.pod("object")
	return line, true, err
}

// container parses "spec.containers{name}" and "spec.initContainers{name}".
func container(fieldPath string) (name string, init, ok bool) {
	rest, ok := strings.CutPrefix(fieldPath, "spec.containers{")
	if !ok {
		if rest, ok = strings.CutPrefix(fieldPath, "spec.initContainers{"); !ok {
			return "", false, false
		}
		init = true
	}
	name, ok = strings.CutSuffix(rest, "}")
	return name, init, ok && name != ""
}

// waitedFor reads what client-go wrote until Kubernetes 1.32, without structure:
//
//	Waited for 1.05s due to client-side throttling, not priority and fairness, request: POST:https://…
func (r record) waitedFor(line Line) (Line, bool, error) {
	rest := string(r.message[len(waitedForMessage):])
	delay, reason, ok := strings.Cut(rest, " due to ")
	if !ok || !strings.HasPrefix(reason, throttling) {
		return line, false, nil
	}
	line.Kind = Throttled
	if _, request, ok := strings.Cut(reason, "request: "); ok {
		line.Verb, line.URL, _ = strings.Cut(strings.TrimSpace(request), ":")
	}
	var err error
	line.Wait, err = wait(delay)
	return line, true, err
}

func wait(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err == nil && d < 0 {
		err = fmt.Errorf("wait %s is negative", text)
	}
	return d, err
}

// pod parses a reference: "namespace/name" in text, an object in JSON.
func (r record) pod(key string) (PodName, error) {
	var pod PodName
	if r.json != nil {
		if err := json.Unmarshal(r.json[key], &pod); err == nil && pod.Name != "" {
			return pod, nil
		}
	}
	namespace, name, ok := strings.Cut(r.value(key), "/")
	if !ok || name == "" {
		return PodName{}, fmt.Errorf("%s %q names no pod", key, r.value(key))
	}
	return PodName{Namespace: namespace, Name: name}, nil
}

// value returns the value of a key, or "" if the record does not have it.
func (r record) value(key string) string {
	if r.json != nil {
		var text string
		if json.Unmarshal(r.json[key], &text) != nil {
			return ""
		}
		return text
	}
	return textValue(string(r.text), key)
}
