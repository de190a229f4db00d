package callgraph

import (
	"go/token"
	"strings"
)

// Origin is where the calls of a function begin.
type Origin int

// The origins. Exported functions and main are the program's.
const (
	Unknown Origin = iota // the graph does not have it
	Nowhere               // nothing calls it, but for functions that nothing calls either
	Tests                 // only tests
	Starts                // an init function or an initializer
	Program
)

// Origin returns where the calls of a function begin, by its full name: the last of the origins that is one of its callers, direct or not, or
// the function itself.
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

// origin is the origin of calls of a function if nothing calls it.
func (g *Graph) origin(f int) Origin {
	fn := &g.functions[f]
	switch pkg := &g.packages[fn.pkg]; {
	case !pkg.own: // what the standard library is given, it calls; what testing calls is a test
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
