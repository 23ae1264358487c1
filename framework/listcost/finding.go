package listcost

import (
	"fmt"
	"slices"
	"strings"
)

// findings say in sentences what this server and these clients do.
func findings(r *Result) []string {
	out := []string{}
	server := "the API server"
	if r.KubernetesVersion != "" {
		server = "kube-apiserver " + r.KubernetesVersion
	}
	for _, s := range Strategies() {
		i := slices.IndexFunc(r.Strategies, func(x StrategyResult) bool { return x.Name == s.Name })
		if i < 0 {
			continue
		}
		result := &r.Strategies[i]
		switch {
		case result.Unserved != "":
			out = append(out, fmt.Sprintf("%s does not serve %s (%s).", server, s.Name, result.Unserved))
		case s.Limited:
			out = append(out, pagination(server, s, result, r.Limit))
		case s.Streaming:
			out = append(out, server+" serves streaming lists (sendInitialEvents).")
		}
	}
	out = append(out, sources(r, server)...)
	out = append(out, against(r)...)
	out = append(out, watches(r)...)
	out = append(out, timeouts(r)...)
	out = append(out, beyond(r)...)
	slow := 0
	for _, s := range r.Strategies {
		for _, p := range s.Points {
			slow += p.Slow
		}
	}
	if slow > 0 {
		out = append(out, fmt.Sprintf("%d lists took more than %v; their steps are in the log, and the slowest one's in the report.", slow, SlowList))
	}
	return out
}

// pagination tells whether a limit was honored. That is a finding, since servers
// differ.
func pagination(server string, s Strategy, r *StrategyResult, limit int) string {
	what := "with resourceVersion unset"
	if s.version != "" {
		what = "with resourceVersion=" + s.version
	}
	i := len(r.Points) - 1
	if i < 0 || r.Points[i].Pods <= limit || r.Points[i].Seconds == nil {
		return fmt.Sprintf("Whether %s honors a limit %s cannot be told: no size is larger than the limit of %d.", server, what, limit)
	}
	p := r.Points[i]
	want := (p.Pods + limit - 1) / limit
	switch p.Pages {
	case want:
		return fmt.Sprintf("%s honors a limit %s: %d pods came in %d pages of at most %d.", server, what, p.Pods, p.Pages, limit)
	case 1:
		return fmt.Sprintf("%s does not honor a limit %s: %d pods came in one answer, where pages of %d were asked for.", server, what, p.Pods, limit)
	}
	return fmt.Sprintf("%s honors a limit %s in its own way: %d pods came in %d pages, where %d of %d were asked for.", server, what, p.Pods, p.Pages, want, limit)
}

// sources say where lists came from; ways with the same source share a sentence.
func sources(r *Result, server string) (out []string) {
	by := map[string][]string{}
	var order []string
	for _, s := range r.Strategies {
		if s.ServedFrom == "" {
			continue
		}
		if by[s.ServedFrom] == nil {
			order = append(order, s.ServedFrom)
		}
		by[s.ServedFrom] = append(by[s.ServedFrom], s.Name)
	}
	for _, from := range order {
		out = append(out, fmt.Sprintf("By its own count %s served these from its %s: %s.", server, from, strings.Join(by[from], ", ")))
	}
	return out
}

// watches compare the styles at the most consumers and pods.
func watches(r *Result) (out []string) {
	for _, style := range Styles() {
		if i := most(r, style); i != nil && i.FullReads > 0 {
			out = append(out, fmt.Sprintf("%d consumers with %s read all pods %s and held %s open.", i.Consumers, phrase(style), times(i.FullReads), count(i.Watches, "watch", "watches")))
		}
	}
	return out
}

// phrase names a style in a sentence.
func phrase(s Style) string {
	if s == Shared {
		return "one shared informer"
	}
	return "an informer each"
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// most is the style's result with the most pods, and among those the most consumers,
// that has a try that did not fail.
func most(r *Result, style Style) (found *InformerResult) {
	for i := range r.Informers {
		x := &r.Informers[i]
		if x.Style != string(style) || x.SyncedSeconds == nil {
			continue
		}
		if found == nil || x.Pods > found.Pods || x.Pods == found.Pods && x.Consumers > found.Consumers {
			found = x
		}
	}
	return found
}

// timeouts tell whether a request timeout applies in each style.
func timeouts(r *Result) (out []string) {
	for _, style := range Styles() {
		i := most(r, style)
		if i == nil {
			continue
		}
		client := "no request has a timeout of the client's"
		switch {
		case i.ListTimeout && i.WatchTimeout:
			client = "lists and watches have a timeout of the client's"
		case i.ListTimeout:
			client = "lists have a timeout of the client's, watches have none"
		case i.WatchTimeout:
			client = "the client gives a watch up after a time of its own"
		}
		asked := "the server is not asked to end watches"
		if i.ServerTimeout != "" {
			asked = "the server is asked to end a watch (timeoutSeconds, drawn at random) after " + i.ServerTimeout
		}
		if slices.ContainsFunc(i.Requests, func(q RequestCount) bool { return strings.Contains("&"+q.Query, "&timeout=") }) {
			asked += ", and once more by the parameter timeout, which its generated client adds"
		}
		out = append(out, fmt.Sprintf("Request timeouts of %s: %s; %s.", phrase(style), client, asked))
	}
	return out
}

// beyond lists how the styles differ at the most pods, one sentence for each number
// of consumers.
func beyond(r *Result) (out []string) {
	pods := 0
	for _, d := range r.Differences {
		pods = max(pods, d.Pods)
	}
	var consumers []int
	for _, d := range r.Differences {
		if d.Pods == pods && !slices.Contains(consumers, d.Consumers) {
			consumers = append(consumers, d.Consumers)
		}
	}
	for _, n := range consumers {
		var differ, same, unknown []string
		for _, d := range r.Differences {
			if d.Pods != pods || d.Consumers != n {
				continue
			}
			switch {
			case d.Ratio.Low == nil:
				unknown = append(unknown, d.Quantity)
			case d.Ratio.Beyond:
				differ = append(differ, d.Quantity+" "+d.Ratio.String())
			default:
				same = append(same, d.Quantity)
			}
		}
		text := fmt.Sprintf("Informers of their own against a shared one, %s and %d pods: ", count(n, "consumer", "consumers"), pods)
		if len(differ) > 0 {
			text += "beyond noise in " + strings.Join(differ, ", ")
		} else {
			text += "no difference beyond noise"
		}
		if len(same) > 0 && len(differ) > 0 {
			text += "; not in " + strings.Join(same, ", ")
		}
		if len(unknown) > 0 {
			text += "; cannot be told of " + strings.Join(unknown, ", ")
		}
		out = append(out, text+".")
	}
	return out
}
