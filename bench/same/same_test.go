package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	a := recording{[]result{
		{Name: "one", Inputs: 10, Files: []file{{"out/a", "1"}, {"out/b", "2"}}},
		{Name: "two", Files: []file{{"out/a", "1"}}},
		{Name: "three"},
	}}
	b := recording{[]result{
		{Name: "two", Files: []file{{"out/a", "1"}}},
		{Name: "one", Inputs: 12, Files: []file{{"out/b", "3"}, {"out/c", "2"}}},
	}}
	names := []string{"one", "two", "three"}
	for _, test := range []struct {
		a, b recording
		same bool
		want []string
	}{
		{a, a, true, []string{"0 of 3 campaigns differ\n"}},
		{a, b, false, []string{"10/12", "DIFFERS -out/a out/b +out/c\n", "1 of 2 campaigns differ; 1 are in one recording only"}},
		{b, a, false, []string{"12/10", "DIFFERS +out/a out/b -out/c\n"}},
	} {
		var out strings.Builder
		same, err := compare(&out, test.a, test.b, names)
		if err != nil || same != test.same {
			t.Errorf("%v, %v", same, err)
		}
		for _, want := range test.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("no %q in\n%s", want, out.String())
			}
		}
	}
	var out strings.Builder
	if same, err := compare(&out, a, recording{}, names); same || err == nil {
		t.Errorf("nothing in common: %v, %v", same, err)
	}
}

// TestExcept checks that excluded files are not compared, and that the recording keeps them.
func TestExcept(t *testing.T) {
	r := recording{[]result{{Name: "one", Files: []file{{"out/log.txt", "1"}, {"out/tuples.log", "2"}, {"step-01.stderr", "3"}}}}}
	got := r.without(regexp.MustCompile(`^step-|log\.txt$`))
	if files := got.Campaigns[0].Files; len(files) != 1 || files[0].Name != "out/tuples.log" || len(r.Campaigns[0].Files) != 3 {
		t.Errorf("%v of %v", got, r)
	}
}

// TestEnumerate checks that only the first files are named.
func TestEnumerate(t *testing.T) {
	if got := enumerate(strings.Fields("a b c d e f g h")); got != "a b c d e f and 2 more" {
		t.Error(got)
	}
}

func TestChoose(t *testing.T) {
	all := []campaign{{name: "go-one", quick: true}, {name: "go-two"}, {name: "c-one"}}
	for _, test := range []struct {
		only  string
		quick bool
		want  string
	}{{"", false, "go-one go-two c-one"}, {"^go-", false, "go-one go-two"}, {"", true, "go-one"}} {
		chosen, err := choose(all, test.only, test.quick)
		var names []string
		for _, c := range chosen {
			names = append(names, c.name)
		}
		if got := strings.Join(names, " "); err != nil || got != test.want {
			t.Errorf("-only %q: %s, %v", test.only, got, err)
		}
	}
	for _, only := range []string{"nothing", "("} {
		if _, err := choose(all, only, false); err == nil {
			t.Errorf("-only %q is no error", only)
		}
	}
}

// TestCampaigns checks that names are folders, and that -only selects by them.
func TestCampaigns(t *testing.T) {
	seen := map[string]bool{}
	quick := 0
	for _, c := range campaigns() {
		if seen[c.name] || c.name == "" || strings.ContainsAny(c.name, "/ ") || len(c.steps) == 0 {
			t.Errorf("%q: a name of two, no name for a folder, or no steps", c.name)
		}
		seen[c.name] = true
		if c.quick {
			quick++
		}
	}
	if quick == 0 {
		t.Error("-quick is empty")
	}
}

// TestPlant checks that a tree is named by its content, and is not used after a change of that.
func TestPlant(t *testing.T) {
	root, temp := t.TempDir(), t.TempDir()
	write := func(name, data string) {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range planted {
		write(strings.ReplaceAll(name, "*", "doc"), "1")
	}
	if _, err := plant(t.TempDir(), temp); err == nil {
		t.Error("an empty folder is a repository")
	}
	first, err := plant(root, temp)
	if err != nil {
		t.Fatal(err)
	}
	write("examples.parallax/left", "not copied") // next to the planted files
	if again, err := plant(root, temp); err != nil || again != first {
		t.Errorf("%s, %s, %v", first, again, err)
	}
	write("doc.go", "2")
	if other, err := plant(root, temp); err != nil || other == first || len(other) != len(first) {
		t.Errorf("%s, %s, %v", first, other, err)
	}
	write("doc.go", "1")
	if err := os.WriteFile(filepath.Join(first, "doc.go"), []byte("2"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := plant(root, temp); err == nil {
		t.Error("a tree that was changed is used")
	}
}
