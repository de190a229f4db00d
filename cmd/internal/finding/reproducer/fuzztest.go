package reproducer

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/build/constraint"
	"go/token"
	"maps"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/finding"
)

// FuzzTest writes a second fuzz test for the package of the finding's FuzzXxx (Finding.Fuzz). It
// calls the FuzzXxx with the minimized input as its first seed.
type FuzzTest struct{}

// Files implements finding.Reproducer. The go.mod keeps the finding's folder out of a module around
// it, where the test would not compile.
func (FuzzTest) Files(f *finding.Finding) (map[string][]byte, error) {
	f = f.HarnessInput()
	if f.Fuzz.Generated && !f.Made { // the FuzzXxx would take the tape for its input
		return nil, fail(f, errors.New("what the generator makes of its input is unknown"))
	}
	test, err := fuzzTest(f, f.Fuzz, fuzzHead(f))
	if err != nil {
		return nil, fail(f, err)
	}
	out := files{}
	out.add(TestFile, test)
	out.add("go.mod", []byte("module reproducer // belongs to no module: see reproducer_test.go\n\ngo 1.22\n"))
	return out, nil
}

// fuzzTest writes the second fuzz test of a harness, after a head that describes it.
func fuzzTest(f *finding.Finding, h *finding.FuzzHarness, head string) ([]byte, error) {
	test := fuzzName(h, f.Bucket)
	args := quote.Literals(f.Shape, f.Minimized)
	switch {
	case !token.IsIdentifier(test) || !token.IsIdentifier(h.Package):
		return nil, fmt.Errorf("%q of package %q is no fuzz test", h.Name, h.Package)
	case len(args) == 0:
		return nil, fmt.Errorf("its input is not one of %s", f.Shape)
	}
	if h.Constraint != "" {
		expr, err := constraint.Parse("//go:build " + h.Constraint)
		if err != nil {
			return nil, err
		}
		head += fmt.Sprintf("//go:build %s\n\n", expr)
	}
	comment := ""
	if names := f.ArgumentNames(); names != nil {
		comment = " // " + strings.Join(names, ", ")
	}
	return goFile(head+"package "+h.Package, fmt.Sprintf("// %s fails while %s fails on this input.\nfunc %[1]s(f *testing.F) {\n\tf.Add(%[3]s)%[4]s\n\t%[2]s(f)\n}\n",
		test, h.Name, strings.Join(args, ", "), comment))
}

// fuzzHead says what the file shows and how to run it.
func fuzzHead(f *finding.Finding) string {
	var b strings.Builder
	h := f.Fuzz
	fmt.Fprintf(&b, "// A reproducer of finding %s of parallax, in %s:\n//\n", escape.Text(f.Bucket), h.Name)
	for _, p := range f.Programs {
		line := p.Name + " " + finding.Outcome(f.Kind, p.Outcome)
		if result := p.Line(); result != "" {
			line += ": " + result
		}
		fmt.Fprintf(&b, "//\t%s\n", escape.Cut(escape.Text(line), 160))
	}
	if f.Drawn != "" {
		b.WriteString("//\n// What is drawn of its input:\n//\n")
		for line := range strings.Lines(escape.Cut(escape.Lines(f.Drawn), 4096)) {
			fmt.Fprintf(&b, "//\t%s\n", strings.TrimRight(line, "\n"))
		}
	}
	fmt.Fprintf(&b, "//\n// Copy it into the folder of package %s, as %s, and run it there:\n//\n//\t%s\n",
		h.ImportPath, FuzzFile(f), FuzzCommand(f, ""))
	fmt.Fprintf(&b, "//\n// Or run there, with the path of this file for FILE:\n//\n//\techo '{\"Replace\":{\"%s\":\"FILE\"}}' | %s\n",
		FuzzFile(f), FuzzCommand(f, "-overlay /dev/stdin "))
	switch f.Kind {
	case "timeout":
		b.WriteString("//\n// The test does not end by itself: -timeout ends it.\n")
	case "oom":
		b.WriteString("//\n// The test uses more and more memory. With the limit of ulimit, Go prints the stack of the allocation.\n")
	}
	return b.String() + "\n"
}

