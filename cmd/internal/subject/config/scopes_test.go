package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
)

// TestScopes checks a table of scopes, and the place of each mistake in one.
func TestScopes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scopes.toml")
	load := func(text string) (*Scopes, error) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return LoadScopes(path)
	}
	const one = "version = 1\n[[scope]]\nfunction = \"toupper\"\nholds = \"true\"\n"
	s, err := load(one + "source = \"its comment:\\nASCII\"\n[[scope]]\nfunction = \"atoi\"\nholds = \"false\"\n")
	if err != nil {
		t.Fatal(err)
	}
	if d := s.Find("toupper"); d == nil || d.Holds != "true" || d.Source != "its comment: ASCII" || d.FunctionAt != (Position{Line: 3, Column: 12}) || d.HoldsAt != (Position{Line: 4, Column: 9}) {
		t.Errorf("%+v", d)
	}
	var none *Scopes
	if s.Find("atoi").Source != "" || s.Find("abs") != nil || none.Find("abs") != nil {
		t.Error("what is declared of others")
	}
	for text, want := range map[string]string{
		"version = 1\n[scope]\nfunction = \"f\"\n": "scopes.toml:2:2: [scope] is one table, and there may be several: write [[scope]]",
		"version = 1":                       "scopes.toml:1:1: there is no [[scope]]",
		"version = 1\n[[scope]]\nholds = 1": "scopes.toml:2:3: function is missing",
		"version = 1\n[[scope]]\nfunction = \"f\"\nhold = \"true\"": `scopes.toml:4:1: unknown key "hold" in [[scope]] (did you mean "holds"?)`,
		one + "source = \"\"": "scopes.toml:5:10: source is empty",
		one + "[[scope]]\nfunction = \"toupper\"\nholds = \"true\"\n":  "scopes.toml:6:12: a second scope of toupper: the first is in line 3",
		"version = 1\n[[scope]]\nfunction = \"f\"\nsource = \"a man\"": "scopes.toml:2:3: holds is missing",
	} {
		if _, err := load(text); exit.Code(err) != exit.UsageCode || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; not %s", text, err, want)
		}
	}
}
