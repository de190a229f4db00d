package config

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/csource"
	"parallax/cmd/internal/model/dynamic"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/language"
	"parallax/cmd/internal/model/node"
	"parallax/cmd/internal/model/prototype"
)

// Models is a configuration of models and their originals, for parallax model
// (docs/guides/model.md).
type Models struct {
	Path, Dir string
	Name      string
	List      []Model
	Chosen    bool // the file has more models than List
}

// Alone reports whether the file has one model, which then has the configuration's name.
func (m *Models) Alone() bool { return len(m.List) == 1 && !m.Chosen }

// Choose keeps only the models with these names.
func (m *Models) Choose(names []string) error {
	all := len(m.List)
	var has []string
	for i := range m.List {
		has = append(has, m.List[i].Function)
	}
	for _, name := range names {
		if !slices.Contains(has, name) {
			return exit.Usage("--functions: %s has no model %q: it has %s", filepath.Base(m.Path), name, strings.Join(has, ", "))
		}
	}
	m.List = slices.DeleteFunc(m.List, func(one Model) bool { return !slices.Contains(names, one.Function) })
	m.Chosen = len(m.List) < all
	return nil
}

// Model is one [[model]]: a C function and its model. Paths are absolute.
type Model struct {
	At         Position
	Function   string // of the prototype, or the name of the model
	Prototype  string
	Parameters map[string]prototype.Parameter
	Signature  *call.Signature

	SMT               string         // a file of SMT-LIB, or
	Files             []string       // C files
	ModelFunction     string         // a function in Files
	Speech            csource.Speech // the functions by which C models address an analyzer
	SpeechAt          map[string]Position
	Originals         []string // C files; empty means the function of the C library
	OriginalFunction  string
	Flags             []string // of the compiler, for all C files
	Compare           call.Comparator
	Scope             string   // a term of SMT-LIB over the parameters that holds where the model is meant to be right; empty means everywhere
	Arguments         []string // names of the SMT-LIB's constants, in the order of the parameters; empty means arg_0, arg_1 ...
	Result            string   // name of the result; empty means ret
	PrototypePosition Position
	ScopeAt           Position

	Go     *GoModel          // replaces all of these but Function
	Node   *node.Model       // the same
	Beside *dynamic.Function // the same: a formula and a function of another language
	TermAt map[string]Position
}

// everyCall is the scope of a model of all calls, where another model has a function that decides.
const everyCall = "true"

// GoModel is a Go function and its model, or a type and its model, which are compared by sequences
// of method calls.
type GoModel struct {
	Original, Model string   // functions as parallax diff takes them; for types, the constructors
	Type            bool     //
	Methods         []string // for types: operations, as in Create, file.Read or, excluded, -Chown; empty means all common ones
	Names           []string // that texts are drawn from; empty means the usual ones
	Unsupported     []string // variables: errors that mean the model lacks an operation, as in syscall.ENOSYS
	Scope           string   // for functions: one that takes the arguments and reports whether the model is meant for them; empty means none
	Declared        bool     // for functions: the file declares the scope, as Scope or, if that is empty, as all calls
	Compare         string   // for functions, how results are compared: exact (or empty), sign, truth or set
	Errors          string   // "type" (or empty) compares errors by type; "sentinel" counts all unknown errors as one
	Box             bool     // the original acts on the machine, and so runs in a box
	BoxGiven        bool     // the file sets Box
	Service         []string // a command that the box runs next to the original, which talks to it
}

// Fail returns an error at a place in the file, with exit code 2.
func (m *Models) Fail(at Position, format string, args ...any) error {
	return (&File{Path: m.Path}).Fail(at, format, args...)
}

// LoadModels reads and checks a configuration of models. Its errors are like those of Load.
func LoadModels(path string) (*Models, error) {
	data, full, err := content(path, "parallax help model.md says how one is written")
	if err != nil {
		return nil, err
	}
	m, problems := parseModels(data, full, onDisk{})
	if len(problems) > 0 {
		return nil, exit.Usage("%s", problemText(path, problems))
	}
	return m, nil
}

