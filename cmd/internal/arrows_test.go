package internal_test

import (
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// arrows lists, for each wing of the tool, the wings that it may import. A new arrow is a change of the architecture: docs/dev/architecture.md
// describes the wings. Only command imports show, so that records know nothing of how they are rendered.
var arrows = map[string]string{
	"base":       "",
	"finding":    "base",
	"flow":       "base",
	"process":    "base",
	"gobuild":    "base flow",
	"cbuild":     "base flow",
	"show":       "base finding flow",
	"program":    "base finding flow gobuild cbuild process",
	"model":      "base finding flow cbuild process program",
	"subject":    "base finding flow gobuild process program model",
	"campaign":   "base finding flow process subject",
	"change":     "base finding flow gobuild cbuild process program subject",
	"experiment": "base finding model campaign",
	"command":    "base finding flow gobuild process model subject campaign change show",
}

const (
	module = "parallax/"
	tool   = module + "cmd/internal/"
)

// A room is a package, with what it imports of this repository outside of its tests.
type room struct {
	path    string
	dir     string
	files   []string
	imports []string
}

// rooms lists the packages of the library and of the tool.
func rooms(t *testing.T) []room {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}|{{.Dir}}|{{join .GoFiles " "}}|{{join .Imports " "}}`, "parallax/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []room
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		f := strings.Split(line, "|")
		r := room{path: f[0], dir: f[1], files: strings.Fields(f[2])}
		for _, i := range strings.Fields(f[3]) {
			if i == "parallax" || strings.HasPrefix(i, module) {
				r.imports = append(r.imports, i)
			}
		}
		list = append(list, r)
	}
	return list
}

// wing returns the first folder of a package of the tool below cmd/internal, or "" for any other package.
func wing(importPath string) string {
	rest, ok := strings.CutPrefix(importPath, tool)
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/")
	return name
}

// forTests reports whether a package only helps tests.
func forTests(importPath string) bool {
	for _, part := range strings.Split(importPath, "/") {
		if strings.HasSuffix(part, "test") && part != "fuzztest" && part != "newtest" {
			return true
		}
	}
	return false
}

// TestArrows checks that a wing imports only the wings that the table allows.
func TestArrows(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rooms(t) {
		from := wing(r.path)
		seen[from] = true
		if _, ok := arrows[from]; from != "" && !ok {
			t.Errorf("%s is in no wing of the table", r.path)
			continue
		}
		if forTests(r.path) {
			continue
		}
		for _, i := range r.imports {
			to := wing(i)
			switch {
			case to == "":
			case forTests(i):
				t.Errorf("%s imports %s, which is for tests", r.path, i)
			case from != "" && from != to && !slices.Contains(strings.Fields(arrows[from]), to):
				t.Errorf("%s imports %s: the table allows no arrow from %s to %s", r.path, i, from, to)
			}
		}
	}
	for name := range arrows {
		if !seen[name] {
			t.Errorf("there is no wing %s", name)
		}
	}
}

// TestFoldersAreAcyclic checks that the folders within each folder do not import each other in a circle. The files of the folder itself count as
// one of them.
func TestFoldersAreAcyclic(t *testing.T) {
	graphs := map[string]map[string]map[string]string{} // by folder, from, to: an example
	for _, r := range rooms(t) {
		if forTests(r.path) {
			continue
		}
		for _, i := range r.imports {
			if forTests(i) {
				continue
			}
			folder, from, to := fork(r.path, i)
			if graphs[folder] == nil {
				graphs[folder] = map[string]map[string]string{}
			}
			if graphs[folder][from] == nil {
				graphs[folder][from] = map[string]string{}
			}
			graphs[folder][from][to] = r.path + " imports " + i
		}
	}
	for folder, graph := range graphs {
		for from := range graph {
			if way := back(graph, from); way != nil {
				t.Errorf("the folders of %s import each other in a circle:\n\t%s", folder, strings.Join(way, "\n\t"))
				break
			}
		}
	}
}

// fork returns the deepest folder that holds two packages, and the child of it in which each is: "." for the folder itself.
func fork(a, b string) (folder, inA, inB string) {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	child := func(parts []string) string {
		if n == len(parts) {
			return "."
		}
		return parts[n]
	}
	return path.Join(x[:n]...), child(x), child(y)
}

// back returns a way from a folder to itself, as imports, or nil.
func back(graph map[string]map[string]string, start string) []string {
	seen := map[string]bool{}
	var search func(at string) []string
	search = func(at string) []string {
		for to, text := range graph[at] {
			if to == start {
				return []string{text}
			}
			if !seen[to] {
				seen[to] = true
				if way := search(to); way != nil {
					return append([]string{text}, way...)
				}
			}
		}
		return nil
	}
	return search(start)
}

// aside are packages of internal that neither a worker nor the public packages reach, with the reason.
var aside = map[string]string{
	"parallax/internal":                    "it embeds the sources of the others",
	"parallax/internal/stats":              "the modules cmd and bench share it, and neither can import from the other",
	"parallax/internal/atomicfile/faultfs": "it is for tests of both modules",
}

// TestLibraryIsReached checks that internal holds only what a worker or the public packages need.
func TestLibraryIsReached(t *testing.T) {
	imports := map[string][]string{}
	for _, r := range rooms(t) {
		imports[r.path] = r.imports
	}
	reached := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if reached[name] {
			return
		}
		reached[name] = true
		for _, i := range imports[name] {
			visit(i)
		}
	}
	for _, name := range []string{"internal/worker", "internal/fuzzfunc", "internal/sequence", "gen", "repair"} {
		visit(module + name)
	}
	visit("parallax")
	for name := range imports {
		if name != "parallax/internal" && !strings.HasPrefix(name, "parallax/internal/") {
			continue
		}
		_, known := aside[name]
		switch {
		case !reached[name] && !known:
			t.Errorf("%s is reached by no worker: it belongs to the tool", name)
		case reached[name] && known:
			t.Errorf("%s is reached by a worker: it is no exception any more", name)
		}
	}
	for name := range aside {
		if _, ok := imports[name]; !ok {
			t.Errorf("there is no package %s", name)
		}
	}
}
