package config

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/gocommand/moduletest"
)

// A model that has a service runs in a box, and what the service is, is a command.
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
}