func parseModels(data []byte, path string, d tomldoc.Disk) (*Models, []tomldoc.Problem) {
	r, t, problems := begin(data, path, d)
	if problems != nil {
		return nil, problems
	}
	m := &Models{Path: path, Dir: r.Dir, Name: r.targetName(t, path)}
	tables := t.Tables("model", "[[model]]")
	if len(tables) == 0 && !t.IsTable("model") {
		r.Reportf(t.ValuePosition("model"), "there is no [[model]]: each names a function, its prototype and what models it (parallax help model.md); programs of other kinds are for parallax diff")
	}
	seen := map[string]Position{}
	for _, table := range tables {
		one := r.model(table)
		if first, twice := seen[one.Function]; twice && one.Function != "" {
			r.Reportf(one.At, "a second model of %s: the first is in line %d. Give one of them another name (name = ...)", one.Function, first.Line)
		}
		seen[one.Function] = one.At
		m.List = append(m.List, one)
	}
	t.ReportUnknown()
	if problems := r.Problems(); len(problems) > 0 {
		return nil, problems
	}
	return m, nil
}

// model reads one [[model]].
func (r *reader) model(t *tomldoc.Table) Model {
	m := Model{At: t.Position()}
	if t.Has("go") || t.Has("go_type") {
		return r.goModel(t, m)
	}
	if t.Has("node") {
		return r.nodeModel(t, m)
	}
	for _, l := range language.Table {
		if t.Has(l.Name) {
			return r.formulaModel(t, m, l)
		}
	}
	m.Prototype, m.PrototypePosition = t.Text("prototype"), t.ValuePosition("prototype")
	if !t.Has("prototype") {
		r.Reportf(t.Position(), `prototype is missing: write the C prototype of the function, like prototype = "int abs(int x)"`)
	}
	m.Parameters = map[string]prototype.Parameter{}
	for _, p := range t.Tables("parameter", "[[model.parameter]]") {
		name := p.Text("name")
		if !p.Has("name") {
			r.Reportf(p.Position(), "name is missing: the parameter's, as the prototype has it")
		}
		one := prototype.Parameter{As: p.OneOf("as", "string", "bytes"), Null: p.Bool("null"), Value: p.Text("value")}
		if n, ok := p.Int("elements", 1, prototype.MaxElements); ok {
			one.Elements = int(n)
		}
		if n, ok := p.Int("at_most", 1, 1<<31-1); ok {
			one.AtMost = int(n)
		}
		m.Parameters[name] = one
		p.ReportUnknown()
	}
	if m.Prototype != "" {
		s, err := prototype.Read(m.Prototype, m.Parameters)
		if err != nil {
			r.Reportf(m.PrototypePosition, "%v", err)
		} else {
			m.Signature, m.Function = s, s.Function
		}
	}
	r.modelFiles(t, &m)
	var words []string
	for _, w := range call.Comparators {
		words = append(words, string(w))
	}
	if k := t.Find("compare"); k != nil && k.Value.Text == dynamic.Set {
		r.Reportf(k.Value.At, `compare = "set": a result of a C function is a number or a pointer, which has no order to leave out: choose %s`, tomldoc.Alternatives(words))
	} else {
		m.Compare = call.Comparator(t.OneOf("compare", words...))
	}
	if m.Signature != nil && m.Compare != "" && !m.Signature.Valid(m.Compare) {
		r.Reportf(t.ValuePosition("compare"), "compare = %q does not fit the result of %s", m.Compare, m.Function)
	}
	m.Scope, m.ScopeAt = t.Text("scope"), t.ValuePosition("scope")
	if t.Has("name") {
		m.Function = r.modelName(t, m.Function)
	}
	t.ReportUnknown()
	return m
}

// modelName returns the name of a model: the file's, or own.
func (r *reader) modelName(t *tomldoc.Table, own string) string {
	name := cmp.Or(t.Text("name"), own)
	if name != "" && !fitName(name) {
		r.Reportf(t.ValuePosition("name"), "name = %q is also the name of a folder: use letters, digits, _, and after the first character also -, . and +", name)
	}
	return name
}

