package finding

import (
	"fmt"
	"go/build/constraint"
	"go/format"
	"go/token"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/quote"
)

// A FuzzHarness is the fuzz test that a finding was made with, as its package's test files declare it.
type FuzzHarness struct {
	Package    string `json:"package"`              // the name in the package clause of its file: "toml" or "toml_test"
	ImportPath string `json:"import_path"`          // of the package under test, which go test takes
	Name       string `json:"name"`                 // FuzzXxx
	Constraint string `json:"constraint,omitempty"` // the expression of its file's //go:build line
	Tags       string `json:"tags,omitempty"`       // -tags of the build
	Generated  bool   `json:"generated,omitempty"`  // it takes what a generator makes of the finding's input, and knows nothing of that
}

// Reproducer is a second fuzz test for the harness's package, which calls the harness as it is with the minimized input
// as its first seed. It needs nothing of parallax.
func (f *Finding) fuzzReproducer() ([]byte, error) {
	h := f.Fuzz
	test := h.test(f.Bucket)
	if !token.IsIdentifier(test) || !token.IsIdentifier(h.Package) {
		return nil, fmt.Errorf("finding %s: no reproducer can be written: %q of package %q is no fuzz test", f.Bucket, h.Name, h.Package)
	}
	if h.Generated && !f.Made { // the input is a tape, which the fuzz test would take for what it tests
		return nil, fmt.Errorf("finding %s: no reproducer can be written: it is not known what the generator makes of its input", f.Bucket)
	}
	args := quote.Literals(f.Shape, f.Minimized)
	if len(args) == 0 {
		return nil, fmt.Errorf("finding %s: no reproducer can be written: its input is not one of %s", f.Bucket, f.Shape)
	}
	imports := "import \"testing\"\n"
	for _, arg := range args {
		if strings.HasPrefix(arg, "math.") {
			imports = "import (\n\t\"math\"\n\t\"testing\"\n)\n"
		}
	}
	var b strings.Builder
	f.fuzzHeader(&b)
	if h.Constraint != "" {
		expr, err := constraint.Parse("//go:build " + h.Constraint)
		if err != nil {
			return nil, fmt.Errorf("finding %s: no reproducer can be written: %w", f.Bucket, err)
		}
		fmt.Fprintf(&b, "//go:build %s\n\n", expr)
	}
	fmt.Fprintf(&b, "package %s\n\n%s\n", h.Package, imports)
	fmt.Fprintf(&b, "// %s fails while %s fails on this input.\n", test, h.Name)
	fmt.Fprintf(&b, "func %s(f *testing.F) {\n\tf.Add(%s)%s\n\t%s(f)\n}\n", test, strings.Join(args, ", "), f.allComment(), h.Name)
	src, err := format.Source([]byte(b.String()))
	if err != nil {
		return nil, fmt.Errorf("finding %s: the reproducer is not valid Go: %w", f.Bucket, err)
	}
	return src, nil
}

// FuzzHeader says what the file shows and how it is run.
func (f *Finding) fuzzHeader(b *strings.Builder) {
	h := f.Fuzz
	fmt.Fprintf(b, "// A reproducer of finding %s of parallax, in %s:\n//\n", escape.Text(f.Bucket), h.Name)
	for _, p := range f.Programs {
		line := p.Name + " " + p.Outcome
		if f.Kind == "failure" && p.Outcome == "crashed" {
			line = p.Name + " failed"
		}
		if result := p.Line(); result != "" {
			line += ": " + result
		}
		fmt.Fprintf(b, "//\t%s\n", escape.Cut(escape.Text(line), 160))
	}
	if f.Drawn != "" {
		b.WriteString("//\n// What is drawn of its input:\n//\n")
		for line := range strings.Lines(escape.Cut(escape.Lines(f.Drawn), 4096)) {
			fmt.Fprintf(b, "//\t%s\n", strings.TrimRight(line, "\n"))
		}
	}
	fmt.Fprintf(b, "//\n// Copy it into the folder of package %s, as %s, and run it there:\n//\n//\t%s\n",
		h.ImportPath, h.File(f.Bucket), f.FuzzCommand(""))
	fmt.Fprintf(b, "//\n// Or run there, with the path of this file for FILE:\n//\n//\techo '{\"Replace\":{\"%s\":\"FILE\"}}' | %s\n",
		h.File(f.Bucket), f.FuzzCommand("-overlay /dev/stdin "))
	switch f.Kind {
	case "timeout":
		b.WriteString("//\n// The test does not end by itself: -timeout ends it.\n")
	case "oom":
		b.WriteString("//\n// The test takes more and more memory: set a limit first, such as ulimit -v 4000000.\n")
	}
	b.WriteString("\n")
}

// FuzzGoMod keeps the finding's folder out of a module around it, where the reproducer does not compile.
const fuzzGoMod = "module reproducer // belongs to no module: see reproducer_test.go\n\ngo 1.22\n"

// FuzzCommand runs the reproducer in the package's folder, its first seed only.
func (f *Finding) FuzzCommand(flags string) string {
	h := f.Fuzz
	if h.Tags != "" {
		flags += "-tags " + h.Tags + " "
	}
	if f.Kind == "timeout" {
		flags += "-timeout 60s "
	}
	return fmt.Sprintf("go test %s-run '^%s$/^seed#0$' .", flags, h.test(f.Bucket))
}

// Test is the name of the reproducer's function, File that of the file it is copied to: those of two findings differ.
func (h *FuzzHarness) test(bucket string) string { return h.Name + "_" + word(bucket) }
func (h *FuzzHarness) File(bucket string) string { return "parallax_" + word(bucket) + "_test.go" }

// Word makes s fit for a part of an identifier.
func word(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, s)
}
