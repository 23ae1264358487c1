package procfs

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

const (
	// hybrid has version 1 with the unified hierarchy beside it; the processor time of a
	// container's inside is mounted from a folder below the hierarchy's root.
	hybrid = `31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
35 31 0:32 /outer /sys/fs/cgroup/a\040b rw,relatime - cgroup cgroup rw,memory
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
`
	unified = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
)

func TestTheFolderOfAGroupIsFoundByItsMount(t *testing.T) {
	v1 := "4:memory:/outer/docker/0a\n2:cpu,cpuacct:/docker/0a\n1:name=systemd:/\n0::/docker/0a\n"
	for name, test := range map[string]struct{ mounts, groups, controller, want string }{
		"version 1, two controllers in one hierarchy": {hybrid, v1, "cpuacct", "sys/fs/cgroup/cpu,cpuacct/docker/0a"},
		"a mount of a folder below the root":          {hybrid, v1, "memory", "sys/fs/cgroup/a b/docker/0a"},
		"the unified hierarchy beside version 1":      {hybrid, v1, "", "sys/fs/cgroup/unified/docker/0a"},
		"the unified hierarchy alone":                 {unified, "0::/system.slice/docker-0a.scope\n", "", "sys/fs/cgroup/system.slice/docker-0a.scope"},
		"the root group":                              {unified, "0::/\n", "", "sys/fs/cgroup"},
		"a controller without a hierarchy":            {unified, "0::/a\n", "cpuacct", ""},
		"a group outside the mounted folder":          {hybrid, "4:memory:/other\n", "memory", ""},
		"a folder whose name begins like the mounted": {hybrid, "4:memory:/outermost\n", "memory", ""},
		"a group outside of the namespace":            {unified, "0::/../../etc\n", "", ""},
		"no mounts":                                   {"", v1, "cpuacct", ""},
	} {
		t.Run(name, func(t *testing.T) {
			proc := New(fstest.MapFS{"self/mountinfo": file(test.mounts), "7/cgroup": file(test.groups)})
			groups, err := proc.Cgroups(7)
			if err != nil {
				t.Fatal(err)
			}
			group, has := groups[test.controller]
			folder, ok := proc.CgroupFolder(test.controller, group)
			if has && folder != test.want || ok != (test.want != "") {
				t.Errorf("%q, %t; want %q", folder, ok, test.want)
			}
		})
	}
}

func TestControlGroupsThatCannotBeRead(t *testing.T) {
	proc := New(fstest.MapFS{"7/cgroup": file("nothing\n")})
	for _, pid := range []int{7, 8} {
		if groups, err := proc.Cgroups(pid); err == nil {
			t.Errorf("process %d has %v", pid, groups)
		}
	}
}

// Paths come from whoever started the process: no folder may leave the file system.
func FuzzCgroupFolder(f *testing.F) {
	f.Add(hybrid, "2:cpu,cpuacct:/docker/0a\n0::/\n")
	f.Add(unified, "0::/../..\n")
	f.Add(`1 1 0:0 \057.. \177/ - cgroup2 x y`, "0::/")
	f.Fuzz(func(t *testing.T, mounts, groups string) {
		proc := New(fstest.MapFS{"self/mountinfo": file(mounts), "7/cgroup": file(groups)})
		all, err := proc.Cgroups(7)
		if err != nil {
			return
		}
		for controller, group := range all {
			if folder, ok := proc.CgroupFolder(controller, group); ok && strings.HasPrefix(folder, "/") {
				t.Errorf("%q", folder)
			} else if ok && fs.ValidPath(folder) && strings.Contains("/"+folder+"/", "/../") {
				t.Errorf("%q leaves", folder)
			}
		}
	})
}
