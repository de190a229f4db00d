package config

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parallax/cmd/internal/base/exit"
)

// TestModelsOfC checks the keys of C models and of their originals.
func TestModelsOfC(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model.toml")
	load := func(text string) (*Models, error) {
		t.Helper()
		for name, text := range map[string]string{"stubs.c": "", "own.c": "", "model.toml": "version = 1\n[[model]]\nprototype = \"int f(const char *s, int n)\"\nmodel = \"stubs.c\"\n" + text} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return LoadModels(path)
	}
	const said = "model_function = \"stub_f\"\nunsupported = \"gap\"\nassume = [\"must\"]\nany = \"value\"\nflags = [\"-DX=1\", \"-I\", \"include\"]\ncompare = \"truth\"\n" +
		"[[model.parameter]]\nname = \"s\"\nelements = 3\nnull = true\n"
	for _, original := range []string{"original = \"libc\"\n", "original = [\"own.c\"]\noriginal_function = \"own_f\"\n"} {
		f, err := load(original + said)
		if err != nil {
			t.Fatal(err)
		}
		m := f.List[0]
		own := strings.Contains(original, "own.c")
		if own != (len(m.Originals) == 1 && m.OriginalFunction == "own_f") || m.ModelFunction != "stub_f" || m.Speech.Unsupported[0] != "gap" || m.Speech.Assume[0] != "must" ||
			m.Speech.Any[0] != "value" || len(m.Flags) != 3 || m.Compare != "truth" || m.Signature.Arguments[0].Bytes != 4 || !m.Signature.Arguments[0].Nullable {
			t.Errorf("%s: %+v", original, m)
		}
	}
	twice := "name = \"f-once\"\n[[model]]\nname = \"f.twice\"\nprototype = \"int f(const char *s, int n)\"\nmodel = \"own.c\""
	if f, err := load(twice); err != nil || f.List[0].Function != "f-once" || f.List[1].Function != "f.twice" || f.List[1].Signature.Function != "f" {
		t.Errorf("two models of one function: %v", err)
	}
	for text, want := range map[string]string{
		"name = \"../f\"\n":                                         `model.toml:5:8: name = "../f" is also the name of a folder`,
		"name = \"\"\n":                                             "model.toml:5:8: name is empty",
		"flags = \"-O2\"\n":                                         `model.toml:5:9: the flag "-O2" of a C file cannot be used`,
		"original = \"none.c\"\n":                                   "model.toml:5:12: original: none.c: no such file or directory",
		"arguments = [\"s\", \"n\"]\n":                              `model.toml:5:1: unknown key "arguments"`,
		"compare = \"set\"\n":                                       `model.toml:5:11: compare = "set": a result of a C function is a number or a pointer, which has no order to leave out: choose exact, sign`,
		"compare = \"offset\"\n":                                    `model.toml:5:11: compare = "offset" does not fit the result of f`,
		"[[model.parameter]]\nname = \"x\"\nnull = true\n":          `there is no parameter called x`,
		"[[model.parameter]]\nname = \"n\"\nvalue = \"x\"\n":        `column 26: parameter n: value = "x" is no signed number of 32 bits`,
		"[[model.parameter]]\nname = \"s\"\nelements = 100000\n":    `model.toml:7:12: elements = 100000: choose 1 to 4096`,
		"[[model]]\nprototype = \"int f(void)\"\nmodel = \"own.c\"": "a second model of f: the first is in line 2. Give one of them another name (name = ...)",
	} {
		if _, err := load(text); exit.Code(err) != exit.UsageCode || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; not %s", text, err, want)
		}
	}
}

// TestModelsThatNeverEnd checks that a model that is a pipe, and so may never end, is rejected
// before it is read.
func TestModelsThatNeverEnd(t *testing.T) {
	dir := t.TempDir()
	path, pipe := filepath.Join(dir, "model.toml"), filepath.Join(dir, "pipe.smt2")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "zero.smt2")); err != nil {
		t.Fatal(err)
	}
	for _, head := range []string{"prototype = \"int abs(int x)\"\n", "php = \"abs(int $x): int\"\n"} {
		for _, name := range []string{"/dev/zero", "zero.smt2", "pipe.smt2", "."} {
			if err := os.WriteFile(path, []byte("version = 1\n[[model]]\n"+head+"model = \""+name+"\"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			want := "model.toml:4:9: model: " + name + " is no regular file"
			if _, err := LoadModels(path); exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), want) {
				t.Errorf("%s%v; not %s", head, err, want)
			}
		}
	}
}
