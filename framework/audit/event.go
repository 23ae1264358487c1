package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/podburst/podburst/framework/recording"
)

// rawEvent holds the fields of an audit.k8s.io/v1 Event that are read.
type rawEvent struct {
	AuditID   string `json:"auditID"`
	Stage     string `json:"stage"`
	Verb      string `json:"verb"`
	UserAgent string `json:"userAgent"`
	User      struct {
		Username string `json:"username"`
	} `json:"user"`
	ObjectRef struct {
		Resource    string `json:"resource"`
		Namespace   string `json:"namespace"`
		Name        string `json:"name"`
		UID         string `json:"uid"`
		APIGroup    string `json:"apiGroup"`
		Subresource string `json:"subresource"`
	} `json:"objectRef"`
	ResponseStatus struct {
		Code int `json:"code"`
	} `json:"responseStatus"`
	// Bodies are decoded only if needed.
	RequestObject            json.RawMessage `json:"requestObject"`
	ResponseObject           json.RawMessage `json:"responseObject"`
	RequestReceivedTimestamp time.Time       `json:"requestReceivedTimestamp"`
	StageTimestamp           time.Time       `json:"stageTimestamp"`
}

// rawObject holds the fields of a request's or response's body that are read.
type rawObject struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Name            string            `json:"name"`
		UID             string            `json:"uid"`
		Labels          map[string]string `json:"labels"`
		OwnerReferences []struct {
			UID        string `json:"uid"`
			Controller bool   `json:"controller"`
		} `json:"ownerReferences"`
	} `json:"metadata"`
	Target struct {
		Name string `json:"name"`
	} `json:"target"`
	Status rawStatus `json:"status"`
}

// errNotComplete is for stages that are not the last one of a request.
var errNotComplete = errors.New("not the request's last stage")

// parse reads one line. It returns errNotComplete for an event of a stage other than
// ResponseComplete and Panic. A body that cannot be understood leaves its fields
// empty: the request and its times are still worth keeping.
func parse(line []byte) (recording.AuditEvent, error) {
	var raw rawEvent
	if err := json.Unmarshal(line, &raw); err != nil {
		return recording.AuditEvent{}, err
	}
	switch raw.Stage {
	case "ResponseComplete", "Panic":
	case "":
		return recording.AuditEvent{}, errors.New("no stage: not an audit event")
	default:
		return recording.AuditEvent{}, errNotComplete
	}
	if raw.RequestReceivedTimestamp.IsZero() || raw.StageTimestamp.IsZero() {
		return recording.AuditEvent{}, fmt.Errorf("audit event %q has no time", raw.AuditID)
	}
	event := recording.AuditEvent{
		AuditID:     raw.AuditID,
		Verb:        raw.Verb,
		APIGroup:    raw.ObjectRef.APIGroup,
		Resource:    raw.ObjectRef.Resource,
		Subresource: raw.ObjectRef.Subresource,
		Namespace:   raw.ObjectRef.Namespace,
		Name:        raw.ObjectRef.Name,
		UID:         raw.ObjectRef.UID,
		User:        raw.User.Username,
		UserAgent:   raw.UserAgent,
		Code:        raw.ResponseStatus.Code,
		Received:    raw.RequestReceivedTimestamp.UTC(),
		Completed:   raw.StageTimestamp.UTC(),
	}
	switch {
	case event.Verb == "create" && event.Subresource == "":
		created(&event, raw)
	case event.Resource == "pods" && event.Subresource == "binding":
		bound(&event, raw)
	case event.Resource == "pods" && event.Subresource == "status" && event.Verb != "get":
		patched(&event, raw)
	}
	return event, nil
}

// created takes the object's identity from the answer: a pod's request has only
// generateName. A refusal is answered with a Status, so that only the request tells
// whose object it was.
func created(event *recording.AuditEvent, raw rawEvent) {
	object, ok := decode(raw.ResponseObject)
	if !ok || object.Kind == "Status" {
		object, _ = decode(raw.RequestObject)
	}
	if object.Metadata.Name != "" {
		event.Name = object.Metadata.Name
	}
	if object.Metadata.UID != "" {
		event.UID = object.Metadata.UID
	}
	event.BurstID = object.Metadata.Labels[recording.LabelBurst]
	for _, owner := range object.Metadata.OwnerReferences {
		if owner.Controller {
			event.OwnerUID = owner.UID
		}
	}
}

func bound(event *recording.AuditEvent, raw rawEvent) {
	binding, _ := decode(raw.RequestObject)
	event.TargetNode = binding.Target.Name
	if binding.Metadata.UID != "" {
		event.UID = binding.Metadata.UID
	}
}

func patched(event *recording.AuditEvent, raw rawEvent) {
	patch, ok := decode(raw.RequestObject)
	if patch.Metadata.UID != "" {
		event.UID = patch.Metadata.UID
	}
	if event.UID == "" {
		if pod, ok := decode(raw.ResponseObject); ok && pod.Kind != "Status" {
			event.UID = pod.Metadata.UID
		}
	}
	if ok {
		event.Status = patch.Status.change()
	}
}

func decode(body json.RawMessage) (rawObject, bool) {
	var object rawObject
	if len(body) == 0 || json.Unmarshal(body, &object) != nil {
		return rawObject{}, false
	}
	return object, true
}
