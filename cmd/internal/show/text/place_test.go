package text

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/internal/input"
)

// TestPlacesAndFurtherInputs checks the notes on places that are uncertain or changed between
// versions. It also checks that further inputs of the bucket are listed and escaped.
func TestPlacesAndFurtherInputs(t *testing.T) {
	f := &finding.Finding{
		Bucket: "b", Kind: "discrepancy", Shape: input.Shape{input.String}, Minimized: []byte("\x01\x00\x00\x00x"),
		Programs: []finding.Program{
			{Name: "weak", Ranked: []finding.Place{{Location: "weak.go:3", Branch: "then", Score: 0.5, With: 2, Without: 6}}},
			{Name: "sure", Ranked: []finding.Place{{Location: "sure.go:4", Branch: "then", Score: 0.9, With: 8, Without: 1, Rejects: true}}},
			{Name: "new", Ranked: []finding.Place{{Location: "new.go:5", Branch: "join", Score: 0.3, Changed: true}}},
		},
	}
	page := finding.Page{Others: []finding.Other{{Input: `"<b>|\x1b"`, Where: []string{"", "sure.go:9"}}}}
	for name, text := range map[string]string{"Markdown": string(Markdown(f, page)), "text": string(Terminal(f, page, TextOptions{Width: 100}))} {
		for _, want := range []string{"Further inputs of this bucket", "sure.go:9", "executed, and other code in the other program"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, text)
			}
		}
		if n := strings.Count(text, "Code after the cause separates as well"); n != 1 {
			t.Errorf("%s has %d reservations, want one:\n%s", name, n, text)
		}
		if strings.Contains(text, "\x1b[31m") {
			t.Errorf("%s has a control sequence", name)
		}
	}
	if text := string(Markdown(f, finding.Page{})); strings.Contains(text, "Further inputs") {
		t.Errorf("a heading without inputs:\n%s", text)
	}
}

// TestCaller checks that a crash in a dependency names the call in the tested code.
func TestCaller(t *testing.T) {
	f := &finding.Finding{
		Kind: "crash", Program: "a", Location: "dep.go:3", Caller: "m.go:7", Shape: input.Shape{input.String}, Minimized: []byte("\x01\x00\x00\x00x"),
		Programs: []finding.Program{{Name: "a", Deciding: "dep.go:3"}, {Name: "b", Deciding: "m.go:9"}},
	}
	text := string(Markdown(f, finding.Page{}))
	if !strings.Contains(text, "At `dep.go:3`, called at `m.go:7`.") || !strings.Contains(text, "At `m.go:9`.") {
		t.Errorf("it lacks the call:\n%s", text)
	}
}

// TestDoubtful checks that a place that explains little is not in the list, and is doubtful on the
// finding's page.
func TestDoubtful(t *testing.T) {
	for _, c := range []struct {
		place finding.Place
		want  bool
	}{
		{finding.Place{Score: 1, Branch: "then"}, true},
		{finding.Place{Score: 0.5, Branch: "then", Rejects: true}, false},
		{finding.Place{Score: 0.3, Branch: "then", Changed: true}, false},
		{finding.Place{Score: 1, Branch: "then", Rejects: true, Function: "github.com/a/toml.(*ParseError).ErrorWithPosition"}, true},
		{finding.Place{Score: 1, Branch: "then", Rejects: true, Function: "a/toml.ParseError.position"}, true},
		{finding.Place{Score: 1, Branch: "then", Rejects: true, Function: "a/toml.(*key).String"}, true},
		{finding.Place{Score: 1, Branch: "then", Rejects: true, Function: "a/errors.v2/toml.(*lexer).next"}, false},
		{finding.Place{Score: 1, Branch: "then", Rejects: true, Function: "a/toml.String"}, false},
		{finding.Place{Score: 1, Branch: "then", Rejects: true, Function: "a/parseerror.Parse"}, false},
		{finding.Place{Score: 1, Branch: "entry", Rejects: true}, false},
		{finding.Place{Score: 1, Branch: "entry", Rejects: true, Forwards: true}, true},
		{finding.Place{Score: 1, Branch: "entry", Forwards: true, Changed: true}, false},
	} {
		c.place.Location = "dir/lex.go:150"
		f := &finding.Finding{Kind: "discrepancy", Layer: "verdict", Shape: input.Shape{input.Bytes}, Minimized: []byte("x"), Programs: []finding.Program{
			{Name: "a"}, {Name: "b", Deciding: c.place.Location, Ranked: []finding.Place{c.place, {Location: "f.go:2", Score: 0.1, Branch: "then"}}},
		}}
		var list bytes.Buffer
		if err := Table(&list, []finding.Row{f.Summarize()}, TableOptions{}); err != nil {
			t.Fatal(err)
		}
		text := string(Terminal(f, finding.Page{}, TextOptions{Width: 100}))
		if listed, perhaps := strings.Contains(list.String(), "perhaps lex.go:150"), strings.Contains(text, "perhaps lex.go:150"); listed != c.want || perhaps != c.want {
			t.Errorf("%+v: listed %v, perhaps %v\n%s", c.place, listed, perhaps, text)
		}
	}
}

// TestSourcesOfVersions checks that each of two versions is shown with its own source. If that is
// gone, no source is shown: the other version's would be wrong.
func TestSourcesOfVersions(t *testing.T) {
	trees := map[string]string{}
	for _, name := range []string{"new", "old"} {
		trees[name] = t.TempDir()
		for file, text := range map[string]string{"go.mod": "module m\n", "f.go": "package m\n\nvar f = \"the " + name + " one\"\n"} {
			if err := os.WriteFile(filepath.Join(trees[name], file), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	place := []finding.Place{{Location: "f.go:3", Branch: "entry"}}
	f := &finding.Finding{Kind: "discrepancy", Shape: input.Shape{input.String}, Minimized: []byte("\x01\x00\x00\x00x"), Programs: []finding.Program{{Name: "new", Ranked: place}, {Name: "old", Ranked: place}}}
	after := func(text, heading string) string {
		_, text, _ = strings.Cut(text, "### `"+heading+"`")
		text, _, _ = strings.Cut(text, "###")
		return text
	}
	show := func() string { return string(Markdown(f, finding.Page{Dir: trees["new"], Trees: trees})) }
	for _, name := range []string{"new", "old"} {
		if text := after(show(), name); strings.Count(text, " one") != 1 || !strings.Contains(text, "the "+name+" one") {
			t.Errorf("of %s is shown:\n%s", name, text)
		}
	}
	os.RemoveAll(trees["old"])
	if text := after(show(), "old"); strings.Contains(text, " one") || !strings.Contains(text, "no longer in the folder") {
		t.Errorf("of a version that is gone is shown:\n%s", text)
	}
}
