package report

import (
	"strings"
	"testing"

	"parallax/internal/input"
)

// A place that hardly separates is told with a reservation, one that was changed between versions with that, and further inputs
// of the bucket are listed, escaped.
func TestPlacesAndFurtherInputs(t *testing.T) {
	f := &Finding{
		Bucket: "b", Kind: "discrepancy", Shape: input.Shape{input.String}, Minimized: []byte("\x01\x00\x00\x00x"),
		Programs: []Program{
			{Name: "weak", Ranked: []Place{{Location: "weak.go:3", Branch: "then", Score: 0.5, With: 2, Without: 6}}},
			{Name: "sure", Ranked: []Place{{Location: "sure.go:4", Branch: "then", Score: 0.9, With: 8, Without: 1}}},
			{Name: "new", Ranked: []Place{{Location: "new.go:5", Branch: "join", Score: 0.3, Changed: true}}},
		},
	}
	page := Page{Others: []Other{{Input: `"<b>|\x1b"`, Where: []string{"", "sure.go:9"}}}}
	for name, text := range map[string]string{"Markdown": string(f.Markdown(page)), "text": string(f.Text(page, TextOptions{Width: 100}))} {
		for _, want := range []string{"Further inputs of this bucket", "sure.go:9", "executed, and other code in the other program"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, text)
			}
		}
		if n := strings.Count(text, "No place separates well"); n != 1 {
			t.Errorf("%s has %d reservations, want one:\n%s", name, n, text)
		}
		if strings.Contains(text, "\x1b[31m") {
			t.Errorf("%s has a control sequence", name)
		}
	}
	if text := string(f.Markdown(Page{})); strings.Contains(text, "Further inputs") {
		t.Errorf("a heading without inputs:\n%s", text)
	}
}
