package quota

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// tree holds the hierarchies that this process sees, and its place in them.
type tree struct {
	mounts []mountPoint
	own    map[string]string // path of the process's group by controller; "" for cgroup v2
}

// mountPoint is a mounted hierarchy.
type mountPoint struct {
	v2      bool
	options []string // include the controllers
	root    string   // the mounted group
	path    string
}

func readTree() (*tree, error) {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil, err
	}
	return &tree{mounts: parseMounts(string(mounts)), own: parseOwn(string(own))}, nil
}

// parseMounts reads the hierarchies in /proc/self/mountinfo.
func parseMounts(text string) []mountPoint { return mountsOf(text, []string{"cgroup", "cgroup2"}) }

// parseOwn reads /proc/self/cgroup, cgroups(7).
func parseOwn(text string) map[string]string {
	own := map[string]string{}
	for line := range strings.Lines(text) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(f) < 3 {
			continue
		}
		for _, controller := range strings.Split(f[1], ",") {
			own[controller] = f[2]
		}
	}
	return own
}

// groupPath returns the path of a group below the mount point, if it is there.
func (m *mountPoint) groupPath(group string) (string, bool) {
	rest := group
	if m.root != "/" {
		below, ok := strings.CutPrefix(group, m.root)
		if !ok || below != "" && below[0] != '/' {
			return "", false
		}
		rest = below
	}
	if strings.HasPrefix(rest+"/", "/../") { // outside of this process's cgroup namespace
		return "", false
	}
	return filepath.Join(m.path, rest), true
}

// groupsV1 returns where groups of cgroup v1 can be created: below this process's own.
func (t *tree) groupsV1() (all []hierarchy, err error) {
	for _, controller := range []string{"pids", "memory"} {
		h := hierarchy{pids: controller == "pids", memory: controller == "memory"}
		for i := range t.mounts {
			m := &t.mounts[i]
			if m.v2 || !slices.Contains(m.options, controller) {
				continue
			}
			if path, ok := m.groupPath(t.own[controller]); ok && t.own[controller] != "" {
				h.path = path
				// Rarely, one hierarchy has both.
				h.pids, h.memory = slices.Contains(m.options, "pids"), slices.Contains(m.options, "memory")
				break
			}
		}
		switch {
		case h.path == "" && controller == "pids":
			return nil, errors.New("the controller pids is not mounted")
		case h.path == "" || slices.ContainsFunc(all, func(other hierarchy) bool { return other.path == h.path }):
		default:
			all = append(all, h)
		}
	}
	return all, nil
}

// groupsV2 returns where groups of cgroup v2 can be created: below the nearest group, from this
// process's own upwards, whose subgroups have the controllers. Except in the root, a group with
// processes cannot pass controllers on, so it is usually a parent.
func (t *tree) groupsV2() ([]hierarchy, error) {
	if !kernelAtLeast(5, 7) {
		return nil, errors.New("it takes Linux 5.7 or newer")
	}
	group, ok := t.own[""]
	if !ok {
		return nil, errors.New("it is not mounted")
	}
	var last error = errors.New("it is not mounted")
	for i := range t.mounts {
		m := &t.mounts[i]
		path, ok := m.groupPath(group)
		if !m.v2 || !ok {
			continue
		}
		for ; ; path = filepath.Dir(path) {
			h := hierarchy{v2: true, path: path}
			given, err := os.ReadFile(filepath.Join(path, "cgroup.subtree_control"))
			controllers := strings.Fields(string(given))
			h.pids, h.memory = slices.Contains(controllers, "pids"), slices.Contains(controllers, "memory")
			switch {
			case err != nil:
				last = err
			case !h.pids:
				last = fmt.Errorf("the groups below %s do not have the controller pids", path)
			default:
				// Processes move from this process's group, so the user must be able to write this
				// one, too.
				if err := unix.Access(filepath.Join(path, "cgroup.procs"), unix.W_OK); err != nil {
					last = &os.PathError{Op: "write", Path: filepath.Join(path, "cgroup.procs"), Err: err}
				} else if err := try([]hierarchy{h}); err != nil {
					last = err
				} else {
					return []hierarchy{h}, nil
				}
			}
			if path == m.path || len(path) <= len(m.path) {
				break
			}
		}
	}
	return nil, last
}