// modelFiles reads the files of the model and of the original.
func (r *reader) modelFiles(t *tomldoc.Table, m *Model) {
	files := func(key string) (paths []string) {
		for _, item := range t.Items(key, true) {
			path := r.Path(item.Text)
			if info := r.Exists(key, item.Text, item.At); info != nil && !info.Mode().IsRegular() {
				r.Reportf(item.At, "%s: %s is no regular file", key, item.Text)
			}
			paths = append(paths, path)
		}
		return paths
	}
	if m.Files = files("model"); !t.Has("model") {
		r.Reportf(t.Position(), `model is missing: a C file, or one of SMT-LIB, like model = "stubs.c"`)
	}
	smt := 0
	for _, f := range m.Files {
		if ext := strings.ToLower(filepath.Ext(f)); ext == ".smt2" || ext == ".smt" {
			smt++
		}
	}
	switch {
	case smt > 0 && len(m.Files) > 1:
		r.Reportf(t.ValuePosition("model"), "a model of SMT-LIB is one file")
	case smt > 0:
		m.SMT, m.Files = m.Files[0], nil
		m.Arguments, m.Result = t.Texts("arguments", true), t.Text("result")
		if n := len(m.Arguments); m.Signature != nil && n > 0 && n != len(m.Signature.Arguments) {
			r.Reportf(t.ValuePosition("arguments"), "arguments names %d constants, and %s takes %d arguments", n, m.Function, len(m.Signature.Arguments))
		}
	default:
		m.ModelFunction = t.Text("model_function")
		m.SpeechAt = map[string]Position{}
		for _, key := range []string{"unsupported", "assume", "any"} {
			m.SpeechAt[key] = t.ValuePosition(key)
		}
		m.Speech = csource.Speech{Unsupported: t.Texts("unsupported", true), Assume: t.Texts("assume", true), Any: t.Texts("any", true)}
	}
	m.Flags = t.Texts("flags", true)
	if err := csource.CheckFlags(m.Flags); err != nil {
		r.Reportf(t.ValuePosition("flags"), "%v", err)
	}
	if k := t.Find("original"); k != nil && k.Value.Text == "libc" {
		return
	}
	if m.Originals = files("original"); len(m.Originals) > 0 {
		m.OriginalFunction = t.Text("original_function")
	}
}

// nodeModel reads a [[model]] of JavaScript.
func (r *reader) nodeModel(t *tomldoc.Table, m Model) Model {
	n := &node.Model{Dir: r.Dir, Arguments: t.Texts("arguments", true), Unsupported: t.Texts("unsupported", true), This: t.Bool("this")}
	n.Set = t.OneOf("compare", "exact", dynamic.Set) == dynamic.Set
	for _, item := range t.Items("texts", false) { // all but the empty text: white space is a text too
		if item.Text == "" {
			r.Reportf(item.At, "a text that strings are made of is empty: leave it out")
		}
		n.Texts = append(n.Texts, item.Text)
	}
	find := func(key string) (f node.Function) {
		if !t.Has(key) {
			return f
		}
		f, err := node.Find(t.Text(key))
		if err != nil {
			r.Reportf(t.ValuePosition(key), "%v", err)
		} else if strings.HasPrefix(f.Module, ".") || filepath.IsAbs(f.Module) {
			r.Exists(key, f.Module, t.ValuePosition(key))
		}
		return f
	}
	n.Model, n.Original = find("node"), find("original")
	if n.Declared = t.Has("scope"); n.Declared && t.Text("scope") != everyCall {
		n.Scope = find("scope")
	}
	if !t.Has("original") {
		r.Reportf(t.Position(), `original is missing: the function that node models, like original = "Array.prototype.flat"`)
	}
	if !t.Has("arguments") {
		r.Reportf(t.Position(), `arguments is missing: their types, like arguments = ["string", "array of number"]`)
	} else if _, err := n.Grammar(); err != nil {
		r.Reportf(t.ValuePosition("arguments"), "%v", err)
	}
	if n.This && len(n.Arguments) == 0 {
		r.Reportf(t.ValuePosition("this"), "this = true: the function is called as a method of the first argument, and there is none")
	}
	m.Function = r.modelName(t, n.Model.Names[strings.LastIndexByte(n.Model.Names, '.')+1:])
	m.Node = n
	t.ReportUnknown()
	return m
}

