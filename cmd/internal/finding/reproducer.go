package finding

import (
	"cmp"
	_ "embed"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/version"
	"maps"
	"path"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/quote"
	"parallax/internal/input"
)

// ReproducerFile is the name of the reproducer in a finding's folder; its go.mod stands beside it.
const ReproducerFile = "reproducer_test.go"

// ReproducerCommand runs the reproducer in its folder, whatever workspace or vendor folder lies around it. What hangs ends.
const ReproducerCommand = "GOWORK=off GOFLAGS=-mod=mod go test -timeout 60s -run TestDiscrepancy ."

// A Repro is what a reproducer calls.
type Repro struct {
	GoVersion string // for the go line: the oldest release that the modules need, like "1.26"; 1.22 at least is written, but where it is Exact
	Exact     bool   // that toolchain builds it: an older one than 1.22 takes no newer language
	Programs  []ReproProgram
	Sequence  *ReproSequence // Call makes a value whose methods are called; nil: it takes the input
}

// A ReproProgram is one call of a reproducer.
type ReproProgram struct {
	Name       string
	ImportPath string
	Module     string // "" for the standard library
	Version    string // like "v1.2.3"
	Dir        string // where the module is on disk; used when no proxy has it, see GoMod

	// Call is a Go expression. The package is p1 for the first program, p2 for the second, and so on; the arguments are
	// in, or in1, in2, ... when there are several or none, variables with the exact types of the input's shape:
	// "p1.Valid(in)", "new(p2.Parser).Parse(in1, in2)". It is evaluated once.
	Call    string
	Results []string // types of the call's results before the last error or bool
	Last    string   // "error", "bool" or ""
}

// Reproducer is a Go test that calls the programs directly with the minimized input and fails as the finding did. It needs
// nothing but the programs' modules. That of a fuzz test needs the package that holds it.
func (f *Finding) Reproducer() ([]byte, error) {
	if f.Fuzz != nil {
		return f.fuzzReproducer()
	}
	if f.Repro == nil || len(f.Repro.Programs) == 0 {
		return nil, fmt.Errorf("finding %s: no reproducer can be written: its programs have no calls", f.Bucket)
	}
	if f.Repro.Sequence != nil {
		return f.sequenceReproducer()
	}
	std := map[string]bool{"fmt": true, "runtime/debug": true, "strings": true, "testing": true}
	var body strings.Builder
	repro := f.taking()
	for _, p := range repro.Programs {
		used, err := mentions(p.Call)
		if err != nil {
			return nil, fmt.Errorf("finding %s: the call of %s is not a Go expression: %w", f.Bucket, p.Name, err)
		}
		fmt.Fprintf(&body, "{%s, func() (verdict, result string) {\n", escape.Quote(escape.Text(p.Name)))
		for i, lit := range quote.Literals(f.Shape, f.Minimized) {
			if name := argument(f.Shape, i); used[name] {
				fmt.Fprintf(&body, "%s := %s%s\n", name, lit, f.ArgumentComment(i))
				if strings.HasPrefix(lit, "math.") {
					std["math"] = true
				}
			}
		}
		body.WriteString(p.verdict(f.Layer))
		body.WriteString("}},\n")
	}
	if _, err := repro.module(); err != nil {
		return nil, fmt.Errorf("finding %s: %w", f.Bucket, err)
	}
	classes := strings.Contains(body.String(), ", class(err)")
	if classes {
		std["errors"] = true
	}
	values := strings.Contains(body.String(), ", show(")
	if values {
		for _, p := range []string{"reflect", "sort", "time"} {
			std[p] = true
		}
	}
	var b strings.Builder
	b.WriteString("// Package discrepancy reproduces a finding of parallax. Run it in this folder:\n//\n")
	fmt.Fprintf(&b, "//\t%s\npackage discrepancy\n\nimport (\n", ReproducerCommand)
	for _, p := range slices.Sorted(maps.Keys(std)) {
		fmt.Fprintf(&b, "\t%q\n", p)
	}
	b.WriteString("\n")
	for i, p := range f.Repro.Programs { // a call names its package by its place among all
		if slices.ContainsFunc(repro.Programs, func(r ReproProgram) bool { return r.Name == p.Name }) {
			fmt.Fprintf(&b, "\tp%d %q\n", i+1, p.ImportPath)
		}
	}
	fmt.Fprintf(&b, ")\n\n// TestDiscrepancy fails while the programs %s on this input (bucket %s).\n",
		f.verb(), escape.Text(f.Bucket))
	b.WriteString("func TestDiscrepancy(t *testing.T) {\n\tprograms := []program{\n")
	b.WriteString(body.String())
	b.WriteString(reproTest)
	switch {
	case f.comparesVerdicts():
		fmt.Fprintf(&b, reproDisagree, escape.Quote(compared[f.Layer]))
	case compared[f.Layer] != "":
		fmt.Fprintf(&b, reproDisagreeResults, escape.Quote(compared[f.Layer]))
	default:
		b.WriteString(reproDisagreeNever)
	}
	if values {
		b.WriteString(reproShow)
	}
	if classes {
		b.WriteString(reproClass)
	}
	src, err := format.Source([]byte(b.String()))
	if err != nil {
		return nil, fmt.Errorf("finding %s: the reproducer is not valid Go: %w", f.Bucket, err)
	}
	return src, nil
}

