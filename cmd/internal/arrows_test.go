package internal_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/wings"
)

// arrows lists, for each wing of the tool, the wings that it may import. A new arrow is a change of
// the architecture: docs/dev/architecture.md describes the wings. Only command and serve import
// show, so that records know nothing of how they are rendered.
var arrows = map[string]string{
	"base":       "",
	"finding":    "base",
	"flow":       "base",
	"process":    "base",
	"gobuild":    "base flow",
	"cbuild":     "base flow",
	"show":       "base finding",
	"program":    "base finding flow gobuild cbuild process",
	"model":      "base finding flow cbuild process program",
	"subject":    "base finding flow gobuild process program model",
	"campaign":   "base finding flow process subject",
	"change":     "base finding flow gobuild cbuild process program subject",
	"exchange":   "base finding campaign",
	"experiment": "base finding model",
	"serve":      "base finding show",
	"command":    "base finding flow gobuild process model subject campaign change exchange show serve",
}

const module = wings.Module

// rooms lists the packages of the library and of the tool.
func rooms(t *testing.T) []wings.Package {
	t.Helper()
	list, err := wings.Packages()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestArrows checks that a wing imports only the wings that the table allows.
func TestArrows(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rooms(t) {
		from := wings.Of(r.Path)
		seen[from] = true
		if _, ok := arrows[from]; from != "" && !ok {
			t.Errorf("%s is in no wing of the table", r.Path)
			continue
		}
		if wings.ForTests(r.Path) {
			continue
		}
		for _, i := range r.Imports {
			to := wings.Of(i)
			switch {
			case to == "":
			case wings.ForTests(i):
				t.Errorf("%s imports %s, which is for tests", r.Path, i)
			case from != "" && from != to && !slices.Contains(strings.Fields(arrows[from]), to):
				t.Errorf("%s imports %s: the table allows no arrow from %s to %s", r.Path, i, from, to)
			}
		}
	}
	graph := wings.Graph(rooms(t))
	for name, allowed := range arrows {
		if !seen[name] {
			t.Errorf("there is no wing %s", name)
		}
		for _, to := range strings.Fields(allowed) {
			if !graph[name][to] {
				t.Errorf("the table allows an arrow from %s to %s, and no import needs it", name, to)
			}
		}
	}
}

// TestFoldersAreAcyclic checks that the folders within each folder do not import each other in a
// circle. The files of the folder itself count as one of them.
func TestFoldersAreAcyclic(t *testing.T) {
	graphs := map[string]map[string]map[string]string{} // by folder, from, to: an example
	for _, r := range rooms(t) {
		if wings.ForTests(r.Path) {
			continue
		}
		for _, i := range r.Imports {
			if wings.ForTests(i) {
				continue
			}
			folder, from, to := fork(r.Path, i)
			if graphs[folder] == nil {
				graphs[folder] = map[string]map[string]string{}
			}
			if graphs[folder][from] == nil {
				graphs[folder][from] = map[string]string{}
			}
			graphs[folder][from][to] = r.Path + " imports " + i
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

// fork returns the deepest folder that holds two packages, and the child of it in which each is:
// "." for the folder itself.
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

// aside are packages of internal that neither a worker nor the public packages reach, with the
// reason.
var aside = map[string]string{
	"parallax/internal":                    "it embeds the sources of the others",
	"parallax/internal/stats":              "the modules cmd and bench share it, and neither can import from the other",
	"parallax/internal/atomicfile/faultfs": "it is for tests of both modules",
}

// TestLibraryIsReached checks that internal holds only what a worker or the public packages need.
func TestLibraryIsReached(t *testing.T) {
	imports := map[string][]string{}
	for _, r := range rooms(t) {
		imports[r.Path] = r.Imports
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
