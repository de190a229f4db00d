package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// TestFleetFiles checks that the manifests of examples/fleet can be read, and that their commands
// have these flags.
func TestFleetFiles(t *testing.T) {
	for file, commands := range map[string]int{"compose.yaml": 2, "kubernetes.yaml": 2} {
		data, err := os.ReadFile(filepath.Join("..", "..", "examples", "fleet", file))
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		var walk func(value any)
		walk = func(value any) {
			switch v := value.(type) {
			case map[string]any:
				if c, ok := v["command"]; ok {
					words := strings.Fields(strings.Trim(fmt.Sprint(c), "[]"))
					for i, w := range words {
						if filepath.Base(w) == "parallax" {
							checkFlags(t, file, words[i+1:])
							found++
						}
					}
				}
				for _, inner := range v {
					walk(inner)
				}
			case []any:
				for _, inner := range v {
					walk(inner)
				}
			}
		}
		for d := yaml.NewDecoder(bytes.NewReader(data)); ; {
			var doc map[string]any
			err := d.Decode(&doc)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			walk(doc)
		}
		if found != commands {
			t.Errorf("%s has %d commands of parallax, want %d", file, found, commands)
		}
	}
}

// TestFleetSchemas validates the manifests of examples/fleet by the schemas of Compose and
// Kubernetes, with tools of Python's package index.
func TestFleetSchemas(t *testing.T) {
	if testing.Short() {
		t.Skip("installs tools of Python's package index")
	}
	env := filepath.Join(t.TempDir(), "env")
	run := func(need, name string, args ...string) {
		t.Helper()
		if out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s%s", name, err, out, need)
		}
	}
	run("install python3-venv", "python3", "-m", "venv", env)
	run("this needs Python's package index", filepath.Join(env, "bin", "pip"), "-q", "install", "check-jsonschema==0.39.0", "kubernetes-validate==1.37.0")
	fleet := filepath.Join("..", "..", "examples", "fleet")
	run("", filepath.Join(env, "bin", "check-jsonschema"), "--builtin-schema", "vendor.compose-spec", filepath.Join(fleet, "compose.yaml"))
	run("", filepath.Join(env, "bin", "kubernetes-validate"), "--strict", filepath.Join(fleet, "kubernetes.yaml"))
}

// checkFlags checks that a command of parallax has the flags of a line.
func checkFlags(t *testing.T, file string, words []string) {
	t.Helper()
	c, _, err := newRoot().Find(words)
	if err != nil || c.Parent() == nil {
		t.Errorf("%s: parallax %s: no command: %v", file, words[0], err)
		return
	}
	for _, w := range words[1:] {
		if name, ok := strings.CutPrefix(w, "--"); ok && c.Flags().Lookup(name) == nil {
			t.Errorf("%s: parallax %s has no flag --%s", file, c.Name(), name)
		}
	}
}