// FuzzCommand returns the command that runs the reproducer of a FuzzXxx in its package's folder,
// with further flags.
func FuzzCommand(f *finding.Finding, flags string) string { return fuzzCommand(f, flags, ".") }

// FuzzCommandIn returns the same command with the path of the package.
func FuzzCommandIn(f *finding.Finding, path string) string { return fuzzCommand(f, "", path) }

func fuzzCommand(f *finding.Finding, flags, path string) string {
	if f.Fuzz.Tags != "" {
		flags += "-tags " + f.Fuzz.Tags + " "
	}
	if f.Kind == "timeout" {
		flags += "-timeout 60s "
	}
	return limited(f, fmt.Sprintf("go test %s-run '^%s$/^seed#0$' %s", flags, fuzzName(f.Fuzz, f.Bucket), path))
}

// FuzzFile returns the file in the package's folder to which the reproducer of a FuzzXxx is copied.
// Findings have different files.
func FuzzFile(f *finding.Finding) string { return "parallax_" + identifier(f.Bucket) + "_test.go" }

// fuzzName returns the name of the second fuzz test.
func fuzzName(h *finding.FuzzHarness, bucket string) string {
	return h.Name + "_" + identifier(bucket)
}

// identifier replaces what cannot be a part of an identifier.
func identifier(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, s)
}

// GoTest is a program of a Script: a FuzzXxx in a tree of its own, which go test runs on the input
// alone. The script writes to nothing in the tree, since an overlay adds the second fuzz test.
type GoTest struct {
	Harness finding.FuzzHarness
	Module  string            // folder of the module
	Dir     string            // folder of the package
	Replace map[string]string // overlay of the tree
}

// WriteScript implements Runner.
func (c *GoTest) WriteScript(w *Writer) error {
	w.Needs(Needs{Command: []string{"go"}, Folders: []string{c.Dir}})
	folder := "go-" + safeName(w.Program.Name)
	source, err := fuzzTest(w.f, &c.Harness, "")
	if err != nil {
		return err
	}
	const place = "FOLDER" // where the script works
	replace := map[string]string{}
	maps.Copy(replace, c.Replace)
	replace[filepath.Join(c.Dir, FuzzFile(w.f))] = place + "/" + TestFile
	overlay, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	w.File(folder+"/"+TestFile, source)
	w.File(folder+"/overlay.json", append(overlay, '\n'))
	w.Prepare("build", fmt.Sprintf(`cp "$here/%s/%s" . && sed "s|\"%s/|\"$folder/|" "$here/%[1]s/overlay.json" >overlay.json`, folder, TestFile, place))
	tags := ""
	if c.Harness.Tags != "" {
		tags = " -tags " + shell.Text(c.Harness.Tags)
	}
	test := fuzzName(&c.Harness, w.f.Bucket)
	w.Run(fmt.Sprintf("cd %s &&\n"+`go test -c -vet=off -overlay "$folder/overlay.json"%s -o "$folder/program" %s &&`+"\ncd %s &&\n"+
		`timeout -s KILL %d "$folder/program" -test.v -test.run %s`,
		shell.Text(c.Module), tags, shell.Text(c.Harness.ImportPath), shell.Text(c.Dir), w.Limit, shell.Text("^"+test+"$/^seed#0$")))
	w.Printf(`if [ "$verdict" != unable ]; then
	if [ "$status" = 137 ]; then verdict=timeout
	elif [ ! -x "$folder/program" ]; then cannot "it does not build"
	elif grep -q -- '--- SKIP: %[1]s/seed#0' "$box/out"; then verdict=rejected
	elif grep -q -- '--- PASS: %[1]s/seed#0' "$box/out"; then verdict=accepted
	else verdict=crashed
	fi
fi
`, test)
	w.Compare("out")
	return nil
}
