package archive

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/show/text"
)

// TestDamagedFinding checks that all commands report the damage of a bucket whose records are all
// damaged.
func TestDamagedFinding(t *testing.T) {
	dir := inFolder(t)
	leaveCampaign(t, "campaign", findingstest.FirstID, findingstest.ThirdID)
	files, err := filepath.Glob(filepath.Join(dir, "campaign", "findings", findingstest.FirstID, "*", findings.OutputsFile))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	for _, content := range []string{"", "{", `{"version":99}`, `{"version":1,"shape":"(string)","minimized":{"flat":"no quotes"}}`, "\x00\xff"} {
		if err := os.WriteFile(files[0], []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		_, _, err := Find("campaign", "aaaa")
		wantUsage(t, content, err, findingstest.FirstID, "is damaged", findings.OutputsFile)
		if err != nil && exit.Code(err) == 0 {
			t.Error("no error")
		}
	}
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	_, _, err = Find("campaign", "aaaa")
	wantUsage(t, "missing", err, findingstest.FirstID)
	if _, id, err := Find("campaign", "bbbb"); err != nil || id != findingstest.ThirdID {
		t.Errorf("the other finding: %s, %v", id, err)
	}
}

// TestShowForms checks the forms for terminals and for issues.
func TestShowForms(t *testing.T) {
	inFolder(t)
	leaveCampaign(t, "campaign", findingstest.FirstID)
	p, id, err := Find("campaign", findingstest.FirstID)
	if err != nil {
		t.Fatal(err)
	}
	var terminal, page, record bytes.Buffer
	o := ShowOptions{Terminal: true, TextOptions: text.TextOptions{Width: 80, Color: true}, Now: time.Now()}
	if err := p.Show(&terminal, id, o); err != nil {
		t.Fatal(err)
	}
	if err := p.Show(&page, id, ShowOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := p.ShowJSON(&record, id, ""); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ text, has, lacks string }{
		{terminal.String(), "\x1b[1m", "\n#"}, {page.String(), "# `a` and `b` disagree", "\x1b"}, {record.String(), `"bucket": "` + findingstest.FirstID, "\x1b"},
	} {
		if !strings.Contains(tt.text, tt.has) || strings.Contains(tt.text, tt.lacks) {
			t.Errorf("%q is missing, or %q is in\n%s", tt.has, tt.lacks, tt.text)
		}
	}
}
