package text

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
)

// TestEdited checks that only edits of the lines at the places of a finding count. A page of older
// sources shows no source lines.
func TestEdited(t *testing.T) {
	source := func(line int, text string) string {
		lines := strings.Split(strings.Repeat("plain\n", 20), "\n")
		lines[line-1] = text
		return strings.Join(lines, "\n")
	}
	for _, test := range []struct {
		name   string
		now    string // empty means that the file is gone
		places []finding.Place
		want   bool
	}{
		{"the same", source(5, "if"), nil, false},
		{"the line", source(5, "for"), nil, true},
		{"a line above", "new\n" + source(5, "if"), nil, true},
		{"a line below", source(5, "if") + "new\n", nil, false},
		{"a line far away", strings.Replace(source(5, "if"), "plain\n", "other\n", 1), nil, false},
		{"too short", "if\n", nil, true},
		{"gone", "", nil, false},
		{"the second place", strings.TrimSuffix(source(5, "if"), "plain\nplain\nplain\n") + "other\nplain\nplain\n", []finding.Place{{Location: "a.go:5", Branch: "then"}, {Location: "a.go:18", Branch: "then"}}, true},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "a.go")
		if err := os.WriteFile(file, []byte(source(5, "if")), 0o644); err != nil {
			t.Fatal(err)
		}
		f := &finding.Finding{Kind: "crash", Programs: []finding.Program{{Name: "a", Deciding: "a.go:5", Ranked: test.places}, {Name: "b"}}}
		page := finding.Page{Dir: dir}
		RecordSources(f, page)
		if f.Programs[0].Sources == "" || f.Programs[1].Sources != "" {
			t.Errorf("%s: hashes %q and %q", test.name, f.Programs[0].Sources, f.Programs[1].Sources)
		}
		err := os.WriteFile(file, []byte(test.now), 0o644)
		if test.now == "" {
			err = os.Remove(file)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := Edited(f, page); got != test.want {
			t.Errorf("%s: edited is %v", test.name, got)
		}
		page.Older = true
		if got := string(Markdown(f, page)); strings.Contains(got, "plain") || !strings.Contains(got, OlderNote) || !strings.Contains(got, "formerly `a.go:5`") {
			t.Errorf("%s: the page of older sources:\n%s", test.name, got)
		}
	}
}
