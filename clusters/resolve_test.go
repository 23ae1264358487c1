package clusters

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const profileHead = "apiVersion: podburst.dev/v1alpha1\nkind: Profile\nmetadata: {name: "

func writeProfile(t *testing.T, dir, file, name string) string {
	t.Helper()
	path := filepath.Join(dir, file)
	if err := os.WriteFile(path, []byte(profileHead+name+"}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// The numbers are DESIGN's: what each shipped profile is for depends on them.
func TestShippedProfilesSetWhatTheirNamesSay(t *testing.T) {
	for _, test := range []struct {
		name                                  string
		controllerManager, scheduler, kubelet string
	}{
		{"default", "unset", "unset", "unset"},
		{"before", "50/100", "50/100", "50/100"},
		{"tuned", "150/200", "150/200", "150/200"},
		{"tuned-controller-manager", "150/200", "unset", "unset"},
		{"tuned-scheduler", "unset", "150/200", "unset"},
		{"tuned-kubelet", "unset", "unset", "150/200"},
		{"unlimited", "5000/10000", "5000/10000", "5000/10000"},
	} {
		t.Run(test.name, func(t *testing.T) {
			profile, err := Resolve(test.name)
			if err != nil {
				t.Fatal(err)
			}
			if profile.Metadata.Name != test.name || profile.Metadata.Description == "" {
				t.Errorf("metadata is %+v", profile.Metadata)
			}
			for component, want := range map[Component]string{
				KubeControllerManager: test.controllerManager, KubeScheduler: test.scheduler, Kubelet: test.kubelet,
			} {
				spec, _ := profile.Spec.Component(component)
				got := "unset"
				if spec.KubeAPIQPS != nil && spec.KubeAPIBurst != nil {
					got = limitsText(*spec.KubeAPIQPS, *spec.KubeAPIBurst)
				}
				if got != want {
					t.Errorf("%s is %s, want %s", component, got, want)
				}
			}
		})
	}
	want := []string{"before", "default", "tuned", "tuned-controller-manager", "tuned-kubelet", "tuned-scheduler", "unlimited"}
	if got := Shipped(); !slices.Equal(got, want) {
		t.Errorf("Shipped() = %v, want %v", got, want)
	}
}

func limitsText(qps float64, burst int) string { return plain(qps) + "/" + plain(float64(burst)) }

func TestResolve(t *testing.T) {
	dir := t.TempDir()
	writeProfile(t, dir, "mine.yaml", "mine")
	writeProfile(t, dir, "short.yml", "short")
	writeProfile(t, dir, "liar.yaml", "honest")
	writeProfile(t, dir, "tuned.yaml", "tuned")
	for _, test := range []struct{ name, asked, want, wantErr string }{
		{"shipped, by name", "before", "before", ""},
		{"own folder, by name", "mine", "mine", ""},
		{"own folder, .yml", "short", "short", ""},
		{"by path", filepath.Join(dir, "liar.yaml"), "honest", ""},
		{"name and metadata differ", "liar", "", `metadata.name is "honest", but the file was asked for as "liar"`},
		{"misspelled", "tunde", "", `unknown profile "tunde": did you mean tuned? known are before, default, liar, mine, short, tuned,`},
		{"nothing near", "fast", "", `unknown profile "fast": known are before,`},
		{"a file that is not there", "./missing.yaml", "", "load profile: open"},
		{"a folder", dir, "", "load profile: read"},
	} {
		t.Run(test.name, func(t *testing.T) {
			profile, err := Resolve(test.asked, dir)
			if test.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), test.wantErr) {
					t.Fatalf("got %v, want %q", err, test.wantErr)
				}
				return
			}
			if err != nil || profile.Metadata.Name != test.want {
				t.Errorf("got %q, %v", profile.Metadata.Name, err)
			}
		})
	}
	t.Run("the own folder wins over the shipped set", func(t *testing.T) {
		profile, err := Resolve("tuned", dir)
		if err != nil || profile.Spec.Kubelet.KubeAPIQPS != nil {
			t.Errorf("got the shipped profile (%v)", err)
		}
	})
	t.Run("a folder that is not there", func(t *testing.T) {
		if _, err := Resolve("tuned", filepath.Join(dir, "none")); err == nil {
			t.Error("no error")
		}
	})
}

func TestLoadSet(t *testing.T) {
	dir := t.TempDir()
	copyOfTuned := writeProfile(t, dir, "copy.yaml", "tuned")
	for _, test := range []struct {
		name    string
		asked   []string
		wantErr []string
	}{
		{"in the order asked for", []string{"tuned", " default"}, nil},
		{"empty list", nil, []string{"no profiles"}},
		{"stray comma", strings.Split("default,,tuned", ","), []string{`profile 2 of 3 ("default,,tuned") has no name`}},
		{"only a comma", []string{"", " "}, []string{"profile 1 of 2", "profile 2 of 2"}},
		{"twice the same name", []string{"default", "default"}, []string{`two profiles are named "default"`}},
		{"two files of one name", []string{"tuned", copyOfTuned}, []string{`two profiles are named "tuned" (tuned and `}},
		{"every fault", []string{"nope", "tunde", ""}, []string{`"nope"`, "did you mean tuned?", "has no name"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			profiles, err := LoadSet(test.asked)
			if len(test.wantErr) == 0 {
				if err != nil || len(profiles) != 2 || profiles[0].Metadata.Name != "tuned" || profiles[1].Metadata.Name != "default" {
					t.Errorf("got %v, %v", profiles, err)
				}
				return
			}
			for _, want := range test.wantErr {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want %q in it", err, want)
				}
			}
			if profiles != nil {
				t.Error("profiles beside an error")
			}
		})
	}
}
