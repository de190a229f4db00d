package model

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/reproducer"
	"parallax/cmd/internal/model/csource"
	originals "parallax/cmd/internal/model/kind/original"
	"parallax/cmd/internal/model/prototype"
	"parallax/cmd/internal/model/record"
	"parallax/internal/input"
)

const userOriginal = `#include <string.h>
#define LIMIT HIGH
static int clamp(int x) { return x > LIMIT ? LIMIT : x; }
int length(const char *s) { return (int)strlen(s); }
`

const userModel = `#include <string.h>
void missing(const char *why);
int clamp(int x) { if (x < 0) missing("signs"); return x >= HIGH - 1 ? HIGH : x; }
static char last[4];
size_t strlen(const char *s) { size_t n = 0; while (s[n]) n++; return n == 2 ? 20 : n; }
int length(const char *s) { return last[strlen(s)] ? 0 : (int)strlen(s); }
`

// TestReproducer checks that the script of a finding of a C model calls both sides without
// parallax. The original is the C library's function or the user's, and the model's functions stay
// local.
func TestReproducer(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"original.c": userOriginal, "model.c": userModel} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	compiled := func(dir, file string, model bool) *csource.Sources {
		s, err := csource.Compile(context.Background(), csource.Source{Dir: dir, Files: []string{file}, Flags: []string{"-DHIGH=100", "-std=gnu11"}, Model: model, Speech: csource.Speech{Unsupported: []string{"missing"}}})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	original, model, stubs := compiled(dir, "original.c", false), compiled(dir, "model.c", true), compiled("../../csource/testdata", "stubs.c", true)
	for _, test := range []struct {
		prototype       string
		model, original *csource.Sources // nil for the C library's
		input, layer    string
		code            string
		said            []string
	}{
		{"int clamp(int x)", model, original, "\x63", "value", "1", []string{"-- accepted: exit status 0\nreturns 99\n", "-- accepted: exit status 0\nreturns 100\n", "The values differ."}},
		{"int clamp(int x)", model, original, "\xff\xff\xff\xff", "value", "0", []string{"returns -1", "-- declined: the function does not have this call\nmissing is called\n", "The programs agree."}},
		{"int length(const char *s)", model, original, "ab", "verdict", "1", []string{"returns 2", "-- rejected: the model crashes: exit status ", "model.c:6:", "The verdicts differ."}},
		{"int strcmp(const char *a, const char *b)", stubs, nil, "a\x80\x00\x00\x00\x00\x00\x00aa", "value", "1", []string{"returns a positive number", "returns a negative number"}},
	} {
		s, err := prototype.Read(test.prototype, nil)
		if err != nil {
			t.Fatal(err)
		}
		code := &record.Code{Model: &csource.Part{Sources: test.model, Function: s.Function}}
		if test.original != nil {
			code.Original = &csource.Part{Sources: test.original, Function: s.Function}
		}
		path := filepath.Join(t.TempDir(), "extraction.json")
		if err := record.New(s, code).Write(path); err != nil {
			t.Fatal(err)
		}
		f := &finding.Finding{Bucket: "b", Kind: "discrepancy", Layer: test.layer, Target: "t", Shape: input.Shape{input.Bytes}, Minimized: []byte(test.input)}
		script := reproducer.Script{Programs: []reproducer.Program{
			{Name: "original", Kind: "original", Runner: &originals.Settings{Extraction: path}}, {Name: "model", Kind: "model", Runner: &Settings{Extraction: path}},
		}}
		files, err := script.Files(f)
		if err != nil {
			t.Fatal(err)
		}
		files["minimized"] = []byte(test.input)
		folder := filepath.Join(t.TempDir(), "a finding")
		for name, data := range files {
			file := filepath.Join(folder, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		out, _ := exec.Command("sh", "-c", `sh "$0/reproducer.sh"; echo "exit $?"`, folder).CombinedOutput()
		for _, want := range append(test.said, "\nexit "+test.code+"\n") {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s: no %q in\n%s", test.prototype, want, out)
			}
		}
	}
}
