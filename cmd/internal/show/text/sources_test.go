package text

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
)

// TestForeignPlace checks that reports do not show files that a damaged or foreign record names.
func TestForeignPlace(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"secret.txt", "mine.go"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("one\nline two of "+name+"\nthree\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, shown := range map[string]bool{"secret.txt": false, "mine.go": true} {
		for _, file := range []string{name, filepath.Join(dir, name)} {
			f := &finding.Finding{Kind: "crash", Programs: []finding.Program{{Name: "a", Deciding: file + ":2", Ranked: []finding.Place{{Location: file + ":2"}}}}}
			page := finding.Page{Dir: dir}
			if got := string(Markdown(f, page)) + string(Terminal(f, page, TextOptions{Width: 100})); strings.Contains(got, "line two of") != shown {
				t.Errorf("%s: lines are shown: %v", file, !shown)
			}
		}
	}
}
