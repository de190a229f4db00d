package reproducer

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/finding"
)

// Functions are Go functions that one Go test calls. The test needs only their modules.
type Functions struct {
	GoVersion string // the oldest release that the modules need, like "1.26"; go.mod has at least 1.22
	Exact     bool   // go.mod has GoVersion itself: that toolchain builds it, and takes no newer language
	Programs  []Function
	Sequence  *Sequence // the functions make values whose methods are called; nil if they take the input
}

// A Function is one call of a reproducer.
type Function struct {
	Name       string
	ImportPath string
	Module     string // empty for the standard library
	Version    string // like "v1.2.3"
	Dir        string // where the module is on disk; used when no proxy has it

	// Call is a Go expression, which is evaluated once: "p1.Valid(in)" or
	// "new(p2.Parser).Parse(in1, in2)". The package is p1 for the first program, p2 for the second,
	// and so on. The arguments are in, or in1, in2, ... unless there is exactly one, with the types
	// of the input's shape.
	Call    string
	Results []string // types of the call's results before the last error or bool
	Last    string   // "error", "bool" or ""
	Imports []string // packages of the standard library that Call names

	imported string // the package's name in Call
}

// Files implements finding.Reproducer.
func (r *Functions) Files(f *finding.Finding) (map[string][]byte, error) {
	f = f.ProgramInput()
	var test []byte
	var err error
	out := files{}
	if r.Sequence != nil {
		out.add(renderingFile, rendering())
		r = r.among(func(int) bool { return true })
		test, err = r.sequenceTest(f)
	} else {
		r = r.taking(f)
		test, err = r.test(f)
	}
	if err != nil {
		return nil, fail(f, err)
	}
	mod, err := r.goMod()
	if err != nil {
		return nil, fail(f, err)
	}
	out.add(TestFile, test)
	out.add("go.mod", mod)
	return out, nil
}

// test writes the test, which fails as the finding did.
func (r *Functions) test(f *finding.Finding) ([]byte, error) {
	var b strings.Builder
	for i := range r.Programs {
		p := &r.Programs[i]
		used, err := mentions(p.Call)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		fmt.Fprintf(&b, "{%s, func() (verdict, result string) {\n", escape.Quote(escape.Text(p.Name)))
		for i, lit := range quote.Literals(f.Shape, f.Minimized) {
			if name := argument(f.Shape, i); used[name] {
				fmt.Fprintf(&b, "%s := %s%s\n", name, lit, f.ArgumentComment(i))
			}
		}
		b.WriteString(p.verdict(f.Layer))
		b.WriteString("}},\n")
	}
	data := struct{ Verb, Bucket, Programs, Verdict, Compared, Condition string }{
		Verb: verb(f), Bucket: escape.Text(f.Bucket), Programs: b.String(), Verdict: escape.Quote(compared[f.Layer]),
	}
	switch {
	case comparesVerdicts(f):
		data.Compared = "the verdicts, then the results of the programs whose verdict is compared"
		data.Condition = "a.verdict != b.verdict || a.verdict == compared && a.result != b.result"
	case compared[f.Layer] != "":
		data.Compared = "the results of the programs with one verdict. The campaign does not compare verdicts"
		data.Condition = "a.verdict == compared && b.verdict == compared && a.result != b.result"
	}
	text, err := execute(functionsTest, data)
	if err != nil {
		return nil, err
	}
	if strings.Contains(text, ", show(") {
		text += show
	}
	if strings.Contains(text, ", class(err)") {
		text += class
	}
	return goFile(testHead(f), text, r.imports()...)
}

// testHead returns the beginning of a test that belongs to no package of the user.
func testHead(f *finding.Finding) string {
	return "// Package discrepancy reproduces a finding of parallax. Run it in this folder:\n//\n//\t" + Command(f) + "\npackage discrepancy"
}

// imports returns the lines that import the programs' packages.
func (r *Functions) imports() (lines []string) {
	for _, p := range r.Programs {
		lines = append(lines, p.imports(p.imported)...)
	}
	return lines
}

