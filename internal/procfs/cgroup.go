package procfs

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Cgroup is where a process's control group is found in a hierarchy.
type Cgroup struct {
	// Path is the group's path in its hierarchy, as "/docker/0123".
	Path string
	// V2 tells the unified hierarchy, which holds every controller, from one of version
	// 1, which holds its own.
	V2 bool
}

// Cgroups are a process's groups by the controller whose hierarchy they are in; "" stands
// for the unified hierarchy.
func (p FS) Cgroups(pid int) (map[string]Cgroup, error) {
	text, err := p.Text(fmt.Sprintf("%d/cgroup", pid))
	if err != nil {
		return nil, fmt.Errorf("read the control groups of process %d: %w", pid, err)
	}
	groups := map[string]Cgroup{}
	for line := range strings.Lines(text) {
		// "2:cpu,cpuacct:/path" or, of the unified hierarchy, "0::/path".
		parts := strings.SplitN(strings.TrimRight(line, "\n"), ":", 3)
		if len(parts) < 3 {
			return nil, fmt.Errorf("read the control groups of process %d: %q is not three fields", pid, line)
		}
		for controller := range strings.SplitSeq(parts[1], ",") {
			groups[controller] = Cgroup{Path: parts[2], V2: parts[1] == ""}
		}
	}
	return groups, nil
}

// CgroupFolder is the folder, from the machine's root and without a leading slash, in
// which a group of that controller's hierarchy ("" for the unified one) is mounted. ok is
// false if no mount shows it.
func (p FS) CgroupFolder(controller string, group Cgroup) (folder string, ok bool) {
	text, err := p.Text("self/mountinfo")
	if err != nil {
		return "", false
	}
	for line := range strings.Lines(text) {
		// "36 35 98:0 /root /point rw,relatime shared:1 - cgroup cgroup rw,cpuacct"
		left, right, found := strings.Cut(strings.TrimSpace(line), " - ")
		mount, kind := strings.Fields(left), strings.Fields(right)
		if !found || len(mount) < 5 || len(kind) < 3 {
			continue
		}
		switch {
		case group.V2 && kind[0] != "cgroup2":
			continue
		case !group.V2 && (kind[0] != "cgroup" || !slices.Contains(strings.Split(kind[2], ","), controller)):
			continue
		}
		below, inside := strings.CutPrefix(group.Path, strings.TrimRight(unescape(mount[3]), "/"))
		// "/../.." is a group outside the one that this process takes for the root.
		if !inside || below != "" && (below[0] != '/' || below != "/" && !fs.ValidPath(below[1:])) {
			continue
		}
		return strings.TrimPrefix(path.Join(unescape(mount[4]), below), "/"), true
	}
	return "", false
}

// unescape undoes what mountinfo does to white space and backslashes: "\040" is a space.
func unescape(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+3 < len(text) {
			if n, err := strconv.ParseUint(text[i+1:i+4], 8, 8); err == nil {
				out.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		out.WriteByte(text[i])
	}
	return out.String()
}
