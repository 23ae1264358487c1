package station

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/exposition"
	"github.com/podburst/podburst/framework/station/evidence"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/internal/span"
)

// The API server's metrics of what a request takes and waits for (Kubernetes 1.26 to
// 1.37). The "sli" one leaves out priority and fairness and webhooks (KEP-1748's SLI
// metrics), so that their difference is these two, for each kind of request.
const (
	requestMetric    = "apiserver_request_duration_seconds"
	sliMetric        = "apiserver_request_sli_duration_seconds"
	seatsMetric      = "apiserver_flowcontrol_request_wait_duration_seconds"
	seatsThereMetric = "apiserver_flowcontrol_current_limit_seats"
	heldMetric       = "apiserver_flowcontrol_request_execution_seconds"
	rejectedMetric   = "apiserver_flowcontrol_rejected_requests_total"
	pluginMetric     = "apiserver_admission_controller_admission_duration_seconds"
	hookMetric       = "apiserver_admission_webhook_admission_duration_seconds"
	etcdMetric       = "etcd_request_duration_seconds"
)

// writeKind is one kind of write that a pod needs.
type writeKind int

const (
	writeCreate writeKind = iota
	writeBind
	writeStatus

	writeKinds = iota
)

// kinds tells for each kind of write how the API server's metrics name it: the request,
// its admission, its operation on etcd, and the flow schemas that its senders use by default.
var kinds = [writeKinds]struct {
	what, verb, subresource, admission, etcd string
	schemas                                  []string
}{
	writeCreate: {"creation", "POST", "", "CREATE", "create", []string{"kube-controller-manager", "kube-system-service-accounts"}},
	writeBind:   {"binding", "POST", "binding", "CREATE", "update", []string{"kube-scheduler"}},
	writeStatus: {"status write", "PATCH", "status", "UPDATE", "update", []string{"system-nodes"}},
}

// stage is what one of the API server's stations is known to have done.
type stage struct {
	err    error
	served int
	// total is what it took of the burst's requests, by the means, in seconds.
	total float64
	says  []string
}

// writes is how the API server's writes divide among its stations. The audit log times
// each request as a whole; the server's metrics tell the means of each kind.
type writes struct {
	// share is what part of a write of each kind each station takes, from 0 to 1.
	share [writeKinds]map[Name]float64
	// ofRead is the same of a kubelet's reads of a pod.
	ofRead                         map[Name]float64
	seats, admission, etcd, server stage
	rejected                       float64
	// hooked: webhooks take most of what admission takes. longest bounds what else a
	// request of each kind took, webhooks and seats left out.
	hooked  bool
	longest [writeKinds]time.Duration

	// held is for how long requests held seats where most was waited for one, in seconds.
	held float64
	// seatsThere is how many seats that priority level has; 0 where it is not known.
	seatsThere     float64
	hooks, plugged float64
	// updates is what part of each binding and each status write etcd had: it counts both
	// as updates of pods.
	updates float64
}

func (s *scene) readWrites() writes {
	var w writes
	api := s.process(clusters.KubeAPIServer)
	w.rejected, _ = api.Counter(rejectedMetric) // absent until one is rejected
	w.holders(api)
	schemas, errSeats := api.Histograms(seatsMetric, "flow_schema", exposition.Label{Name: "execute", Value: "true"})
	w.seats.err = errSeats
	w.readUpdates(api)
	for kind := range kinds {
		w.read(api, writeKind(kind), schemas)
	}
	if errSeats != nil {
		w.seats.says = nil // nothing was said of seats
	}
	w.readsIn(api)
	w.hooked = w.hooks > w.plugged
	if w.etcd.err != nil && w.etcd.served > 0 {
		w.etcd.err = nil
	}
	return w
}