// imports returns the lines that import the packages of the call. imported is the name of the
// function's own.
func (p *Function) imports(imported string) []string {
	lines := []string{fmt.Sprintf("%s %q", imported, p.ImportPath)}
	for _, path := range p.Imports {
		lines = append(lines, fmt.Sprintf("%q", path))
	}
	return lines
}

// among returns the functions of the chosen programs.
func (r *Functions) among(chosen func(i int) bool) *Functions {
	some := *r
	some.Programs = nil
	for i, p := range r.Programs {
		if chosen(i) {
			p.imported = fmt.Sprintf("p%d", i+1)
			some.Programs = append(some.Programs, p)
		}
	}
	return &some
}

// taking returns the functions that take part in the disagreement. Others may fail or hang. With
// another verdict, they would make the test fail when the values agree again.
func (r *Functions) taking(f *finding.Finding) *Functions {
	all := r.among(func(int) bool { return true })
	if len(f.Programs) != len(r.Programs) || f.Layer != "verdict" && compared[f.Layer] == "" {
		return all
	}
	differ := f.Layer != "value"
	some := r.among(func(i int) bool {
		p := &f.Programs[i]
		return p.Outcome == compared[f.Layer] || f.Layer == "verdict" && (p.Outcome == "accepted" || p.Outcome == "rejected")
	})
	var first *finding.Program
	for i := range f.Programs {
		if p := &f.Programs[i]; p.Outcome == compared[f.Layer] {
			first = cmp.Or(first, p)
			differ = differ || p.Value != first.Value || p.Truncated
		}
	}
	if len(some.Programs) < 2 || !differ { // the values of those that reject differ
		return all
	}
	return some
}

// verb returns what the programs do on the input of a finding.
func verb(f *finding.Finding) string {
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

// statement returns the call as a statement, and the variables of the results before the last. The
// last one is the given variable, or ok.
func (p *Function) statement(err string) (call string, results []string) {
	for i := range p.Results {
		results = append(results, fmt.Sprintf("r%d", i+1))
	}
	all := slices.Clone(results)
	if last := map[string]string{"error": err, "bool": "ok"}[p.Last]; last != "" {
		all = append(all, last)
	}
	call = p.Call + "\n"
	if len(all) > 0 {
		call = strings.Join(all, ", ") + " := " + call
	}
	return call, results
}

// verdict returns the statements that call the function and return its verdict, by the rules of the
// campaign.
func (p *Function) verdict(layer string) string {
	call, vars := p.statement("err")
	result := `""`
	switch {
	case len(vars) > 0 && layer == "value":
		result = "show(" + strings.Join(vars, ", ") + ")"
	case len(vars) > 0:
		result = `fmt.Sprintf("%q", fmt.Sprint(` + strings.Join(vars, ", ") + "))"
	}
	switch {
	case p.Last == "error" && layer == "class":
		call += "if err != nil {\nreturn \"rejected\", class(err)\n}\n"
	case p.Last == "error":
		call += "if err != nil {\nreturn \"rejected\", fmt.Sprintf(\"%q\", err.Error())\n}\n"
	case p.Last == "bool":
		call += "if !ok {\nreturn \"rejected\", \"\"\n}\n"
	}
	return call + fmt.Sprintf("return \"accepted\", %s\n", result)
}

// compared maps layers to the verdict of the programs whose results they compare. The layer of
// verdicts has none.
var compared = map[string]string{"value": "accepted", "class": "rejected"}

// comparesVerdicts reports whether the campaign compares verdicts, or its layers are unknown.
func comparesVerdicts(f *finding.Finding) bool {
	return len(f.Compare) == 0 || slices.Contains(f.Compare, "verdict")
}

// functionsTest is the template of the test.
//
//go:embed functions.txt
var functionsTest string

// show renders values without addresses. Values that differ have different texts, as in the
// campaign's comparison (oracle.Result): 1 and 1.0, or a pointer and its target. It knows no
// normalizers.
//
//go:embed show.txt
var show string

// class names the types of an error and of the errors that it wraps, as the class layer compares
// them.
//
//go:embed class.txt
var class string
