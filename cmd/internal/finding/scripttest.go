package finding

import (
	"encoding/json"
	"fmt"
	"go/build/constraint"
	"go/format"
	"go/token"
	"maps"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/quote"
)

// A GoTest is a FuzzXxx in a tree of its own, as go test runs it on the input alone. Neither the tree nor what is laid over it is
// written to: the go command reads what is added from an overlay.
type GoTest struct {
	Harness FuzzHarness
	Module  string            // folder of the module
	Dir     string            // folder of the package
	Replace map[string]string // what is laid over the tree
}

// Needs implements ScriptRunner.
func (c *GoTest) Needs() ScriptNeeds {
	return ScriptNeeds{Build: true, Command: []string{"go"}, Folders: []string{c.Dir}}
}

// Write implements ScriptRunner.
func (c *GoTest) Write(w *ScriptWriter) error {
	folder := "go-" + safeName(w.Program.Name)
	test := c.Harness.test(w.f.Bucket)
	source, err := c.source(w.f, test)
	if err != nil {
		return err
	}
	const place = "FOLDER" // where the script works
	replace := maps.Clone(c.Replace)
	if replace == nil {
		replace = map[string]string{}
	}
	replace[filepath.Join(c.Dir, c.Harness.File(w.f.Bucket))] = place + "/reproducer_test.go"
	overlay, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	w.File(folder+"/reproducer_test.go", source)
	w.File(folder+"/overlay.json", append(overlay, '\n'))
	w.Prepare("build", fmt.Sprintf(`cp "$here/%s/reproducer_test.go" . && sed "s|\"%s/|\"$folder/|" "$here/%[1]s/overlay.json" >overlay.json`, folder, place))
	tags := ""
	if c.Harness.Tags != "" {
		tags = " -tags " + ShellText(c.Harness.Tags)
	}
	w.Run(fmt.Sprintf("cd %s &&\n"+`go test -c -vet=off -overlay "$folder/overlay.json"%s -o "$folder/program" %s &&`+"\ncd %s &&\n"+
		`timeout -s KILL %d "$folder/program" -test.v -test.run %s`,
		ShellText(c.Module), tags, ShellText(c.Harness.ImportPath), ShellText(c.Dir), w.Limit, ShellText("^"+test+"$/^seed#0$")))
	w.Printf(`if [ "$verdict" != unable ]; then
	if [ "$status" = 137 ]; then verdict=timeout
	elif [ ! -x "$folder/program" ]; then cannot "it does not build"
	elif grep -q -- '--- SKIP: %[1]s/seed#0' "$box/out"; then verdict=rejected
	elif grep -q -- '--- PASS: %[1]s/seed#0' "$box/out"; then verdict=accepted
	else verdict=crashed
	fi
fi
told "exit status $status" "$box/out" "$box/err"
`, test)
	return nil
}

// source is a second fuzz test that calls the harness with the input as its first seed.
func (c *GoTest) source(f *Finding, test string) ([]byte, error) {
	h := c.Harness
	args := quote.Literals(f.Shape, f.Minimized)
	if !token.IsIdentifier(test) || !token.IsIdentifier(h.Package) || len(args) == 0 {
		return nil, fmt.Errorf("finding %s: no reproducer can be written: %q of package %q is no fuzz test, or its input none of %s", f.Bucket, h.Name, h.Package, f.Shape)
	}
	var b strings.Builder
	if h.Constraint != "" {
		expr, err := constraint.Parse("//go:build " + h.Constraint)
		if err != nil {
			return nil, fmt.Errorf("finding %s: no reproducer can be written: %w", f.Bucket, err)
		}
		fmt.Fprintf(&b, "//go:build %s\n\n", expr)
	}
	fmt.Fprintf(&b, "package %s\n\nimport (\n\"math\"\n\"testing\"\n)\n\nvar _ = math.Pi\n\n", h.Package)
	fmt.Fprintf(&b, "// %s runs %s on the input of a finding of parallax.\nfunc %[1]s(f *testing.F) {\n\tf.Add(%[3]s)\n\t%[2]s(f)\n}\n",
		test, h.Name, strings.Join(args, ", "))
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		return nil, fmt.Errorf("finding %s: the reproducer is not valid Go: %w", f.Bucket, err)
	}
	return text, nil
}
