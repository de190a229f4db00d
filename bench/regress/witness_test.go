// Package regress checks the pairs of subjects.toml: each witness is run by both versions of its
// module.
package regress

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
)

// Subject is a table of subjects.toml.
type Subject struct {
	Name    string
	Module  string
	Good    string
	Bad     string
	Fuzz    string
	Kind    string
	Control string
	Source  string
	What    string
}

const (
	bothFail     = "both fail"
	noDifference = "no difference"
)

func subjects(t *testing.T) (development []string, list []Subject) {
	var file struct {
		Development []string
		Subject     []Subject
	}
	meta, err := toml.DecodeFile("subjects.toml", &file)
	if err != nil {
		t.Fatal(err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		t.Fatalf("subjects.toml: unknown: %v", unknown)
	}
	return file.Development, file.Subject
}

func TestSubjects(t *testing.T) {
	development, list := subjects(t)
	seen := map[string]bool{}
	for _, s := range list {
		if s.Name == "" || s.Module == "" || s.Good == "" || s.Bad == "" || s.Fuzz == "" || s.What == "" || seen[s.Name] {
			t.Errorf("%q is not complete, or is there twice", s.Name)
		}
		seen[s.Name] = true
		if !slices.Contains([]string{"crash", "output", "hang", "control"}, s.Kind) || (s.Kind == "control") != (s.Control != "") {
			t.Errorf("%s: kind %q, control %q", s.Name, s.Kind, s.Control)
		}
		if !strings.HasPrefix(s.Source, "https://") {
			t.Errorf("%s has no public source", s.Name)
		}
		if s.Control != noDifference {
			if _, err := os.Stat(filepath.Join("testdata", s.Name, "input")); err != nil {
				t.Error(err)
			}
		}
		mod, err := os.ReadFile(filepath.Join("go", s.Name, "go.mod"))
		if err != nil || !strings.Contains(string(mod), s.Module+" "+s.Bad+"\n") {
			t.Errorf("go/%s/go.mod does not require %s %s: %v", s.Name, s.Module, s.Bad, err)
		}
	}
	for _, name := range development {
		if !seen[name] {
			t.Errorf("there is no subject %q", name)
		}
	}
}

// TestWitnesses needs modules, which the go command downloads.
func TestWitnesses(t *testing.T) {
	if testing.Short() {
		t.Skip("it downloads modules")
	}
	_, list := subjects(t)
	for _, s := range list {
		t.Run(s.Name, func(t *testing.T) {
			old, new := prepare(t, s, s.Good), prepare(t, s, s.Bad)
			for _, v := range []*version{old, new} {
				if ok, out := v.test("^" + s.Fuzz + "$/^seed#"); !ok {
					t.Errorf("%s does not pass with its seeds:\n%s", v.name, out)
				}
			}
			switch s.Control {
			case noDifference:
				a, b := old.digest(t), new.digest(t)
				if a != b {
					t.Errorf("%s and %s differ", s.Good, s.Bad)
				}
			case bothFail:
				for _, v := range []*version{old, new} {
					if ok, _ := v.test(v.witness()); ok {
						t.Errorf("%s passes", v.name)
					}
				}
			default:
				if ok, out := old.test(old.witness()); !ok {
					t.Errorf("%s is not right:\n%s", old.name, out)
				}
				ok, out := new.test(new.witness())
				if ok {
					t.Errorf("%s is right", new.name)
				}
				if crashed := strings.Contains(out, "panic: "); crashed != (s.Kind == "crash") && s.Kind != "hang" && s.Name != "esbuild-import" {
					t.Errorf("kind is %s:\n%s", s.Kind, out)
				}
				t.Logf("%s: %s", new.name, first(out))
			}
		})
	}
}

// version is a copy of a harness that requires one version of the module, with the witness among
// its seeds.
type version struct {
	Subject
	name, dir string
	right     bool // it has a test TestRight
}

func prepare(t *testing.T, s Subject, name string) *version {
	v := &version{Subject: s, name: s.Module + " " + name, dir: t.TempDir()}
	if err := os.CopyFS(v.dir, os.DirFS(filepath.Join("go", s.Name))); err != nil {
		t.Fatal(err)
	}
	v.run("edit", "mod", "edit", "-require="+s.Module+"@"+name)
	data := filepath.Join("testdata", s.Name)
	if right, err := os.ReadFile(filepath.Join(data, "right_test.go")); err == nil {
		v.write(t, "right_test.go", string(right))
	}
	input, err := os.ReadFile(filepath.Join(data, "input"))
	if err != nil {
		return v
	}
	v.write(t, filepath.Join("testdata/fuzz", s.Fuzz, "witness"), string(input))
	if _, err := os.Stat(filepath.Join(data, "right_test.go")); err == nil {
		v.right = true
		pkg := regexp.MustCompile(`(?m)^package \w+`).FindString(v.read(t, "fuzz_test.go"))
		lines := strings.Split(strings.TrimSpace(string(input)), "\n")[1:]
		v.write(t, "witness_test.go", pkg+"\n\nimport \"testing\"\n\nfunc TestRight(t *testing.T) {\n\tright(t, "+strings.Join(lines, ", ")+")\n}\n")
	}
	return v
}

// witness is a pattern of tests that fail where the module does wrong.
func (v *version) witness() string {
	if v.right {
		return "^TestRight$"
	}
	return "^" + v.Fuzz + "$/^witness$"
}

// test runs tests. One that takes half a minute has failed.
func (v *version) test(pattern string) (bool, string) {
	return v.run("test", "test", "-mod=mod", "-count=1", "-timeout=30s", "-v", "-run", pattern, ".")
}

// digest returns the digest that TestSame prints.
func (v *version) digest(t *testing.T) string {
	ok, out := v.test("^TestSame$")
	digest := regexp.MustCompile(`SAME [0-9a-f]{64}`).FindString(out)
	if !ok || digest == "" {
		t.Fatalf("%s: %s", v.name, out)
	}
	return digest
}

func (v *version) run(what string, args ...string) (bool, string) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = v.dir, append(os.Environ(), "GOWORK=off", "PWD="+v.dir)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if text := out.String(); err != nil && (what != "test" || strings.Contains(text, "build failed") || strings.Contains(text, "setup failed")) {
		panic(v.name + ": " + text)
	} else if what == "test" && strings.Contains(text, "no tests to run") {
		panic(v.name + ": no test of that name")
	}
	return err == nil, out.String()
}

func (v *version) read(t *testing.T, name string) string {
	b, err := os.ReadFile(filepath.Join(v.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func (v *version) write(t *testing.T, name, text string) {
	path := filepath.Join(v.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// first returns the most useful line of the output of a failed test.
func first(out string) string {
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); strings.Contains(line, "panic: ") || strings.Contains(line, "_test.go:") {
			return line
		}
	}
	return strings.TrimSpace(out)
}