// read takes the means of one kind.
func (w *writes) read(api evidence.Process, kind writeKind, schemas map[string]exposition.Histogram) {
	k := kinds[kind]
	w.share[kind] = map[Name]float64{}
	where := kind.labels()
	whole, err := api.Histogram(requestMetric, where...)
	if err == nil && whole.Count <= 0 {
		err = fmt.Errorf("%w: no %s", evidence.ErrNotRecorded, k.what)
	}
	if err != nil {
		w.server.err, w.admission.err, w.etcd.err = first(w.server.err, err), first(w.admission.err, err), first(w.etcd.err, err)
		w.seats.waits(kind, schemas, 0)
		return
	}
	mean := whole.Sum / whole.Count
	w.server.served += int(min(whole.Count, 1e9))
	w.server.total += whole.Sum
	w.server.says = append(w.server.says, fmt.Sprintf("%s of each %s (%s)", humanize.Seconds(mean), k.what, requestMetric))
	if mean <= 0 {
		return
	}
	plugins := w.plugins(api, kind)
	hooks := min(mean, w.webhooks(api, kind)/whole.Count)
	var seats float64
	if sli, err := api.Histogram(sliMetric, where...); err == nil && sli.Count > 0 {
		w.longest[kind] = toDuration(sli.Longest())
		outside := max(0, mean-sli.Sum/sli.Count)
		hooks = min(hooks, outside)
		seats = w.seats.known(kind, whole.Count, outside-hooks, schemas)
		if rest := outside - hooks - seats; w.seats.err == nil && rest > mostly*mean {
			w.admission.err = first(w.admission.err, fmt.Errorf("%w: %s of each %s lies outside of the SLI, and neither seats nor webhooks explain it", evidence.ErrTorn, humanize.Seconds(rest), k.what))
		}
	} else {
		seats = w.seats.waits(kind, schemas, whole.Count)
	}
	if hooks > plugins {
		w.admission.says = slices.Insert(w.admission.says, 0, fmt.Sprintf("webhooks took %s of each %s (%s)", humanize.Seconds(hooks), k.what, hookMetric))
	}
	w.hooks += hooks * whole.Count
	w.plugged += plugins * whole.Count
	w.admission.total += (hooks + plugins) * whole.Count
	w.admission.served += int(min(whole.Count, 1e9))
	commits := w.commits(api, kind, whole)
	// The parts are means of the same requests; noise must not make them more than all.
	scale := min(1, mean/max(mean, seats+hooks+plugins+commits))
	w.share[kind] = map[Name]float64{
		PriorityAndFairness: seats * scale / mean, Admission: (hooks + plugins) * scale / mean, Etcd: commits * scale / mean,
	}
}

// labels are those of the kind's requests in the API server's metrics.
func (kind writeKind) labels() []exposition.Label {
	k := kinds[kind]
	return []exposition.Label{{Name: "resource", Value: "pods"}, {Name: "subresource", Value: k.subresource}, {Name: "verb", Value: k.verb}}
}

// readUpdates finds what part of bindings and status writes etcd had. It counts both alike, and
// their lengths differ, so that only their sum is known; each is taken to have the same part.
func (w *writes) readUpdates(api evidence.Process) {
	requests := 0.0
	for _, kind := range []writeKind{writeBind, writeStatus} {
		if h, err := api.Histogram(requestMetric, kind.labels()...); err == nil {
			requests += h.Sum
		}
	}
	h, err := api.Histogram(etcdMetric, exposition.Label{Name: "operation", Value: "update"}, exposition.Label{Name: "resource", Value: "pods"})
	if err == nil && requests > 0 {
		w.updates = min(1, h.Sum/requests)
	}
}

// commits is what etcd takes of one request, in seconds.
func (w *writes) commits(api evidence.Process, kind writeKind, whole exposition.Histogram) float64 {
	k := kinds[kind]
	h, err := api.Histogram(etcdMetric, exposition.Label{Name: "operation", Value: k.etcd}, exposition.Label{Name: "resource", Value: "pods"})
	if err != nil {
		w.etcd.err = first(w.etcd.err, err)
		return 0
	}
	if h.Count <= 0 {
		return 0
	}
	each := h.Sum / h.Count
	if k.etcd == "update" {
		each = w.updates * whole.Sum / whole.Count
	}
	w.etcd.total += each * whole.Count
	w.etcd.served += int(min(whole.Count, 1e9))
	w.etcd.says = append(w.etcd.says, fmt.Sprintf("%s of each %s (%s, %s)", humanize.Seconds(each), k.what, etcdMetric, k.etcd))
	return each
}

// parted is nil if it is known how requests divide among the API server's stations.
func (w *writes) parted() error {
	return errors.Join(w.seats.err, w.admission.err, w.etcd.err)
}

