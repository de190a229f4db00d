// Package harness turns the functions a user names on the command line into a program that can be fuzzed: it writes a
// package main that calls them, and builds it with instrumentation. Nothing of the user's is written or changed: the harness
// lives in a scratch module, or in the user's module through the go command's -overlay only. Packages with FuzzXxx are
// built where they are, with the worker and a test file that installs it in an overlay.
//
// Functions take Resolve, packages of fuzztest.List take PlanFuzz; then come Plan.Build and Plan.Tables. Where the go command
// runs is decided by package buildroot, and what functions take by package signature. Whatever the user can put right is an
// exit.Usage error; code that does not compile is exit.Build.
//
// Called by package target.
package harness

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"parallax/cmd/internal/buildroot"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/funcname"
	"parallax/cmd/internal/fuzztest"
	"parallax/cmd/internal/gocommand"
	"parallax/cmd/internal/gomod"
	"parallax/cmd/internal/signature"
	"parallax/internal"
	"parallax/internal/input"
)

// Request says what to resolve and where.
type Request struct {
	Dir        string            // where the user stands; empty: the working directory
	Functions  []string          // as written
	Out        string            // folder for what is built; exists
	Parallax   string            // path of the parallax executable, for -toolexec and guard; empty: no guard, and no Build
	Instrument []string          // patterns of further packages to instrument, as `go list` takes them
	Order      bool              // record the order in which blocks are first hit
	Repair     string            // the function that repairs mutants, as written; empty: none
	Instead    []gomod.Instead   // modules whose code is taken from elsewhere
	Toolchain  string            // Go version that builds, such as 1.21.0; empty: that of PATH
	Clock      bool              // time.Now can be pinned, by golang.ClockVariable
	Marshal    bool              // values that are no text are written as JSON, for comparison with programs of other languages
	Progress   func(step string) // told of each long step; may be nil

	library []internal.File // of the tests
}

// Program is one function under test.
type Program struct {
	Name      string // unique in the target: json.Valid
	Function  string // import path and function: encoding/json.Valid
	Package   string // import path
	Module    string // module path; std for the standard library
	Version   string // of the module, or of Go; empty for code of the user's own
	Signature string
	ModuleDir string   // of a module that no proxy has
	Call      string   // for a reproducer: a Go expression over package pN and variables in, or in1, in2, ...; empty: none
	Results   []string // types of its results before the last error or bool
	Last      string   // "error", "bool" or ""
	Closure   []string // import paths of the packages that it may run
	Kind      string   // of a program that is no Go function: command, persistent, http
	Toolchain string   // Go version that it is built with, if the target names one
}

// Plan is a resolved target.
type Plan struct {
	Target        string // the programs' names, safe as a file name
	Programs      []Program
	Shape         input.Shape
	CompareValues bool
	Notes         []string  // for the user
	Packages      []Package // to instrument, sorted by import path
	Own           []string  // module paths, and packages of the standard library, whose functions are the programs' own
	Dictionary    [][]byte
	Seeds         [][]byte // flat forms
	GoVersion     string
	Closure       []string // of a test binary: import paths of the packages in it

	req    *Request
	root   *buildroot.Root
	graph  *gocommand.Graph
	calls  []*signature.Function
	repair *signature.Function // the repair function; nil: none
	files  []buildroot.File    // of the harness
	main   string              // import path of the harness
	fuzz   *fuzztest.Package   // of a plan for FuzzXxx, which has no calls
}

// options are what the request says of where and how the go command runs.
func (req *Request) options() buildroot.Options {
	return buildroot.Options{Dir: req.Dir, Out: req.Out, Parallax: req.Parallax, Toolchain: req.Toolchain, Instead: req.Instead, Progress: req.Progress}
}

