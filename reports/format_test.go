package reports

import (
	"slices"
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
)

func TestDurationsAreFormattedForPeople(t *testing.T) {
	for seconds, want := range map[float64]string{
		0: "0 ms", 1e-9: "0 ms", 0.00018: "180 µs", -0.00018: "-180 µs", 0.0009994: "999 µs", 0.0009996: "1.0 ms",
		0.0034: "3.4 ms", 0.00996: "10 ms", 0.012: "12 ms", 0.9994: "999 ms", 0.9996: "1.00 s", 1.468: "1.47 s",
		9.994: "9.99 s", 9.996: "10.0 s", 74.51: "74.5 s", 99.96: "100 s", 3600: "3600 s", -1.5: "-1.50 s",
	} {
		if got := FormatSeconds(seconds); got != want {
			t.Errorf("FormatSeconds(%v) = %q, want %q", seconds, got, want)
		}
	}
}

func TestKubeletsThatAgreeAreOneEntry(t *testing.T) {
	limits := clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 100, Source: "configz"}
	got := formatEffective(clusters.Effective{
		"kubelet-a": limits, "kubelet-b": limits, "kubelet-c": {KubeAPIQPS: 5000, KubeAPIBurst: 10000, Source: "configz"},
		"kube-scheduler": {KubeAPIQPS: -1},
	})
	want := []string{"kube-scheduler no limiter", "2 kubelets 50/100 (configz)", "kubelet 5000/10000 (configz)"}
	if !slices.Equal(got, want) {
		t.Errorf("limits are %q, want %q", got, want)
	}
}

func FuzzEscape(f *testing.F) {
	f.Add("a<b> @x [l](http://e) www.e.org")
	f.Fuzz(func(t *testing.T, s string) {
		got := strings.ReplaceAll(escape(s), "<!-- -->", "")
		if strings.ContainsAny(got, "<>\n\r\x1b") {
			t.Errorf("escape(%q) = %q", s, got)
		}
	})
}
