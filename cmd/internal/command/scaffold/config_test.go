package scaffold

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/subject/config"
)

// TestConfig checks that the written configuration works, also with the commented keys.
func TestConfig(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"parallax.toml", "sub/json.toml"} {
		r, err := Config(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		if want := "parallax diff " + name + " --fuzztime 30s"; len(r.Done) != 3 || r.Next[0] != want {
			t.Errorf("%+v, want %s", r, want)
		}
		path := filepath.Join(dir, name)
		f, err := config.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Programs) != 2 || len(f.Controls) != 2 || len(f.Input.Seeds) != 1 {
			t.Errorf("%+v", f)
		}
		for _, example := range exampleSeeds {
			if seed, err := os.ReadFile(filepath.Join(f.Input.Seeds[0], example.name)); err != nil || string(seed) != example.text {
				t.Errorf("%q, %v", seed, err)
			}
		}
		text, _ := os.ReadFile(path)
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), "harness"), nil, 0o777); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		for i, line := range lines {
			if key := strings.TrimPrefix(line, "# "); key != line && (strings.Contains(key, " = ") && !strings.Contains(key, ". ") || strings.HasPrefix(key, "[")) {
				lines[i] = key
			}
		}
		all := strings.Join(lines, "\n")
		if err := os.WriteFile(path, []byte(all), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := config.Load(path); err == nil || strings.Count(err.Error(), "\n") > 0 || !strings.Contains(err.Error(), "tokens.dict: no such file") {
			t.Errorf("with all keys: %v\n%s", err, all)
		}
	}
}

func TestConfigOverwritesNothing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"parallax.toml": "mine", "a-seeds": "mine", "b-seeds/example.json": "mine"})
	for name, want := range map[string]string{
		"parallax.toml": "exists already",
		"a.toml":        "is not a folder, and the seeds go there",
		"gone/x.toml":   "there is no folder gone",
	} {
		if _, err := Config(dir, name); exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if r, err := Config(dir, "b.toml"); err != nil || len(r.Done) != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	for _, name := range []string{"parallax.toml", "a-seeds", "b-seeds/example.json"} {
		if text, _ := os.ReadFile(filepath.Join(dir, name)); string(text) != "mine" {
			t.Errorf("%s was changed to %q", name, text)
		}
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 4 {
		t.Errorf("the folder holds %v", entries)
	}
}
