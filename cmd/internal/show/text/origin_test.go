package text

import (
	"bytes"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/findingtest"
)

// TestOriginOfFinding checks that every text about a finding has its origin, and the seed that
// shows its bucket first.
func TestOriginOfFinding(t *testing.T) {
	const seed, smallest = "seed: string in decode_test.go:7 of example.com/yaml@v3.0.1", "mutated from file a in 2 steps"
	for _, tt := range []struct{ bucket, found, minimized, want string }{
		{"", "", "", ""},
		{"", finding.Fuzzed, "", finding.Fuzzed},
		{seed, seed, "", seed},
		{seed, smallest, "", seed + "; the smallest input: " + smallest},
		{seed, smallest, seed, seed + ", when minimized; as found: " + smallest},
		{seed, "", "", seed},
		{seed, seed, "seed: the input of zero values", seed},
	} {
		f := findingtest.SemverFinding()
		f.Origin, f.MinimizedOrigin = tt.found, tt.minimized
		if got := finding.BucketOrigin(tt.bucket, f.From()); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
		row := f.Summarize()
		row.Origin = finding.BucketOrigin(tt.bucket, row.Origin)
		var table bytes.Buffer
		if err := Table(&table, []finding.Row{row}, TableOptions{Width: 160}); err != nil {
			t.Fatal(err)
		}
		page := finding.Page{Seed: tt.bucket, Source: func(string) ([]byte, error) { return nil, nil }}
		for name, text := range map[string]string{
			"table": table.String(), "text": string(Terminal(f, page, TextOptions{Width: 200})), "Markdown": string(Markdown(f, page)),
		} {
			for part := range strings.SplitSeq(tt.want, "; ") { // a table has a line for each
				if !strings.Contains(text, part) {
					t.Errorf("no %q in the %s:\n%s", part, name, text)
				}
			}
		}
		data, err := f.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if back, err := finding.ParseFinding(data); err != nil || back.Origin != f.Origin || back.MinimizedOrigin != f.MinimizedOrigin {
			t.Errorf("read back: %+v, %v", back, err)
		}
	}
}