func first(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// waits is the mean wait for a seat of the kind's requests.
func (st *stage) waits(kind writeKind, schemas map[string]exposition.Histogram, count float64) float64 {
	var sum, n float64
	for _, name := range kinds[kind].schemas {
		sum += schemas[name].Sum
		n += schemas[name].Count
	}
	if n <= 0 { // other flow schemas than the default ones
		for _, name := range slices.Sorted(maps.Keys(schemas)) {
			sum += schemas[name].Sum
			n += schemas[name].Count
		}
	}
	if n <= 0 {
		return 0
	}
	st.served += int(min(max(count, n), 1e9))
	st.total += sum / n * max(count, 1)
	st.says = append(st.says, fmt.Sprintf("each %s waited %s for a seat (%s)", kinds[kind].what, humanize.Seconds(sum/n), seatsMetric))
	return sum / n
}

// holders is for how long requests held seats of the priority level at which most was
// waited.
func (w *writes) holders(api evidence.Process) {
	waits, err := api.Histograms(seatsMetric, "priority_level", exposition.Label{Name: "execute", Value: "true"})
	held, errHeld := api.Histograms(heldMetric, "priority_level")
	if err != nil || errHeld != nil {
		return
	}
	most := 0.0
	for _, level := range slices.Sorted(maps.Keys(waits)) {
		if waits[level].Sum > most {
			most, w.held = waits[level].Sum, held[level].Sum
			w.seatsThere = api.Gauge(seatsThereMetric, "priority_level")[level]
		}
	}
}

// seatsTaken is what part of these seats requests held on average in the window, from 0 to 1.
func (w *writes) seatsTaken(window span.Span) float64 {
	if w.seatsThere <= 0 || window.Length() <= 0 {
		return 0
	}
	return min(1, w.held/(w.seatsThere*window.Length().Seconds()))
}

// readsIn takes the means of reads of one pod, which etcd answers; nothing where they are not
// known.
func (w *writes) readsIn(api evidence.Process) {
	w.ofRead = map[Name]float64{}
	whole, err := api.Histogram(requestMetric, exposition.Label{Name: "resource", Value: "pods"}, exposition.Label{Name: "subresource", Value: ""}, exposition.Label{Name: "verb", Value: "GET"})
	got, errEtcd := api.Histogram(etcdMetric, exposition.Label{Name: "operation", Value: "get"}, exposition.Label{Name: "resource", Value: "pods"})
	if err != nil || errEtcd != nil || whole.Count <= 0 || got.Count <= 0 || !(whole.Sum > 0) {
		return
	}
	w.ofRead[Etcd] = min(1, got.Sum/got.Count/(whole.Sum/whole.Count))
}

// known is the mean wait for a seat of the kind's requests, by what the API server took of
// them outside of the SLI and webhooks.
func (st *stage) known(kind writeKind, count, each float64, schemas map[string]exposition.Histogram) float64 {
	var waited float64
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		waited += schemas[name].Sum
	}
	each = min(each, waited/count) // no more than all requests together waited
	st.served += int(min(count, 1e9))
	st.total += each * count
	st.says = append(st.says, fmt.Sprintf("each %s waited %s for a seat (%s less %s and webhooks)", kinds[kind].what, humanize.Seconds(each), requestMetric, sliMetric))
	return each
}

// webhooks is what webhooks took of all requests of the operation, in seconds. Without a
// webhook there is no such metric.
func (w *writes) webhooks(api evidence.Process, kind writeKind) float64 {
	h, err := api.Histogram(hookMetric, exposition.Label{Name: "operation", Value: kinds[kind].admission})
	if errors.Is(err, evidence.ErrNoMetric) {
		return 0
	}
	if err != nil {
		w.admission.err = first(w.admission.err, err)
	}
	return h.Sum
}

// plugins is what the admission plugins take of one request, webhooks left out: each
// request passes each of them.
func (w *writes) plugins(api evidence.Process, kind writeKind) float64 {
	sum := 0.0
	for _, step := range []string{"admit", "validate"} {
		by, err := api.Histograms(pluginMetric, "name", exposition.Label{Name: "operation", Value: kinds[kind].admission}, exposition.Label{Name: "type", Value: step})
		if err != nil {
			w.admission.err = first(w.admission.err, err)
			return 0
		}
		for _, name := range slices.Sorted(maps.Keys(by)) {
			if h := by[name]; h.Count > 0 && !strings.HasSuffix(name, "AdmissionWebhook") {
				sum += h.Sum / h.Count
			}
		}
	}
	w.admission.says = append(w.admission.says, fmt.Sprintf("plugins took %s of each %s (%s)", humanize.Seconds(sum), kinds[kind].what, pluginMetric))
	return sum
}

// divide splits the length of a write among the stations; what remains is the API server's.
func (w *writes) divide(kind writeKind, d time.Duration, to func(Name, time.Duration)) {
	rest := d
	for _, name := range []Name{PriorityAndFairness, Admission, Etcd} {
		took := min(rest, time.Duration(w.share[kind][name]*float64(d)))
		rest -= took
		if took > 0 {
			to(name, took)
		}
	}
	if rest > 0 {
		to(APIServer, rest)
	}
}