// taking is what the reproducer calls: the programs that take part in the disagreement. Others may fail, or never end, and one with another
// verdict would have the test fail when the values agree again.
func (f *Finding) taking() *Repro {
	if f.Repro.Sequence != nil || len(f.Programs) != len(f.Repro.Programs) || f.Layer != "verdict" && compared[f.Layer] == "" {
		return f.Repro
	}
	r := *f.Repro
	r.Programs = nil
	differ, first := f.Layer != "value", ""
	for i := range f.Programs {
		p := &f.Programs[i]
		if p.Outcome != compared[f.Layer] && (f.Layer != "verdict" || p.Outcome != "accepted" && p.Outcome != "rejected") {
			continue
		}
		if len(r.Programs) == 0 {
			first = p.Value
		}
		differ = differ || p.Value != first || p.Truncated
		r.Programs = append(r.Programs, f.Repro.Programs[i])
	}
	if len(r.Programs) < 2 || !differ { // then the values of those that reject do
		return f.Repro
	}
	return &r
}

// GoMod is the go.mod beside the reproducer; nil without one.
func (f *Finding) GoMod() ([]byte, error) {
	if f.Fuzz != nil {
		return []byte(fuzzGoMod), nil
	}
	if f.Repro == nil {
		return nil, nil
	}
	mod, err := f.taking().GoMod()
	if err != nil {
		return nil, fmt.Errorf("finding %s: %w", f.Bucket, err)
	}
	return mod, nil
}

// GoMod is the go.mod beside the reproducer. A module is replaced by its folder unless that is the module cache's copy of
// its version.
func (r *Repro) GoMod() ([]byte, error) {
	name, err := r.module()
	if err != nil {
		return nil, err
	}
	need, err := r.modules()
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "module %s\n", name)
	line := goLine(r.GoVersion)
	if r.Exact {
		line = strings.TrimPrefix(r.GoVersion, "go")
	}
	fmt.Fprintf(&b, "\ngo %s\n", line)
	for _, m := range slices.Sorted(maps.Keys(need)) {
		at := need[m].Version
		if at == "" {
			at = "v0.0.0"
			if _, major := path.Split(m); len(major) > 1 && major[0] == 'v' && strings.Trim(major[1:], "0123456789") == "" {
				at = major + ".0.0"
			}
		}
		fmt.Fprintf(&b, "\nrequire %s %s\n", m, at)
		if dir := need[m].Dir; dir != "" {
			fmt.Fprintf(&b, "\nreplace %s => %s\n", m, modString(dir))
		}
	}
	return []byte(b.String()), nil
}

// modules are what the programs need, by path. Each Dir is where go.mod has it from, "" of one from the proxy.
func (r *Repro) modules() (map[string]ReproProgram, error) {
	need := map[string]ReproProgram{}
	for _, p := range r.Programs {
		if p.Module == "" {
			continue
		}
		if p.Version != "" && strings.Contains(escape.Capitals(p.Dir), p.Module+"@"+p.Version) {
			p.Dir = ""
		}
		if old, ok := need[p.Module]; ok && (old.Version != p.Version || old.Dir != p.Dir) {
			return nil, fmt.Errorf("module %s is needed at %s and at %s: one reproducer cannot hold both",
				p.Module, cmp.Or(old.Version, old.Dir), cmp.Or(p.Version, p.Dir))
		}
		need[p.Module] = p
	}
	return need, nil
}

// folders are the modules that go.mod has from folders, and these.
func (r *Repro) folders() (modules, dirs []string) {
	need, err := r.modules()
	if err != nil { // GoMod says so
		return nil, nil
	}
	for _, m := range slices.Sorted(maps.Keys(need)) {
		if dir := need[m].Dir; dir != "" {
			modules, dirs = append(modules, m), append(dirs, dir)
		}
	}
	return modules, dirs
}

// GoLine is at least the language that reproducers are written in.
func goLine(v string) string {
	const least = "1.22"
	v = strings.TrimPrefix(v, "go")
	if version.Compare("go"+v, "go"+least) < 0 {
		return least
	}
	return v
}

// Module is the reproducer's own module path: below the tree of an internal package that it imports, as Go asks for.
func (r *Repro) module() (string, error) {
	const name = "discrepancy"
	root := ""
	for _, p := range r.Programs {
		at, _, internal := strings.Cut(p.ImportPath+"/", "/internal/")
		switch {
		case !internal && !strings.HasPrefix(p.ImportPath, "internal/"):
			continue
		case p.Module == "":
			return "", fmt.Errorf("%s is internal to the standard library: no reproducer can import it", p.ImportPath)
		case root != "" && root != at:
			return "", fmt.Errorf("%s and %s/internal cannot be imported by one reproducer", p.ImportPath, root)
		}
		root = at
	}
	return path.Join(root, name), nil
}