// Resolve finds the functions, reads their signatures and plans the harness. It writes below Out only.
func Resolve(ctx context.Context, req Request) (*Plan, error) {
	funcs, err := req.parse()
	if err != nil {
		return nil, err
	}
	p := &Plan{req: &req}
	if p.root, err = buildroot.Open(ctx, req.options()); err != nil {
		return nil, err
	}
	if err := p.root.Choose(ctx, funcs); err != nil {
		return nil, err
	}
	p.root.Progress("reading signatures")
	if p.graph, err = p.root.Read(ctx, funcs); err != nil {
		return nil, err
	}
	if err := p.bind(funcs); err != nil {
		return nil, err
	}
	p.GoVersion, p.Target = p.root.Env.GOVERSION, targetName(p.calls)
	a, err := signature.Agree(p.calls)
	if err != nil {
		return nil, err
	}
	p.Shape, p.CompareValues = a.Shape, a.Values
	p.root.Notes = append(p.root.Notes, a.Notes...)
	if err := p.checkRepair(); err != nil {
		return nil, err
	}
	for _, c := range p.calls {
		p.Programs = append(p.Programs, program(c, p.GoVersion))
	}
	if err := p.write(); err != nil {
		return nil, err
	}
	if err := p.selectPackages(ctx); err != nil {
		return nil, err
	}
	p.describe()
	p.root.Progress("mining seeds and the dictionary")
	p.mine()
	p.Notes = p.root.Notes
	return p, nil
}

// parse checks the request and takes the functions apart. The repair function is the last of them.
func (req *Request) parse() ([]funcname.Func, error) {
	if len(req.Functions) == 0 {
		return nil, exit.Usage("no function named: write import/path.Func, as in encoding/json.Valid")
	}
	var funcs []funcname.Func
	for i, arg := range req.Functions {
		f, err := funcname.Parse(arg)
		if err != nil {
			return nil, err
		}
		if slices.Contains(req.Functions[:i], arg) {
			return nil, exit.Usage("%s is named twice", arg)
		}
		funcs = append(funcs, f)
	}
	if req.Repair != "" {
		f, err := req.parseRepair()
		if err != nil {
			return nil, err
		}
		funcs = append(funcs, f)
	}
	for i, f := range funcs {
		for _, g := range funcs[:i] {
			if f.Package == g.Package && f.Version != g.Version && f.Version != "" && g.Version != "" {
				return nil, exit.Usage("%s and %s: %w", g.Written, f.Written, gomod.OneVersion("", f.Version))
			}
		}
	}
	return funcs, nil
}

// bind finds every function and reads its signature.
func (p *Plan) bind(funcs []funcname.Func) error {
	calls, err := signature.Find(&p.root.Env, p.graph, funcs, p.names(funcs), p.root.Check)
	if err != nil {
		return err
	}
	if n := len(p.req.Functions); len(calls) > n {
		calls, p.repair = calls[:n], calls[n]
	}
	problems, failed := signature.ReadAll(calls)
	if failed {
		return unsupported(p.root, calls, problems)
	}
	p.calls = calls
	return nil
}

// names names the programs. The package of the folder the user stands in has a name only once it is found.
func (p *Plan) names(written []funcname.Func) []string {
	funcs := append([]funcname.Func(nil), written[:len(p.req.Functions)]...)
	for i, f := range funcs {
		if q := p.graph.Written(f.Package); q != nil && strings.Trim(f.Package, "./") == "" {
			funcs[i].Written = path.Base(q.ImportPath) + f.Written[strings.LastIndexByte(f.Written, '/')+1:]
		}
	}
	return append(funcname.Shortest(funcs), "repair")
}

// program is what is known of a function before anything is written.
func program(c *signature.Function, goVersion string) Program {
	p := Program{Name: c.Name, Function: c.FullName(), Package: c.Package.ImportPath, Signature: c.Signature()}
	if m := c.Package.Module; m != nil {
		p.Module, p.Version = m.Path, m.Version
		if m.Replace != nil {
			p.Version = m.Replace.Version
		}
	} else if c.Package.Standard {
		p.Module, p.Version = "std", goVersion
	}
	return p
}

func targetName(calls []*signature.Function) string {
	var names []string
	for _, c := range calls {
		names = append(names, c.Name)
	}
	return TargetName(names)
}

// TargetName joins the programs' names into one that is safe as a file name.
func TargetName(names []string) string {
	full := strings.Join(names, "+")
	safe := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.ContainsRune("._@+-", c):
			return c
		case strings.ContainsRune("(*)", c):
			return -1
		}
		return '_'
	}, full)
	safe = strings.TrimLeft(safe, "._-")
	if len(safe) <= 80 {
		return safe
	}
	sum := sha256.Sum256([]byte(full))
	return safe[:80-13] + "-" + hex.EncodeToString(sum[:6])
}
