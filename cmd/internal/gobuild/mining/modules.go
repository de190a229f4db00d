package mining

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
)

// Scripts returns the files of Python or JavaScript that a command runs, as far as they are found
// without running anything. They are files among its arguments, modules that an argument names
// (parsers.date:parse, or a package behind a driver), and the imports of these. Files of the
// program's own package come before others. Modules of the language and the drivers of parallax are
// left out. env is the command's environment.
func Scripts(command []string, dir string, env []string) []string {
	s := &search{dir: dir, seen: map[string]bool{}}
	s.places(command, env)
	for i, arg := range command {
		switch {
		case i == 0 && !isScript(arg), strings.HasPrefix(arg, "-"):
		case s.script(arg):
		case s.python:
			if module, _, ok := strings.Cut(arg, ":"); ok && !s.script(module) {
				s.module(module)
			}
		case s.node:
			s.pkg(arg, dir)
		}
	}
	for s.level = 0; s.level <= maxLevels; s.level++ {
		for at := 0; at < len(s.files); at++ {
			s.imports(s.files[at])
		}
		for _, found := range s.later {
			found()
		}
		s.later = nil
	}
	return s.files
}

const (
	maxScripts = 200 // files of a program
	maxLevels  = 2   // packages on the way to one that is imported
)

// search collects the files of one program.
type search struct {
	dir          string
	python, node bool
	path         []string // of Python modules
	files        []string
	seen         map[string]bool // files that were found, and those whose imports were
	level        int
	later        []func() // look-ups of other packages, which come after all files of this level's
}

// places finds out from the command which language it is of and where that has its modules.
func (s *search) places(command, env []string) {
	if len(command) == 0 {
		return
	}
	name := filepath.Base(command[0])
	s.python, s.node = strings.HasPrefix(name, "python"), strings.HasPrefix(name, "node")
	if !s.python {
		return
	}
	value := func(key string) string {
		for _, e := range env {
			if v, ok := strings.CutPrefix(e, key+"="); ok {
				return v
			}
		}
		return ""
	}
	for _, p := range filepath.SplitList(value("PYTHONPATH")) {
		s.path = append(s.path, s.absolute(p))
	}
	interpreter := command[0]
	if !strings.Contains(interpreter, "/") {
		for _, p := range filepath.SplitList(value("PATH")) {
			if _, err := os.Stat(filepath.Join(p, interpreter)); err == nil {
				interpreter = filepath.Join(p, interpreter)
				break
			}
		}
	}
	// A virtual environment has its packages next to the link, all others next to its target.
	prefixes := []string{filepath.Dir(filepath.Dir(s.absolute(interpreter)))}
	if real, err := filepath.EvalSymlinks(interpreter); err == nil {
		prefixes = append(prefixes, filepath.Dir(filepath.Dir(real)))
	}
	for _, prefix := range prefixes {
		for _, pattern := range []string{"lib/python3*/site-packages", "lib/python3*/dist-packages", "lib/python3/dist-packages"} {
			found, _ := filepath.Glob(filepath.Join(prefix, pattern))
			s.path = append(s.path, found...)
		}
	}
}

func (s *search) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(s.dir, path)
}

// script takes a file, and reports whether the argument names one.
func (s *search) script(arg string) bool {
	if !isScript(arg) {
		return false
	}
	path := s.absolute(arg)
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	if s.python {
		s.path = append(s.path, filepath.Dir(path))
	}
	s.file(path)
	return true
}

// drivers are those of parallax: they are not under test.
var drivers = []string{"parallax_driver.py", "parallax_cover.py", "driver.mjs", "cover.mjs"}

func (s *search) file(path string) {
	if path = filepath.Clean(path); s.seen[path] || len(s.files) >= maxScripts || slices.Contains(drivers, filepath.Base(path)) {
		return
	}
	s.seen[path] = true
	s.files = append(s.files, path)
}

// module takes a file of a Python module, and reports whether there is one.
func (s *search) module(name string) bool {
	if name == "" || strings.HasPrefix(name, ".") || strings.Contains(name, "/") {
		return false
	}
	for _, dir := range append([]string{s.dir}, s.path...) {
		if dir != "" && s.moduleIn(dir, name) {
			return true
		}
	}
	return false
}

func (s *search) moduleIn(dir, name string) bool {
	path := filepath.Join(dir, strings.ReplaceAll(name, ".", "/"))
	for _, path := range []string{path + ".py", filepath.Join(path, "__init__.py")} {
		if regular(path) {
			s.file(path)
			return true
		}
	}
	return false
}

