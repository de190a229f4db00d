package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/program/c"
)

const versions = `version = 1
[input]
seeds = "seeds"
[limits]
timeout = "3s"
[regress]
build = ["make", "-j2", "", "fuzz"]
binary = "out/fuzz_x"
args = ["-x"]
[[control]]
text = "a"
expect = "accepted"
[[control]]
text = "b"
expect = "rejected"
programs = ["old"]
[[compare.class]]
name = "end"
match = "EOF"
programs = ["new", "old"]
`

func TestRegress(t *testing.T) {
	dir := folder(t, files)
	path := filepath.Join(dir, FileName)
	if err := os.WriteFile(path, []byte(versions), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if g := f.Regress; !slices.Equal(g.Build, []string{"make", "-j2", "", "fuzz"}) || g.Binary != "out/fuzz_x" || !slices.Equal(g.Args, []string{"-x"}) || g.At.Line != 6 {
		t.Errorf("%+v", g)
	}
	if err := f.Comparable(); exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), "parallax regress parallax.toml") {
		t.Errorf("a file without programs can be compared: %v", err)
	}
	if alone := f.Versions(Built{"/a/x", "/a", ""}); len(alone.Programs) != 1 || alone.Programs[0].Name != "new" || len(alone.Controls) != 1 {
		t.Errorf("the new version alone: %+v", alone)
	}
	pair := f.Versions(Built{"/a/x", "/a", ""}, Built{"/b/x", "/b", "123"})
	if len(f.Programs) > 0 || len(pair.Controls) != 2 || len(pair.Compare.Classes) != 1 || pair.Comparable() != nil {
		t.Errorf("the pair is %+v", pair)
	}
	for i, p := range pair.Programs {
		want := [...]string{"new /a /a/x", "old /b /b/x"}[i]
		if got := p.Name + " " + p.Dir + " " + p.Settings.Runs(); got != want || p.Limits != f.Limits || p.Settings.(*c.Settings).Args[0] != "-x" {
			t.Errorf("program %q of %+v, want %q", got, p, want)
		}
	}

	// Commands on a campaign find the versions again while their binaries exist.
	var there []Built
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o777); err != nil {
			t.Fatal(err)
		}
		there = append(there, Built{filepath.Join(dir, name), dir, name})
	}
	if same, err := f.Restore(map[string]string{}); same != f || err == nil {
		t.Errorf("a campaign of other programs is on %+v, %v", same, err)
	}
	if again, err := f.Restore(f.Versions(there...).Stored()); err != nil || !slices.Equal(again.Built, there) {
		t.Errorf("found again: %+v, %v", again, err)
	}
	if _, err := f.Restore(pair.Stored()); exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), "new version is not in the cache") {
		t.Errorf("what is gone is found again: %v", err)
	}

	// A file with its own programs can be compared. The keys of these programs do not matter to the
	// versions.
	if err := os.WriteFile(path, []byte("version = 1\nregress = { build = ['make'], binary = 'x' }\n"+two+"[[control]]\ntext = 'a'\nexpect = 'accepted'\nprograms = ['a']\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if f, err = Load(path); err != nil || f.Comparable() != nil {
		t.Fatal(err)
	}
	if pair = f.Versions(there...); len(pair.Programs) != 2 || len(pair.Controls) != 0 || len(f.Controls) != 1 {
		t.Errorf("the pair is %+v", pair)
	}
}
