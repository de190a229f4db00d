package config

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/program/normalize"
	"parallax/cmd/internal/subject/kinds"
)

// TestDocumented checks that the page has each key, kind and normalizer, and that the whole files
// on pages load. Kinds that only parallax model writes, and their keys, are in docs/dev/models.md.
func TestDocumented(t *testing.T) {
	docs := filepath.Join("..", "..", "..", "..", "docs")
	page, err := os.ReadFile(filepath.Join(docs, "reference", "configuration.md"))
	if err != nil {
		t.Fatal(err)
	}
	models, err := os.ReadFile(filepath.Join(docs, "dev", "models.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(page) + string(models)
	words := slices.Concat(keysOfAll, limits.Keys, []string{
		"version", "repair", "seeds", "dictionary", "grammar", "generator", "max_bytes", "layers", "accepted", "match", "programs",
		"input", "text", "expect", "clock", "inherit", "set", "exit", "build",
	})
	for _, kind := range kinds.Table {
		words = append(words, kind.Keys...)
		if !strings.Contains(text, "### kind = \""+kind.Name+"\"") && !strings.Contains(string(models), "| `"+kind.Name+"` |") {
			t.Errorf("kind %s is not documented", kind.Name)
		}
	}
	for _, word := range words {
		if !strings.Contains(text, "`"+word+"`") {
			t.Errorf("key %s is not documented", word)
		}
	}
	for _, name := range normalize.Names {
		if !strings.Contains(text, "| `\""+name+"\"` |") {
			t.Errorf("normalizer %s is not documented", name)
		}
	}
	for _, name := range DefaultInherit {
		if !strings.Contains(text, `"`+name+`"`) {
			t.Errorf("variable %s is not documented", name)
		}
	}
	whole := 0
	for _, name := range []string{filepath.Join("reference", "configuration.md"), filepath.Join("guides", "comparing-languages.md")} {
		page, err := os.ReadFile(filepath.Join(docs, name))
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(docs, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
			file := block[1]
			if strings.HasPrefix(file, "version") {
				whole++
			} else {
				file = "version = 1\n" + file + two
			}
			if _, problems := parse([]byte(file), "/x/parallax.toml", everything{info}); len(problems) > 0 {
				t.Errorf("%s:\n%s%s", name, file, problemText("", problems))
			}
		}
	}
	if whole < 2 {
		t.Errorf("%d whole files on the pages", whole)
	}
}