// ModString quotes a path as go.mod wants it.
func modString(s string) string {
	if strings.ContainsAny(s, " \t\"'`()[]{},;") || strings.Contains(s, "//") {
		return escape.Quote(s)
	}
	return s
}

func (f *Finding) verb() string {
	switch f.Kind {
	case "crash", "failure":
		return "crash"
	case "timeout":
		return "hang"
	case "oom":
		return "run out of memory"
	}
	return "disagree"
}

func argument(s input.Shape, i int) string {
	if len(s) == 1 {
		return "in"
	}
	return fmt.Sprintf("in%d", i+1)
}

// Mentions are the identifiers of a Go expression: Go refuses variables that are not used.
func mentions(expr string) (map[string]bool, error) {
	e, err := parser.ParseExpr(expr)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			names[id.Name] = true
		}
		return true
	})
	return names, nil
}

// Verdict is the call and what it means, by the same rules as the campaign's.
func (p *ReproProgram) verdict(layer string) string {
	var vars []string
	for i := range p.Results {
		vars = append(vars, fmt.Sprintf("r%d", i+1))
	}
	result := `""`
	switch {
	case len(vars) > 0 && layer == "value":
		result = "show(" + strings.Join(vars, ", ") + ")"
	case len(vars) > 0:
		result = `fmt.Sprintf("%q", fmt.Sprint(` + strings.Join(vars, ", ") + "))"
	}
	var b strings.Builder
	last := map[string]string{"error": "err", "bool": "ok"}[p.Last]
	if all := slices.Concat(vars, nonEmpty(last)); len(all) > 0 {
		fmt.Fprintf(&b, "%s := ", strings.Join(all, ", "))
	}
	b.WriteString(p.Call + "\n")
	switch {
	case p.Last == "error" && layer == "class":
		b.WriteString("if err != nil {\nreturn \"rejected\", class(err)\n}\n")
	case p.Last == "error":
		b.WriteString("if err != nil {\nreturn \"rejected\", fmt.Sprintf(\"%q\", err.Error())\n}\n")
	case p.Last == "bool":
		b.WriteString("if !ok {\nreturn \"rejected\", \"\"\n}\n")
	}
	fmt.Fprintf(&b, "return \"accepted\", %s\n", result)
	return b.String()
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// Compared is the verdict of the programs whose results a layer compares; none for verdicts alone.
var compared = map[string]string{"value": "accepted", "class": "rejected"}

const reproTest = `	}
	var saw []observation
	text, crashed := "", false
	for _, p := range programs {
		o := p.run(t)
		saw = append(saw, o)
		crashed = crashed || o.verdict == "crashed"
		text += fmt.Sprintf("\n\t%s: %s", p.name, o.verdict)
		if o.result != "" {
			text += fmt.Sprintf(" %.2000s", o.result)
		}
	}
	if crashed || disagree(saw) {
		t.Errorf("the programs do not agree:%s", text)
	}
}

type program struct {
	name string
	call func() (verdict, result string)
}

// An observation's result is quoted, since it may have any bytes.
type observation struct{ verdict, result string }

func (p program) run(t *testing.T) (o observation) {
	defer func() {
		if r := recover(); r != nil {
			o = observation{"crashed", fmt.Sprintf("%q", fmt.Sprint(r))}
			t.Logf("%s panicked:\n%s", p.name, strings.TrimSpace(string(debug.Stack())))
		}
	}()
	o.verdict, o.result = p.call()
	return o
}
`

const reproDisagree = `
// disagree compares the verdicts, then the results of the programs whose verdict is compared.
func disagree(saw []observation) bool {
	const compared = %s
	for _, a := range saw {
		for _, b := range saw {
			if a.verdict != b.verdict || a.verdict == compared && a.result != b.result {
				return true
			}
		}
	}
	return false
}
`

// reproDisagreeResults is for campaigns that do not compare verdicts.
const reproDisagreeResults = `
// disagree compares the results of the programs with one verdict. The campaign does not compare verdicts.
func disagree(saw []observation) bool {
	const compared = %s
	for _, a := range saw {
		for _, b := range saw {
			if a.verdict == compared && b.verdict == compared && a.result != b.result {
				return true
			}
		}
	}
	return false
}
`

// reproDisagreeNever is for crashes in such campaigns.
const reproDisagreeNever = `
// disagree is false: the campaign does not compare verdicts.
func disagree([]observation) bool { return false }
`

// reproShow renders values without addresses. As in the campaign's comparison (oracle.Result), values that differ have
// different texts: 1 and 1.0, or a pointer and its target. It knows no normalizers.
//
//go:embed reproshow.txt
var reproShow string

// reproClass names the types of an error and of the errors that it wraps, as the class layer compares them.
//
//go:embed reproclass.txt
var reproClass string
