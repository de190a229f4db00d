package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// TestService checks that a model with a service, which is a command, runs in a box.
func TestService(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model.toml")
	if err := os.WriteFile(filepath.Join(dir, "own"), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	load := func(text string) (*Models, error) {
		t.Helper()
		text = "version = 1\n[[model]]\ngo_type = \"./fake.New\"\noriginal = \"./real.New\"\n" + text
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return LoadModels(path)
	}
	for text, want := range map[string][]string{
		"service = [\"redis-server\", \"--save\", \"\"]\n": {"redis-server", "--save", ""},
		"service = [\"./own\"]\nbox = true\n":              {filepath.Join(dir, "own")},
	} {
		f, err := load(text)
		if err != nil {
			t.Fatal(err)
		}
		if g := f.List[0].Go; !slices.Equal(g.Service, want) || !g.Box || !g.BoxGiven {
			t.Errorf("%s: %+v", text, g)
		}
	}
	for text, want := range map[string]string{
		"service = [\"redis-server\"]\nbox = false\n": "model.toml:5:11: service and box = false",
		"service = [\"./none\"]\n":                    "model.toml:5:11: service: ./none: no such file",
		"service = []\n":                              "model.toml:5:11: service is an empty list",
	} {
		_, err := load(text)
		moduletest.WantError(t, err, exit.UsageCode, want)
	}
	for text, want := range map[string]string{
		"[[model]]\ngo = \"./fake.Get\"\n":      `model.toml:2:3: original is missing: the Go function that ./fake.Get is a model of, like original = "strings.ToUpper"`,
		"[[model]]\ngo_type = \"./fake.New\"\n": `model.toml:2:3: original is missing: the Go function that ./fake.New is a model of, like original = "./store.NewDisk"`,
		"[model]\ngo = \"./fake.Get\"\n":        "model.toml:2:2: [model] is one table, and there may be several: write [[model]]",
	} {
		if err := os.WriteFile(path, []byte("version = 1\n"+text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := LoadModels(path)
		moduletest.WantError(t, err, exit.UsageCode, want)
		if text[1] != '[' && strings.Contains(err.Error(), "there is no") {
			t.Error(err)
		}
	}
}

// TestPartial checks the keys of functions that types do not have.
func TestPartial(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.toml")
	load := func(text string) (*Models, error) {
		t.Helper()
		if err := os.WriteFile(path, []byte("version = 1\n[[model]]\noriginal = \"./real.Get\"\n"+text), 0o644); err != nil {
			t.Fatal(err)
		}
		return LoadModels(path)
	}
	f, err := load("go = \"./fake.Get\"\nunsupported = [\"errors.ErrUnsupported\"]\nscope = \"./fake.Meant\"\ncompare = \"set\"\n")
	if err != nil {
		t.Fatal(err)
	}
	if g := f.List[0].Go; !slices.Equal(g.Unsupported, []string{"errors.ErrUnsupported"}) || g.Scope != "./fake.Meant" || g.Compare != "set" {
		t.Errorf("%+v", g)
	}
	if f, err = load("go = \"./fake.Get\"\nscope = \"true\"\n"); err != nil {
		t.Fatal(err)
	} else if g := f.List[0].Go; g.Scope != "" || !g.Declared {
		t.Errorf("all calls: %+v", g)
	}
	for text, want := range map[string]string{
		"go = \"./fake.Get\"\ncompare = \"offset\"\n":      `model.toml:5:11: compare = "offset": choose exact, sign, truth or set`,
		"go = \"./fake.Get\"\nunsupported = [1]\n":         "model.toml:5:16: unsupported is a list of texts",
		"go = \"./fake.Get\"\nscope = \"\"\n":              "model.toml:5:9: scope is empty",
		"go_type = \"./fake.New\"\nscope = \"./fake.M\"\n": `model.toml:5:1: unknown key "scope"`,
	} {
		_, err := load(text)
		moduletest.WantError(t, err, exit.UsageCode, want)
	}
}

// TestGoName checks that a model has the name of its function, or for a New that of its package.
func TestGoName(t *testing.T) {
	for function, want := range map[string]string{
		"./fake.New": "fake", "./fake.NewDisk": "NewDisk", "example.com/m/store.New@v1.2.3": "store", "example.com/store/v2.New": "store", "gopkg.in/store.v3.New": "store.v3",
		"./.New": "New", "../.New": "New", "./fake.Store.New": "fake.Store", "os.Getenv": "Getenv", "New": "New", "": "", "list.New": "list",
	} {
		if got := goName(function); got != want {
			t.Errorf("%s is called %q, not %q", function, got, want)
		}
	}
}