// pkg adds a file of a Node package, which it searches from a folder upwards. It is the file that
// the name leads to, or the package's main file.
func (s *search) pkg(name, from string) {
	if name == "" || strings.HasPrefix(name, "node:") || filepath.IsAbs(name) {
		return
	}
	parts := strings.Split(name, "/")
	n := 1
	if strings.HasPrefix(name, "@") {
		n = 2
	}
	if len(parts) < n {
		return
	}
	for dir := from; ; dir = filepath.Dir(dir) {
		found := filepath.Join(dir, "node_modules", filepath.Join(parts[:n]...))
		if data, err := os.ReadFile(filepath.Join(found, "package.json")); err == nil {
			s.entry(found, filepath.Join(parts[n:]...), data)
			return
		}
		if dir == filepath.Dir(dir) {
			return
		}
	}
}

// entry takes the file of a package that is imported: sub, if it is not empty, or what package.json
// names.
func (s *search) entry(dir, sub string, manifest []byte) {
	if sub != "" {
		s.nodeFile(filepath.Join(dir, sub))
		return
	}
	var m struct {
		Main, Module string
		Exports      any
	}
	json.Unmarshal(manifest, &m) // what it does not name is index.js
	for _, name := range append(paths(m.Exports, nil), m.Main, m.Module, "index.js") {
		if name != "" && s.nodeFile(filepath.Join(dir, name)) {
			return
		}
	}
}

// paths are those that the exports of a package.json name for the package itself, at most a few.
func paths(exports any, list []string) []string {
	switch e := exports.(type) {
	case string:
		list = append(list, e)
	case []any:
		for _, v := range e {
			list = paths(v, list)
		}
	case map[string]any:
		for _, key := range []string{".", "import", "node", "require", "default"} {
			list = paths(e[key], list)
		}
	}
	return list
}

// nodeFile takes a file that Node finds by a path, and reports whether there is one.
func (s *search) nodeFile(path string) bool {
	for _, ext := range []string{"", ".js", ".mjs", ".cjs", "/index.js"} {
		if isScript(path+ext) && regular(path+ext) {
			s.file(path + ext)
			return true
		}
	}
	return false
}

func regular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

var (
	pythonImport = lazyregexp.New(`(?m)^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+\(?([^\n#)]*)|import[ \t]+([\w.]+(?:[ \t]*,[ \t]*[\w.]+)*))`)
	nodeImport   = lazyregexp.New(`(?:\brequire\s*\(\s*|\bfrom\s+|\bimport\s+|\bimport\s*\(\s*)["']([^"'\n]+)["']`)
)

// imports takes what a file imports of its own package, and notes what it imports of others.
func (s *search) imports(name string) {
	if key := "imports of " + name; s.seen[key] {
		return
	} else {
		s.seen[key] = true
	}
	text, err := os.ReadFile(name)
	if err != nil || len(text) > maxSource {
		return
	}
	dir := filepath.Dir(name)
	if filepath.Ext(name) == ".py" {
		for _, m := range pythonImport().FindAllStringSubmatch(string(text), -1) {
			for _, one := range strings.Split(m[3], ",") {
				s.pythonModule(dir, strings.TrimSpace(one))
			}
			for _, one := range strings.Split(m[2], ",") { // a name of the module, or a module of the package
				one, _, _ = strings.Cut(strings.TrimSpace(one), " ")
				s.pythonModule(dir, strings.TrimSuffix(m[1], ".")+"."+one)
			}
			s.pythonModule(dir, m[1])
		}
		return
	}
	for _, m := range nodeImport().FindAllStringSubmatch(string(text), -1) {
		if strings.HasPrefix(m[1], ".") {
			s.nodeFile(filepath.Join(dir, m[1]))
			continue
		}
		s.later = append(s.later, func() { s.pkg(m[1], dir) })
	}
}

// pythonModule takes a module that a file of dir imports.
func (s *search) pythonModule(dir, name string) {
	if rest := strings.TrimLeft(name, "."); rest != name {
		for up := len(name) - len(rest); up > 1; up-- {
			dir = filepath.Dir(dir)
		}
		if rest != "" {
			s.moduleIn(dir, rest)
		}
		return
	}
	if top, _, _ := strings.Cut(name, "."); top == filepath.Base(dir) { // the package that the file is of
		s.moduleIn(filepath.Dir(dir), name)
		return
	}
	s.later = append(s.later, func() { s.module(name) })
}
