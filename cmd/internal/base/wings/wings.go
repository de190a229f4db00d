// Package wings lists the packages of the library and of the tool, with their imports. A wing is a
// folder of cmd/internal: command, campaign, base and so on. Tests check the imports of wings, and
// `make pictures` draws them. Nothing else calls it.
package wings

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

const (
	Module = "parallax/"
	Tool   = Module + "cmd/internal/"
	Main   = Module + "cmd/parallax" // the command, which is in no wing
)

// A Package is a package of this repository, without its tests.
type Package struct {
	Path    string
	Dir     string
	Files   []string
	Imports []string // of this repository
}

// Packages lists the packages of the workspace.
func Packages() ([]Package, error) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}|{{.Dir}}|{{join .GoFiles " "}}|{{join .Imports " "}}`, Module+"...").Output()
	if err != nil {
		return nil, fmt.Errorf("listing packages: %w", err)
	}
	var list []Package
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		f := strings.Split(line, "|")
		p := Package{Path: f[0], Dir: f[1], Files: strings.Fields(f[2])}
		for _, i := range strings.Fields(f[3]) {
			if i+"/" == Module || strings.HasPrefix(i, Module) {
				p.Imports = append(p.Imports, i)
			}
		}
		list = append(list, p)
	}
	return list, nil
}

// Of returns the wing of a package, or "" for a package outside of cmd/internal.
func Of(importPath string) string {
	rest, ok := strings.CutPrefix(importPath, Tool)
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/")
	return name
}

// ForTests reports whether a package only helps tests.
func ForTests(importPath string) bool {
	for _, part := range strings.Split(importPath, "/") {
		if strings.HasSuffix(part, "test") && part != "fuzztest" && part != "newtest" {
			return true
		}
	}
	return false
}

// Graph returns the wings that each wing imports. The command has the key and the name Main.
func Graph(list []Package) map[string]map[string]bool {
	graph := map[string]map[string]bool{}
	for _, p := range list {
		from := Of(p.Path)
		if p.Path == Main {
			from = Main
		}
		if from == "" || ForTests(p.Path) {
			continue
		}
		if graph[from] == nil {
			graph[from] = map[string]bool{}
		}
		for _, i := range p.Imports {
			if to := Of(i); to != "" && to != from && !ForTests(i) {
				graph[from][to] = true
			}
		}
	}
	return graph
}

// Reduce removes each arrow that a longer way replaces. The graph must have no circle.
func Reduce(graph map[string]map[string]bool) map[string][]string {
	var reaches func(from, to string) bool
	reaches = func(from, to string) bool {
		for next := range graph[from] {
			if next == to || reaches(next, to) {
				return true
			}
		}
		return false
	}
	reduced := map[string][]string{}
	for from, targets := range graph {
		reduced[from] = nil
		for to := range targets {
			longer := false
			for by := range targets {
				longer = longer || by != to && reaches(by, to)
			}
			if !longer {
				reduced[from] = append(reduced[from], to)
			}
		}
		slices.Sort(reduced[from])
	}
	return reduced
}

// Level returns the number of arrows on the longest way from a wing down.
func Level(graph map[string][]string, name string) int {
	level := 0
	for _, to := range graph[name] {
		level = max(level, Level(graph, to)+1)
	}
	return level
}
