package formats

import (
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
)

// TestOlder checks that the formats mark a finding whose lines are of older sources.
func TestOlder(t *testing.T) {
	f := bucket("crash", "", "aaaa", "in", "p/p.go:12", program("a", "crashed", "no", "p/p.go:12"))
	f.Row.Older, f.Page.Older = true, true
	r := &Report{Targets: []Target{{Name: "t", Summary: &finding.Summary{}, Findings: []Placed{f}}}}
	sarif, err := r.Sarif()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"SARIF": string(sarif), "annotations": string(r.Annotations()), "Markdown": string(r.Markdown(1 << 20))} {
		if !strings.Contains(text, "lines of older sources") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}
