package html

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/reports"
)

// environment shows what was measured and on which machine.
func (v *view) environment() document.Section {
	s := document.Section{ID: "environment", Heading: "What was measured, and where"}
	if len(v.profiles) > 0 {
		s.Table(v.configuration())
	}
	for _, p := range v.profiles {
		if p.result == nil {
			continue
		}
		if reason := p.result.EffectiveUnavailable; reason != "" {
			s.Text("Not known of %s: %s.", p.name, strings.TrimSuffix(reason, "."))
		}
		if source, err := yaml.Marshal(p.result.Spec); err == nil && len(source) < 20_000 {
			s.Blocks = append(s.Blocks, document.Block{Folded: &document.Folded{Summary: "Profile " + p.name + " as asked for", Source: string(source)}})
		}
	}
	s.Table(v.run())
	return s
}

// configuration shows each profile's cluster and the limits in force.
func (v *view) configuration() *document.Table {
	columns := []string{"profile", " provider", " Kubernetes", "nodes", "cluster ready after"}
	components := clusters.Configurable()
	for _, c := range components {
		columns = append(columns, " "+string(c)+" QPS/burst")
	}
	t := document.NewTable("Profiles: limits in force, read back from the live components", append(columns, " node's runtime", " image")...)
	for _, p := range v.profiles {
		if p.result == nil {
			t.Row(cellFor(p), "nothing was recorded", "-", "-", "-", "-", "-", "-", "-", "-")
			continue
		}
		r := p.result
		cells := []any{cellFor(p), r.Provider, humanize.OrDash(r.KubernetesVersion), len(r.Nodes)}
		if r.CreateSeconds > 0 {
			cells = append(cells, r.CreateSeconds)
		} else {
			cells = append(cells, "-")
		}
		for _, c := range components {
			cells = append(cells, effective(r.Effective, c))
		}
		runtime := "-"
		if len(r.NodeInfo) > 0 {
			runtime = humanize.OrDash(r.NodeInfo[0].ContainerRuntime)
		}
		image := "-"
		if r.Image != nil {
			image = r.Image.Name + " " + cmp.Or(r.Image.Digest, r.Image.ID)
		}
		t.Row(append(cells, runtime, image)...)
	}
	return t
}

// effective lists the limits in force of a component. Instances with equal limits are
// listed once.
func effective(all clusters.Effective, component clusters.Component) string {
	var texts []string
	for _, limits := range all.Of(component) {
		text := reports.LimitsText(limits)
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	if len(texts) > 4 {
		texts = append(texts[:4], "…")
	}
	return humanize.OrDash(strings.Join(texts, ", "))
}

// run shows the plan, and the machine's fingerprint key by key.
func (v *view) run() *document.Table {
	t := document.NewTable("Run and machine", "what", " value")
	add := func(name, value string) {
		if value != "" {
			t.Row(name, value)
		}
	}
	add("run", v.Run.ID)
	add("provider", v.Run.Provider)
	add("why this provider", v.Run.ProviderReason)
	add("started", v.Run.StartedAt.UTC().Format("2006-01-02 15:04:05 UTC"))
	if f := v.Run.FinishedAt; f != nil {
		add("took", f.Sub(v.Run.StartedAt).Round(1e9).String())
	}
	add("seed", strconv.FormatInt(v.Run.Seed, 10))
	add("bursts", fmt.Sprintf("%d planned, %d recorded with warm-ups, of %s pods", v.Run.PlannedBursts, len(v.Bursts), v.pods()))
	if c := v.Run.Comparison; c != nil {
		add("comparison", fmt.Sprintf("base %s, %d blocks planned, at most %d", c.Base, c.Blocks, c.MaxBlocks))
		add("clusters", strings.Trim(string(c.Layout)+": "+c.LayoutReason, ": "))
	}
	var environment any
	decoder := json.NewDecoder(strings.NewReader(string(v.Environment)))
	decoder.UseNumber()
	if decoder.Decode(&environment) == nil {
		flatten("", environment, 0, add)
	}
	return t
}

// flatten names each leaf of a JSON value by its path.
func flatten(name string, value any, depth int, add func(name, value string)) {
	switch value := value.(type) {
	case nil:
	case map[string]any:
		if depth == 4 {
			add(name, fmt.Sprint(value))
			return
		}
		for _, k := range sortedKeys(value) {
			flatten(strings.TrimPrefix(name+" "+k, " "), value[k], depth+1, add)
		}
	case json.Number:
		if n, err := value.Int64(); err == nil && strings.HasSuffix(name, "Bytes") && n > 0 {
			add(strings.TrimSuffix(name, "Bytes"), fmt.Sprintf("%.1f GiB", float64(n)/(1<<30)))
			return
		}
		add(name, value.String())
	default:
		add(name, fmt.Sprint(value))
	}
}
