package config

import (
	"os"
	"path/filepath"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// TestModelsOfNode checks the mistakes in models in JavaScript.
func TestModelsOfNode(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model.toml")
	load := func(text string) (*Models, error) {
		t.Helper()
		for name, text := range map[string]string{"m.mjs": "", "model.toml": "version = 1\n[[model]]\n" + text} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return LoadModels(path)
	}
	const right = "node = \"./m.mjs#a.flat\"\noriginal = \"Array.prototype.flat\"\narguments = [\"any\", \"integer\"]\n"
	f, err := load(right + "this = true\ntexts = [\" \", \"a\"]\nunsupported = \"E_LATER\"\nscope = \"./m.mjs#meant\"\n")
	if err != nil {
		t.Fatal(err)
	}
	if m := f.List[0]; m.Function != "flat" || m.Node.Model.Names != "a.flat" || !m.Node.This || len(m.Node.Texts) != 2 || m.Node.Scope.Names != "meant" || m.Node.Unsupported[0] != "E_LATER" {
		t.Errorf("%+v %+v", m, m.Node)
	}
	if f, err := load(right + "scope = \"true\"\n"); err != nil || !f.List[0].Node.Declared || f.List[0].Node.Scope.Names != "" {
		t.Errorf("all calls are meant: %v", err)
	}
	for text, set := range map[string]bool{"": false, "compare = \"exact\"\n": false, "compare = \"set\"\n": true} {
		if f, err := load(right + text); err != nil || f.List[0].Node.Set != set {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"node = \"./m.mjs#\"\noriginal = \"Array.of\"\narguments = []\n":                   `model.toml:3:8: "./m.mjs#" names no function`,
		"node = \"./none.mjs#f\"\noriginal = \"Array.of\"\narguments = [\"any\"]\n":        "model.toml:3:8: node: ./none.mjs: no such file",
		"node = \"./m.mjs#f\"\narguments = [\"any\"]\n":                                    "model.toml:2:3: original is missing: the function that node models",
		"node = \"./m.mjs#f\"\noriginal = \"./none.mjs#f\"\narguments = [\"any\"]\n":       "model.toml:4:12: original: ./none.mjs: no such file",
		"node = \"./m.mjs#f\"\noriginal = \"Array.of\"\n":                                  "model.toml:2:3: arguments is missing: their types",
		"node = \"./m.mjs#f\"\noriginal = \"Array.of\"\narguments = [\"any\", \"text\"]\n": `model.toml:5:13: there is no type "text"`,
		"node = \"./m.mjs#f\"\noriginal = \"Array.of\"\narguments = []\nthis = true\n":     "model.toml:6:8: this = true: the function is called as a method of the first argument",
		right + "texts = [\"a\", \"\"]\n":                                                  "model.toml:6:15: a text that strings are made of is empty: leave it out",
		right + "name = \"a/b\"\n":                                                         `model.toml:6:8: name = "a/b" is also the name of a folder`,
		right + "scope = \"./none.mjs#meant\"\n":                                           "model.toml:6:9: scope: ./none.mjs: no such file",
		right + "compare = \"sign\"\n":                                                     `model.toml:6:11: compare = "sign": choose exact or set`,
	} {
		_, err := load(text)
		moduletest.WantError(t, err, exit.UsageCode, want)
	}
}
