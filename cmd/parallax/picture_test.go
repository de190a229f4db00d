package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"parallax/cmd/internal/base/browsertest"
)

// TestReportPicture checks that the picture of the HTML report matches the page that its campaign
// has now. With -update it draws the picture again.
func TestReportPicture(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a campaign")
	}
	const pictures = "../../docs/pictures"
	u := newTool(t)
	dir := t.TempDir()
	r := u.diffIn(t, filepath.Join(dir, "campaign"), []string{"encoding/json.Unmarshal", "github.com/json-iterator/go.Unmarshal@v1.1.12"},
		"--fuzztime", "50000x", "--seed", "1", "--parallel", "1")
	r.exits(t, 1)
	page := filepath.Join(dir, "report.html")
	report := u.command(t, "report", "--campaign", "campaign", "--to", page)
	report.Dir = dir
	if out, err := report.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d`).ReplaceAll(text, []byte("2026-01-01 12:00")) // else each day has its picture
	browsertest.ComparePicture(t, text, filepath.Join(pictures, "report.png"), *update)
}
