package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/verdict"
)

func TestObserveRefusesWhatCannotWork(t *testing.T) {
	dir := t.TempDir()
	kubeconfig := filepath.Join(dir, "config")
	if err := os.WriteFile(kubeconfig, []byte("apiVersion: v1\nkind: Config\ncontexts: [{name: staging, context: {cluster: a}}]\nclusters: [{name: a, cluster: {server: 'https://127.0.0.1:1'}}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	makespan := filepath.Join(dir, "slo.yaml")
	if err := os.WriteFile(makespan, []byte("apiVersion: podburst.dev/v1alpha1\nkind: SLO\nmetadata: {name: x}\nspec:\n  objectives:\n  - {name: a, phase: makespan, stat: max, limit: 5s}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"no selector":           {nil, "no selector"},
		"a bad selector":        {[]string{"-l", "app=web=x"}, "app=web=x"},
		"a misspelled format":   {[]string{"-l", "a=b", "--format", "tabel"}, "table"},
		"no time":               {[]string{"-l", "a=b", "--for", "0s"}, "--for 0s"},
		"settled after the end": {[]string{"-l", "a=b", "--for", "1s"}, "longer than"},
		"negative pods":         {[]string{"-l", "a=b", "--pods", "-3"}, "-3 pods"},
		"a makespan":            {[]string{"-l", "a=b", "--slo", makespan}, "makespan begins with the submission"},
		"a misspelled context":  {[]string{"-l", "a=b", "--context", "stagin"}, "staging"},
		"nobody answers":        {[]string{"-l", "a=b", "--context", "staging"}, "127.0.0.1:1"},
		"a stray argument":      {[]string{"-l", "a=b", "web"}, "web"},
	} {
		t.Run(name, func(t *testing.T) {
			artifacts := filepath.Join(t.TempDir(), "artifacts")
			code, _, errs := podburst(t, append([]string{"observe", "--kubeconfig", kubeconfig, "--artifacts", artifacts}, c.args...)...)
			if code != verdict.ExitUsage || !strings.Contains(errs, c.says) {
				t.Errorf("exit code %d, want %d; stderr lacks %q:\n%s", code, verdict.ExitUsage, c.says, errs)
			}
			if _, err := os.Stat(artifacts); err == nil {
				t.Error("a run was recorded")
			}
		})
	}
}

func TestThePassiveManifestIsForOneNamespaceAndLooksOnly(t *testing.T) {
	code, out, _ := podburst(t, "rbac", "--passive", "--namespace", "shop")
	if code != verdict.ExitPass || strings.Count(out, "namespace: shop\n") != 1 || strings.Contains(out, "namespace: default") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	for line := range strings.SplitSeq(out, "\n") {
		if verbs, ok := strings.CutPrefix(strings.TrimSpace(line), "verbs: "); ok && verbs != "[list, watch]" && verbs != "[get]" {
			t.Errorf("it may do more than look: %s", verbs)
		}
	}
	for _, args := range [][]string{{"--passive", "--kubelets"}, {"--namespace", "shop"}, {"--passive", "--namespace", "Shop!"}} {
		if code, _, errs := podburst(t, append([]string{"rbac"}, args...)...); code != verdict.ExitUsage || errs == "" {
			t.Errorf("%v: exit code %d: %s", args, code, errs)
		}
	}
}
