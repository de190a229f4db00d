package callgraph

import (
	"go/token"
	"strings"
)

// Origin classifies where the calls of a function begin.
type Origin int

// The origins. Exported functions and main belong to the program.
const (
	Unknown Origin = iota // the graph does not have the function
	Nowhere               // only functions that nothing calls call it
	Tests                 // only tests call it
	Starts                // an init function or an initializer calls it
	Program
)

// Origin returns where the calls of a function begin, by its full name. It is the last origin among
// the function itself and its direct and indirect callers.
func (g *Graph) Origin(function string) Origin {
	origin := Unknown
	callers := g.callers()
	seen := map[int]bool{}
	todo := append([]int(nil), g.index.byName[function]...)
	for len(todo) > 0 {
		f := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; seen[f] {
			continue
		}
		seen[f] = true
		origin = max(origin, g.origin(f))
		if origin == Program {
			break
		}
		if g.packages[g.functions[f].pkg].own {
			todo = append(todo, callers[f]...)
		}
	}
	return origin
}

// origin returns the origin of a function that nothing calls.
func (g *Graph) origin(f int) Origin {
	fn := &g.functions[f]
	switch pkg := &g.packages[fn.pkg]; {
	case !pkg.own: // the standard library calls what it is given, and package testing calls tests
		if strings.HasPrefix(pkg.path, "testing") {
			return Tests
		}
		return Nowhere
	case fn.file >= 0 && strings.HasSuffix(g.files[fn.file], "_test.go"):
		return Tests
	case fn.kind == initializer || fn.kind == startup:
		return Starts
	}
	name := fn.name[strings.LastIndexByte(fn.name, '.')+1:]
	if token.IsExported(name) || fn.name == "main" {
		return Program
	}
	return Nowhere
}