// formulaModel reads a [[model]] that is a formula of a function of another language.
func (r *reader) formulaModel(t *tomldoc.Table, m Model, l *language.Language) Model {
	m.TermAt = map[string]Position{l.Name: t.ValuePosition(l.Name), "false": t.ValuePosition("false"), "scope": t.ValuePosition("scope"), "model": t.ValuePosition("model")}
	f, err := l.Signature(t.Text(l.Name))
	if err != nil {
		r.Reportf(t.ValuePosition(l.Name), "%s: %v", l.Name, err)
	}
	script := dynamic.Formula{Result: t.Text("result"), False: t.Text("false"), Scope: t.Text("scope")}
	if k := t.Find("compare"); k != nil && k.Value.Text == dynamic.Set {
		r.Reportf(k.Value.At, `compare = "set": a result of a formula is a number, a string or a truth value, which has no order to leave out: choose exact, sign or truth`)
	} else {
		script.Compare = t.OneOf("compare", "exact", "sign", "truth")
	}
	if script.Result == "" {
		script.Result = "ret"
	}
	name := t.Text("model")
	switch {
	case !t.Has("model"):
		r.Reportf(t.Position(), `model is missing: a file of SMT-LIB, like model = "abs.smt2"`)
	default:
		if data, ok := r.Read("model", name, t.ValuePosition("model")); ok {
			script.Name, script.Script = name, string(data)
		}
	}
	own := ""
	if f != nil {
		own = f.Function
	}
	m.Function = r.modelName(t, own)
	if f != nil && script.Script != "" {
		f.Engine, f.Elements, f.Formula = "model", extract.DefaultBuffer, &script
		formula, err := language.New(f)
		var term *language.TermError
		switch {
		case errors.As(err, &term):
			r.Reportf(t.ValuePosition(term.Key), "%v", err)
		case err != nil:
			r.Reportf(t.ValuePosition("model"), "%v", err)
		default:
			formula.Close()
		}
	}
	m.Beside = f
	t.ReportUnknown()
	return m
}

// service reads a command that a box runs. A path is relative to the configuration's folder.
func (r *reader) service(t *tomldoc.Table) []string {
	words := t.Command("service")
	if len(words) > 0 && strings.Contains(words[0], "/") {
		r.Exists("service", words[0], t.ValuePosition("service"))
		words[0] = r.Path(words[0])
	}
	return words
}

// goName returns the name of a Go function. For a function New, it returns the name of its package.
func goName(function string) string {
	name, _, _ := strings.Cut(function, "@")
	dot := strings.LastIndexAny(name, "./") + 1
	if own := name[dot:]; own != "New" {
		return own
	}
	for path := name[:max(0, dot-1)]; path != ""; path = path[:max(0, strings.LastIndexByte(path, '/'))] {
		last := path[strings.LastIndexByte(path, '/')+1:]
		version := len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" // the folder of a later major version of a module
		if !version && fitName(last) && last != "" {
			return last
		}
	}
	return "New"
}

// goModel reads a [[model]] of Go.
func (r *reader) goModel(t *tomldoc.Table, m Model) Model {
	key := "go"
	g := &GoModel{BoxGiven: t.Has("box"), Box: t.Bool("box")}
	if g.Type = t.Has("go_type"); g.Type {
		if key = "go_type"; t.Has("go") {
			r.Reportf(t.ValuePosition("go"), "go and go_type: a model is a function, or a type that a function makes. Leave one out")
		}
		g.Methods, g.Names = t.Texts("methods", true), t.Texts("names", true)
		g.Service = r.service(t)
		g.Errors = t.OneOf("errors", "type", "sentinel")
		if len(g.Service) > 0 {
			if g.BoxGiven && !g.Box {
				r.Reportf(t.ValuePosition("service"), "service and box = false: a service runs in the box. Leave one out")
			}
			g.Box, g.BoxGiven = true, true
		}
	}
	g.Unsupported = t.Texts("unsupported", true)
	if !g.Type {
		g.Scope, g.Compare = t.Text("scope"), t.OneOf("compare", "exact", "sign", "truth", dynamic.Set)
		if g.Declared = g.Scope != ""; g.Scope == everyCall {
			g.Scope = ""
		}
	}
	if !g.Type && g.Box {
		r.Reportf(t.ValuePosition("box"), "box = true: functions run without a box. Compare what makes values with methods (go_type), which runs in one")
	}
	g.Model, g.Original = t.Text(key), t.Text("original")
	if !t.Has("original") {
		like := "strings.ToUpper" // a function that does not act on the machine
		if g.Type {
			like = "./store.NewDisk"
		}
		r.Reportf(t.Position(), "original is missing: the Go function that %s is a model of, like original = %q", g.Model, like)
	}
	if m.Function = r.modelName(t, ""); m.Function == "" {
		m.Function = goName(g.Model)
	}
	m.Go = g
	t.ReportUnknown()
	return m
}
