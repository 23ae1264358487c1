package kind

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/procfs"
)

// visible is this machine's /proc with the recorded processes of both nodes in it, each
// at its pid in the node plus an offset.
func visible(t *testing.T, offsets map[string]int) *procfs.FS {
	t.Helper()
	files := fstest.MapFS{}
	process := func(pid, parent, inside int, start, comm string) {
		namespaces := fmt.Sprintf("%d\t%d", pid, inside)
		if strings.HasPrefix(comm, "kube-") || comm == "etcd" { // in a static pod
			namespaces += "\t1"
		}
		files[fmt.Sprintf("%d/stat", pid)] = &fstest.MapFile{Data: fmt.Appendf(nil, "%d (%s) S %d 1 1 0 -1 0 0 0 0 0 1 0 0 0 20 0 1 0 %s 0 1 0", pid, comm, parent, start)}
		files[fmt.Sprintf("%d/status", pid)] = &fstest.MapFile{Data: []byte("NSpid:\t" + namespaces + "\n")}
		files[fmt.Sprintf("%d/comm", pid)] = &fstest.MapFile{Data: []byte(comm + "\n")}
	}
	for node, offset := range offsets {
		process(offset+1, 1, 1, "10", "systemd")
		process(offset+90, offset+1, 90, "20", "containerd")
		process(offset+91, offset+90, 91, "30", "containerd") // a child of the other
		for line := range strings.Lines(recorded(t, "processes-"+node+".txt")) {
			var comm, start string
			var pid int
			if _, err := fmt.Sscan(line, &comm, &pid, &start); err != nil {
				t.Fatal(err)
			}
			process(offset+pid, offset+1, pid, start, comm)
		}
	}
	here := procfs.New(files)
	return &here
}

func TestComponentsContainerdAndNodesHaveAccounts(t *testing.T) {
	w, c := tunedCluster(t)
	w.answer(t)
	c.options.proc = visible(t, map[string]int{"control-plane": 10_000, "worker": 20_000})
	accounts, err := c.Accounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	processes, err := c.Processes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]clusters.Account{}
	for _, a := range accounts {
		byName[a.Name] = a
	}
	for _, p := range processes {
		inside, _, _ := strings.Cut(p.ID, "@")
		offset := 10_000
		if strings.HasSuffix(p.Instance.Node, "worker") {
			offset = 20_000
		}
		if got := byName[p.Instance.String()].PIDs; len(got) != 1 || fmt.Sprint(got[0]-offset) != inside {
			t.Errorf("%s is %v, want %s in its node", p.Instance, got, inside)
		}
	}
	for name, want := range map[string]clusters.Account{
		"containerd-podburst-test-worker":  {PIDs: []int{20_090}},
		"node podburst-test-control-plane": {PIDs: []int{10_001}, Container: "id-of-podburst-test-control-plane"},
		"node podburst-test-worker":        {PIDs: []int{20_001}, Container: "id-of-podburst-test-worker"},
	} {
		want.Name = name
		if got := byName[name]; !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	// Six instances, two containerds and two nodes.
	if len(accounts) != 10 {
		t.Errorf("%d accounts", len(accounts))
	}
}

// The processes of static pods were taken for invisible, because their last pid is 1.
func TestAStaticPodsProcessIsFoundInItsNodesNamespace(t *testing.T) {
	here := visible(t, map[string]int{"control-plane": 10_000})
	if got := hostPID(*here, "468", "319501"); got != 10_468 {
		t.Errorf("etcd is %d on this machine", got)
	}
	if got := hostPID(*here, "468", "1"); got != 0 {
		t.Errorf("a process of another time is %d", got)
	}
}

func TestANodeThatCannotBeSeenHasAccountsWithoutProcesses(t *testing.T) {
	w, c := tunedCluster(t)
	w.answer(t)
	c.options.proc = visible(t, map[string]int{"worker": 20_000})
	accounts, err := c.Accounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range accounts {
		if seen := strings.HasSuffix(a.Name, "worker"); seen != (len(a.PIDs) == 1) {
			t.Errorf("%+v", a)
		}
	}
}

func TestWhereTheEngineIsElsewhereThereAreNoAccounts(t *testing.T) {
	w, c := tunedCluster(t)
	w.answer(t)
	c.options.proc = visible(t, nil)
	if accounts, err := c.Accounts(t.Context()); !errors.Is(err, clusters.ErrUnsupported) {
		t.Errorf("%+v, %v", accounts, err)
	}
}
