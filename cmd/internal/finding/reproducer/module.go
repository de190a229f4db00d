package reproducer

import (
	"cmp"
	"fmt"
	"go/version"
	"maps"
	"path"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
)

// goMod returns the go.mod next to the test. It replaces a module by its folder, unless that is the
// module cache's copy of the version.
func (r *Functions) goMod() ([]byte, error) {
	name, err := r.module()
	if err != nil {
		return nil, err
	}
	need, err := r.modules()
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "module %s\n", name)
	line := goLine(r.GoVersion)
	if r.Exact {
		line = strings.TrimPrefix(r.GoVersion, "go")
	}
	fmt.Fprintf(&b, "\ngo %s\n", line)
	for _, m := range slices.Sorted(maps.Keys(need)) {
		at := need[m].Version
		if at == "" {
			at = "v0.0.0"
			if _, major := path.Split(m); len(major) > 1 && major[0] == 'v' && strings.Trim(major[1:], "0123456789") == "" {
				at = major + ".0.0"
			}
		}
		fmt.Fprintf(&b, "\nrequire %s %s\n", m, at)
		if dir := need[m].Dir; dir != "" {
			fmt.Fprintf(&b, "\nreplace %s => %s\n", m, modString(dir))
		}
	}
	return []byte(b.String()), nil
}

// modules returns a program of each module that the programs need, by path. Its Dir is empty if the
// module comes from a proxy.
func (r *Functions) modules() (map[string]Function, error) {
	need := map[string]Function{}
	for _, p := range r.Programs {
		if p.Module == "" {
			continue
		}
		if p.Version != "" && strings.Contains(escape.Capitals(p.Dir), p.Module+"@"+p.Version) {
			p.Dir = ""
		}
		if old, ok := need[p.Module]; ok && (old.Version != p.Version || old.Dir != p.Dir) {
			return nil, fmt.Errorf("module %s is needed at %s and at %s: one reproducer cannot hold both",
				p.Module, cmp.Or(old.Version, old.Dir), cmp.Or(p.Version, p.Dir))
		}
		need[p.Module] = p
	}
	return need, nil
}

// folders returns the modules that go.mod replaces, and their folders.
func (r *Functions) folders() (modules, dirs []string) {
	need, err := r.modules()
	if err != nil { // goMod returns it
		return nil, nil
	}
	for _, m := range slices.Sorted(maps.Keys(need)) {
		if dir := need[m].Dir; dir != "" {
			modules, dirs = append(modules, m), append(dirs, dir)
		}
	}
	return modules, dirs
}

// goLine returns a version of the language, at least that in which reproducers are written.
func goLine(v string) string {
	const least = "1.22"
	v = strings.TrimPrefix(v, "go")
	if version.Compare("go"+v, "go"+least) < 0 {
		return least
	}
	return v
}

// module returns the test's own module path. It is below the tree of an internal package that the
// test imports, as Go requires.
func (r *Functions) module() (string, error) {
	const name = "discrepancy"
	root := ""
	for _, p := range r.Programs {
		at, _, internal := strings.Cut(p.ImportPath+"/", "/internal/")
		switch {
		case !internal && !strings.HasPrefix(p.ImportPath, "internal/"):
			continue
		case p.Module == "":
			return "", fmt.Errorf("%s is internal to the standard library: no reproducer can import it", p.ImportPath)
		case root != "" && root != at:
			return "", fmt.Errorf("%s and %s/internal cannot be imported by one reproducer", p.ImportPath, root)
		}
		root = at
	}
	return path.Join(root, name), nil
}

// modString quotes a path for go.mod.
func modString(s string) string {
	if strings.ContainsAny(s, " \t\"'`()[]{},;") || strings.Contains(s, "//") {
		return escape.Quote(s)
	}
	return s
}
