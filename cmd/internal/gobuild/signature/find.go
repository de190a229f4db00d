package signature

import (
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/gocommand"
)

// Finder finds functions in packages that pass a check. The types of what it finds are of one
// world, and can be compared.
type Finder struct {
	env   *gocommand.Env
	graph *gocommand.Graph
	check func(funcname.Func, *gocommand.Package) error
	*loader
}

// NewFinder finds functions in the packages of a graph.
func NewFinder(env *gocommand.Env, graph *gocommand.Graph, check func(funcname.Func, *gocommand.Package) error) *Finder {
	return &Finder{env, graph, check, newLoader(graph, env.GOARCH)}
}

// Find finds every function in packages that pass the check. Names are those of the programs.
func Find(env *gocommand.Env, graph *gocommand.Graph, funcs []funcname.Func, names []string, check func(funcname.Func, *gocommand.Package) error) ([]*Function, error) {
	return NewFinder(env, graph, check).Find(funcs, names)
}

// Find finds every function. Names are those of the programs.
func (x *Finder) Find(funcs []funcname.Func, names []string) ([]*Function, error) {
	env, graph, l := x.env, x.graph, x.loader
	calls := make([]*Function, len(funcs))
	taken := map[string]*Function{}
	for i, f := range funcs {
		p := graph.Written(f.Package)
		if err := x.check(f, p); err != nil {
			return nil, err
		}
		c := &Function{Func: f, Name: names[i], Package: p}
		if missing := c.lookup(l.load(p.ImportPath)); missing != "" {
			if p.Error != nil {
				return nil, exit.Build("%s does not build: %s", f.Written, p.Error)
			}
			return nil, exit.Usage("%s: %s", f.Written, missing)
		}
		if c.unresolved() {
			return nil, explainUnresolved(env, graph, c)
		}
		if other := taken[c.FullName()]; other != nil {
			return nil, exit.Usage("%s and %s are the same function", other.Func.Written, f.Written)
		}
		taken[c.FullName()] = c
		calls[i] = c
	}
	return calls, nil
}

// ReadAll reads the signatures, with a problem for each that cannot be fuzzed.
func ReadAll(calls []*Function) (problems []*Problem, failed bool) {
	for _, c := range calls {
		p := c.Read()
		problems = append(problems, p)
		failed = failed || p != nil
	}
	return problems, failed
}

// explainUnresolved explains a signature with types that were not found: a package that the
// function's own imports is missing.
func explainUnresolved(env *gocommand.Env, graph *gocommand.Graph, c *Function) error {
	for _, q := range graph.All {
		if q.Error == nil {
			continue
		}
		if e := env.NetworkError(q.ImportPath + ": " + strings.ReplaceAll(q.Error.Err, "\n", " ")); e != nil {
			return e
		}
		return exit.Build("program %s does not build: %s", c.Name, q.Error)
	}
	return exit.Build("program %s does not build: types of its signature, %s, do not resolve; go build %s says why", c.Name, c.Signature(), c.Package.ImportPath)
}
