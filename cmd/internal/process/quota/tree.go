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

// tree is what this process sees of the mounted hierarchies, and where in them it is.
type tree struct {
	mounts []mountPoint
	own    map[string]string // by controller, "" of cgroup v2: the path of the process's group
}

// mountPoint is a mounted hierarchy.
type mountPoint struct {
	v2      bool
	options []string // the controllers are among them
	root    string   // the group that is mounted
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

// parseMounts reads the hierarchies out of /proc/self/mountinfo.
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

// at is where the group of that path is found below the mount point, if it is.
func (m *mountPoint) at(group string) (string, bool) {
	rest := group
	if m.root != "/" {
		below, ok := strings.CutPrefix(group, m.root)
		if !ok || below != "" && below[0] != '/' {
			return "", false
		}
		rest = below
	}
	if strings.HasPrefix(rest+"/", "/../") { // it is outside of the namespace of groups that this process sees
		return "", false
	}
	return filepath.Join(m.path, rest), true
}

// first is where groups of cgroup v1 are made: below this process's own.
func (t *tree) first() (all []hierarchy, err error) {
	for _, controller := range []string{"pids", "memory"} {
		h := hierarchy{pids: controller == "pids", memory: controller == "memory"}
		for i := range t.mounts {
			m := &t.mounts[i]
			if m.v2 || !slices.Contains(m.options, controller) {
				continue
			}
			if path, ok := m.at(t.own[controller]); ok && t.own[controller] != "" {
				h.path = path
				// Both in one hierarchy, which is rare.
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

// second is where groups of cgroup v2 are made: below the nearest group, this process's own or one above, whose groups have the controllers.
// A group with processes cannot give them to others, but for the root, so it is mostly one above.
func (t *tree) second() ([]hierarchy, error) {
	if !since(5, 7) {
		return nil, errors.New("it takes Linux 5.7 or newer")
	}
	group, ok := t.own[""]
	if !ok {
		return nil, errors.New("it is not mounted")
	}
	var last error = errors.New("it is not mounted")
	for i := range t.mounts {
		m := &t.mounts[i]
		path, ok := m.at(group)
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
				// Who is placed in a group comes from this process's, so this one must be the user's too.
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
