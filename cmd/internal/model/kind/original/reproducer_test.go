package original

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"parallax/cmd/internal/program"
)

// TestProgram checks that the C program of a call prints the effect of the campaign's original:
// results, pointers, written and stored memory.
func TestProgram(t *testing.T) {
	for _, test := range []struct{ function, input, want string }{
		{"memchr", "b\x00\x00\x00\x04ab", "returns arg_0+1"},
		{"strchr", "z\x00\x00\x00ab", "returns NULL"},
		{"strcmp", "ab\x00\x00b", "returns a negative number"},
		{"isdigit", "7", "returns not 0"},
		{"atoi", " -12", "returns -12"},
		{"strlen", "abc", "returns 3"},
		{"strncpy", "\x04zzzz\"??\n", `returns arg_0, writes "\"?\?\n" at arg_0+0`},
		{"strtol", "\x0a\x00\x00\x0042x", "returns 42, stores arg_0+2 in *arg_1"},
	} {
		e, err := open(&Settings{Extraction: kept(t, test.function)})
		if err != nil {
			t.Fatal(err)
		}
		obs := make([]program.Observation, 1)
		if err := e.Execute(context.Background(), [][]byte{[]byte(test.input)}, obs); err != nil {
			t.Fatal(err)
		}
		sig := e.original.Signature
		c := sig.Decode([]byte(test.input))
		source, err := sig.Program(c, sig.Comparator(), sig.Function)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, sourceFile), []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
		build := exec.Command("cc", "-Wall", "-Wno-format-extra-args", "-fno-builtin", "-o", "call", sourceFile)
		build.Dir = dir
		if out, err := build.CombinedOutput(); err != nil || len(out) > 0 {
			t.Fatalf("%s: %v\n%s\n%s", sig.Quote(c), err, out, source)
		}
		out, err := exec.Command(filepath.Join(dir, "call")).CombinedOutput()
		if err != nil || string(out) != test.want+"\n" || string(obs[0].Value) != test.want {
			t.Errorf("%s: the program prints %q (%v), the campaign has %q; wanted %q", sig.Quote(c), out, err, obs[0].Value, test.want)
		}
	}
}
