package parallax_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// using is a package that uses the library. The test runs the go command on it, as users do.
const using = `package using

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"parallax"
)

func parse(s string) (int, error) {
	if s == "" {
		return 0, errors.New("empty")
	}
	return len(s), nil
}

func lenient(b []byte) (int, error) { return len(b), nil }

// odd is right but for long inputs.
func odd(s string) (int, error) {
	n, err := parse(s)
	return n + len(s)/20, err
}

func FuzzAgree(f *testing.F) {
	f.Add("seed")
	parallax.Diff(f, parallax.Impl("a", parse), parallax.Impl("b", parse), parallax.Accepts("a"), parallax.Rejects(""))
}

func FuzzSeed(f *testing.F) {
	f.Add("")
	parallax.Diff(f, parallax.Impl("parse", parse), parallax.Impl("lenient", lenient), parallax.Impl("odd", odd))
}

func FuzzIgnored(f *testing.F) {
	f.Add("")
	parallax.Diff(f, parallax.Impl("parse", parse), parallax.Impl("lenient", lenient),
		parallax.Ignore("lenient takes nothing for something", func(d parallax.Difference) bool { return d.Args[0] == "" }))
}

func FuzzControl(f *testing.F) {
	parallax.Diff(f, parallax.Impl("parse", parse), parallax.Impl("lenient", lenient), parallax.Rejects(""))
}

func FuzzCrash(f *testing.F) {
	f.Add([]byte("x"))
	parallax.Diff(f, parallax.Impl("lenient", lenient), parallax.Impl("broken", func(b []byte) (int, error) { return int(b[len(b)]), nil }))
}

func FuzzDeclined(f *testing.F) {
	f.Add("long enough")
	parallax.Diff(f, parallax.Impl("parse", parse), parallax.Impl("refuses", func(s string) error { return fmt.Errorf("%q: %w", s, parallax.ErrDeclined) }),
		parallax.Precondition(func(s string) bool { return !strings.Contains(s, "enough") }))
}

func FuzzMisuse(f *testing.F) {
	parallax.Diff(f, parallax.Impl("parse", parse))
}

func FuzzFind(f *testing.F) {
	f.Add("seed")
	parallax.Diff(f, parallax.Impl("parse", parse), parallax.Impl("odd", odd))
}
`

// user creates a module with one test file, and returns a function that runs the go command there.
func user(t *testing.T, text string) func(args ...string) (string, error) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	dir := t.TempDir()
	library, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod":        "module example.com/using\n\ngo 1.22\n\nrequire parallax v0.0.0\n\nreplace parallax => " + library + "\n",
		"using_test.go": text,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return func(args ...string) (string, error) {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		// without GOGC=400, the compiler takes four fifths of the time
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "PWD="+dir, "GOGC=400")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
}

// TestDocumentedHarness runs the harness that docs/guides/harness.md explains.
func TestDocumentedHarness(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("docs", "guides", "harness.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(page), "    package addr_test\n")
	text, _, end := strings.Cut(rest, "\n## ")
	if !ok || !end {
		t.Fatal("docs/guides/harness.md has no such harness")
	}
	// the test uses the package without copying it
	text = strings.Replace(text, `"example.com/addr/internal/parallax"`, `"parallax"`, 1)
	command := user(t, "package addr_test\n"+strings.ReplaceAll(text, "\n    ", "\n"))
	if out, err := command("vet", "."); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
	if out, err := command("test", "-v", "."); err != nil || !strings.Contains(out, "PASS: FuzzAddr/seed#3") {
		t.Errorf("go test: %v\n%s", err, out)
	}
}

func TestUnderGoTest(t *testing.T) {
	command := user(t, using)
	if out, err := command("vet", "."); err != nil {
		t.Fatalf("go vet: %v\n%s", err, out)
	}
	cases := []struct {
		name  string
		flags string
		ok    bool
		want  []string // regular expressions
	}{
		{"FuzzAgree", "-v", true, []string{`--- PASS: FuzzAgree/seed#0`, `--- PASS: FuzzAgree/seed#1`, `--- PASS: FuzzAgree/seed#2`}},
		{"FuzzSeed", "", false, []string{`(?m)^ +parallax.go:\d+: implementations disagree \(verdict\); odd one out: lenient$`, `input: ""`,
			`(?m)^ +parse +rejected  empty$`, `(?m)^ +lenient +accepted  0$`, `(?m)^ +odd +rejected  empty$`}},
		{"FuzzIgnored", "-v", true, []string{`ignored: lenient takes nothing for something`}},
		{"FuzzControl", "", false, []string{`control seed not met: every implementation is to have it rejected`, `(?m)^ +lenient  accepted  0$`}},
		{"FuzzCrash", "", false, []string{`broken crashed`, `index out of range \[1\] with length 1`, `using.FuzzCrash.func1\(`, `using_test.go:\d+`}},
		{"FuzzDeclined", "-v", true, []string{`--- SKIP: FuzzDeclined/seed#0`, `declined by every implementation`}},
		{"FuzzMisuse", "", false, []string{`using_test.go:\d+: parallax.Diff: it needs two implementations or more, and has 1`}},
		{"FuzzFind", "", true, nil},
	}
	for _, c := range cases {
		args := append([]string{"test", "-run=^" + c.name + "$"}, strings.Fields(c.flags)...)
		out, err := command(args...)
		if (err == nil) != c.ok {
			t.Errorf("%s: %v\n%s", c.name, err, out)
		}
		for _, want := range c.want {
			if !regexp.MustCompile(want).MatchString(out) {
				t.Errorf("%s: no match for %s in\n%s", c.name, want, out)
			}
		}
	}

	// A finding of Go's own engine is a file on which go test then fails.
	if out, err := command("test", "-run=^$", "-fuzz=^FuzzAgree$", "-fuzztime=100x"); err != nil {
		t.Errorf("go test -fuzz: %v\n%s", err, out)
	}
	if out, err := command("test", "-run=^$", "-fuzz=^FuzzFind$", "-fuzztime=100000x"); err == nil || !strings.Contains(out, "implementations disagree (value)") {
		t.Errorf("go test -fuzz: %v\n%s", err, out)
	}
	if out, err := command("test", "-run=^FuzzFind$"); err == nil || !strings.Contains(out, "implementations disagree (value)") {
		t.Errorf("go test does not replay what was found: %v\n%s", err, out)
	}
}
