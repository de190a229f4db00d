package change

import (
	"strings"
)

// modules adds notes about modules whose versions differ. The code of a module in both versions is
// compared like the user's own.
func (c *comparison) modules() {
	type use struct{ version, language, dir string }
	of := func(t *Tree) map[string]use {
		all := map[string]use{}
		for _, p := range t.Packages {
			if p.Module != "" && !p.Main {
				name := strings.TrimSuffix(t.keys[p.Path], strings.TrimPrefix(p.Path, p.Module))
				all[name] = use{p.Version, p.Language, p.Module}
			}
		}
		return all
	}
	old, new := of(c.old), of(c.new)
	for _, name := range sorted(new) {
		was, ok := old[name]
		now := new[name]
		switch {
		case !ok:
			c.note("module", "", "Module %s %s is new: its code counts as unchanged.", now.dir, shownVersion(now.version))
		case was.version != now.version:
			c.note("module", "", "Module %s is %s, and was %s: what changed in it counts.", now.dir, shownVersion(now.version), shownVersion(was.version))
		}
	}
	for _, name := range sorted(old) {
		if _, ok := new[name]; !ok {
			c.note("module", "", "Module %s is not used any more.", old[name].dir)
		}
	}
}

func shownVersion(version string) string {
	if version == "" {
		return "taken from a folder"
	}
	return version
}

// goLines notes changed go lines of the main modules.
func (c *comparison) goLines() {
	noted := map[string]bool{}
	for _, p := range c.pairs {
		if p.old == nil || p.new == nil || p.old.Language == p.new.Language || !p.new.Main || noted[p.new.Module] {
			continue
		}
		noted[p.new.Module] = true
		c.note("go", "", "The go line of module %s is %s, and was %s: what the compiler makes of it has no points.", p.new.Module, languageOf(p.new), languageOf(p.old))
	}
}

// languageOf renders a package's go line.
func languageOf(p *Package) string {
	if p.Language == "" {
		return "missing"
	}
	return p.Language
}
