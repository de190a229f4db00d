package synthesis

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/gobuild/codegen"
	"parallax/cmd/internal/gobuild/signature"
)

// unfit explains why a function cannot be fuzzed, and suggests a FuzzXxx for it.
func (p *Pair) unfit(name string, c signature.Assessment) *Misfit {
	m := &Misfit{Path: name, Full: full(c.Function), Why: c.Problem.Where}
	if strings.HasPrefix(m.Why, "parameter ") {
		m.Why, m.Which = cannotMake, m.Why
	}
	why := fmt.Sprintf("%s cannot be fuzzed as it is: %s: %s\n\tit is %s", name, c.Problem.Where, c.Problem.Why, c.Signature())
	v := &p.request.New
	if v.Commit != "" || v.WorkTree {
		m.Init = "./" + name
		if name == c.Declared() {
			m.Init = "." + name
		}
		m.Init = shell.Word(m.Init)
		m.err = exit.Usage("%s\n`parallax init %s` writes a FuzzXxx that calls it, for you to complete", why, m.Init)
		return m
	}
	m.err = exit.Usage("%s\n\nA FuzzXxx that makes the arguments can be fuzzed in its place. Start from this file, harness/harness_test.go, in your own module:\n\n%s\nthen:\n\n"+
		"\tcd harness && go mod init example.com/harness && go get %s@%s && cd ..\n\tparallax regress %s@%s %s@%s --harness harness",
		why, indent(harness(c)), c.Package.ImportPath, v.Short, p.old.module, p.request.Old.Short, p.new.module, v.Short)
	return m
}

// harness writes a test file with a FuzzXxx that calls a function through a wrapper.
func harness(c signature.Assessment) string {
	w := codegen.NewWrapper(nil)
	w.Std["testing"] = true
	name := w.Function(c.Function)
	var args []string
	for _, param := range w.Params {
		arg, _, _ := strings.Cut(param, " ")
		args = append(args, arg)
	}
	w.Printf("func Fuzz%s(f *testing.F) {\nf.Fuzz(func(t *testing.T, %s) {\n%s(%s)\n})\n}\n", name, strings.Join(w.Params, ", "), name, strings.Join(args, ", "))
	return w.File("harness")
}

// indent indents a text.
func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			b.WriteByte('\t')
		}
		b.WriteString(line)
	}
	return b.String()
}
