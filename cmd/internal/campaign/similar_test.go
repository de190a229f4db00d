package campaign

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/accept"
	"parallax/cmd/internal/campaign/state"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/report"
	"parallax/cmd/internal/similar"
	"parallax/cmd/internal/triage"
	"parallax/internal/input"
)

func similarOf(b *bucket) string {
	var list []string
	for _, s := range b.Similar {
		list = append(list, fmt.Sprint(s.ID[:4], s.ID[len(s.ID)-1:], " ", s.Score, " ", s.Why))
	}
	return strings.Join(list, ", ")
}

// Similar buckets know of each other, on disk and in their reports, whichever came first; one whose input changes is similar
// to others.
func TestSimilarBuckets(t *testing.T) {
	folder := openFolder(t, t.TempDir())
	f := newFindings(t, folder)
	want := func(when string, similar map[string]string) {
		t.Helper()
		for _, findings := range []*findings{f, newFindings(t, folder)} {
			for id, text := range similar {
				if got := similarOf(findings.buckets[id]); got != text {
					t.Errorf("%s: %s is similar to %q, want %q", when, id, got, text)
				}
			}
		}
	}
	addAll(t, f, disagreement(firstID, firstID, "1.0.0-01 long", "1.0.0-01"))
	want("alone", map[string]string{firstID: ""})
	addAll(t, f, disagreement(secondID, secondID, "1.0.0-02 long", "1.0.0-02"))
	want("two", map[string]string{firstID: "aaaa2 87 input", secondID: "aaaa1 87 input"})
	addAll(t, f, disagreement(thirdID, thirdID, "nothing of the kind", "nothing of"))
	want("three", map[string]string{firstID: "aaaa2 87 input", thirdID: ""})

	page := func(id string) string {
		data, err := folder.ReadFinding(id, f.buckets[id].bestHash, reportFile)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for _, p := range []string{page(firstID), page(secondID)} {
		if !strings.Contains(p, "## Similar findings") || !strings.Contains(p, "input, 87 of 100") {
			t.Errorf("the report does not tell:\n%s", p)
		}
	}
	if strings.Contains(page(thirdID), "## Similar") {
		t.Errorf("the report of what is similar to nothing tells of similar findings\n%s", page(thirdID))
	}

	addAll(t, f, disagreement(secondID, secondID, "quite another one", "nothing"))
	want("one that changed", map[string]string{firstID: "", secondID: "bbbb3 70 input", thirdID: "aaaa2 70 input"})
	if strings.Contains(page(firstID), "## Similar") {
		t.Error("the report keeps a link that is gone")
	}
	// An input that is larger than the smallest changes nothing.
	addAll(t, f, disagreement(secondID, secondID, "one more", "1.0.0-01 and more"))
	want("a larger one", map[string]string{firstID: "", secondID: "bbbb3 70 input"})
}

// Buckets of older campaigns have no links: they are found when the folder is read.
func TestSimilarInOldFolders(t *testing.T) {
	folder := openFolder(t, t.TempDir())
	f := newFindings(t, folder)
	addAll(t, f, disagreement(firstID, firstID, "1.0.0-01 long", "1.0.0-01"), disagreement(secondID, secondID, "1.0.0-02 long", "1.0.0-02"))
	for _, b := range f.buckets {
		old := b.Bucket
		old.Similar = nil
		if err := folder.WriteBucket(old); err != nil {
			t.Fatal(err)
		}
	}
	if got := similarOf(newFindings(t, folder).buckets[firstID]); got != "aaaa2 87 input" {
		t.Error(got)
	}
}

// The same lines decide, whichever program rejects.
func TestSimilarPlaces(t *testing.T) {
	one := &bucket{Bucket: state.Bucket{ID: firstID, Location: "a.go:1"}, best: &report.Finding{Programs: []report.Program{{Deciding: "a.go:1"}, {Deciding: "b.go:2"}}}}
	two := &bucket{Bucket: state.Bucket{ID: secondID, Location: "b.go:2"}, best: &report.Finding{Programs: []report.Program{{Deciding: "a.go:1"}, {Deciding: "b.go:2"}}}}
	none := &bucket{Bucket: state.Bucket{ID: thirdID}, best: &report.Finding{Minimized: []byte("x"), Programs: []report.Program{{}, {}}}}
	var x similar.Index
	for _, b := range []*bucket{one, two, none} {
		x.Put(b.item())
	}
	if got := fmt.Sprint(x.Near(one.item()), x.Near(none.item())); got != "[{"+secondID+" 0 false true}] []" {
		t.Error(got)
	}
}

func TestParts(t *testing.T) {
	typed := input.Shape{input.String, input.Int8, input.Bytes}
	flat, err := typed.Pack("text", int8(-3), []byte("\xff"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		shape input.Shape
		flat  []byte
		want  string
	}{
		{typed, flat, `["text" "-3" "\xff"]`},
		{typed, []byte("damaged"), `["damaged"]`},
		{input.Shape{input.Bytes}, []byte("raw"), `["raw"]`},
		{nil, []byte("x"), `["x"]`},
	} {
		if got := fmt.Sprintf("%q", parts(tt.shape, tt.flat)); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.shape, got, tt.want)
		}
	}
}

// Buckets have the times of the campaign's clock; the first stays.
func TestTimes(t *testing.T) {
	folder := openFolder(t, t.TempDir())
	f := newFindings(t, folder)
	clock := time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("x", 3600))
	f.now = func() time.Time { return clock }
	addAll(t, f, disagreement(firstID, firstID, "input", "in"))
	clock = clock.Add(time.Hour)
	addAll(t, f, disagreement(firstID, firstID, "another", "an"))
	row := newFindings(t, folder).rows()[0]
	if row.FirstSeenTime != "2026-01-02T02:04:05Z" || row.LastSeenTime != "2026-01-02T03:04:05Z" || row.FirstSeen != 10 || row.LastSeen != 10 {
		t.Errorf("%+v", row)
	}
	if !parseStamp("yesterday").IsZero() || !parseStamp("").IsZero() {
		t.Error("what is no time is one")
	}
}

// A bucket whose records are all damaged is named with what is wrong, by show and by whatever looks for it.
func TestDamagedFinding(t *testing.T) {
	dir := inFolder(t)
	leaveCampaign(t, "campaign", firstID, thirdID)
	files, err := filepath.Glob(filepath.Join(dir, "campaign", "findings", firstID, "*", outputsFile))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	for _, content := range []string{"", "{", `{"version":99}`, `{"version":1,"shape":"(string)","minimized":{"flat":"no quotes"}}`, "\x00\xff"} {
		if err := os.WriteFile(files[0], []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		_, _, err := Find("campaign", "aaaa")
		wantUsage(t, content, err, firstID, "is damaged", outputsFile)
		if err != nil && exit.Code(err) == 0 {
			t.Error("no error")
		}
	}
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	_, _, err = Find("campaign", "aaaa")
	wantUsage(t, "missing", err, firstID)
	if _, id, err := Find("campaign", "bbbb"); err != nil || id != thirdID {
		t.Errorf("the other finding: %s, %v", id, err)
	}
}

// Show has one form for terminals and one for issues.
func TestShowForms(t *testing.T) {
	inFolder(t)
	leaveCampaign(t, "campaign", firstID)
	p, id, err := Find("campaign", firstID)
	if err != nil {
		t.Fatal(err)
	}
	var terminal, page, record bytes.Buffer
	o := ShowOptions{Terminal: true, TextOptions: report.TextOptions{Width: 80, Color: true}, Now: time.Now()}
	if err := p.Show(&terminal, id, o); err != nil {
		t.Fatal(err)
	}
	if err := p.Show(&page, id, ShowOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := p.ShowJSON(&record, id); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ text, has, lacks string }{
		{terminal.String(), "\x1b[1m", "\n#"}, {page.String(), "# `a` and `b` disagree", "\x1b"}, {record.String(), `"bucket": "` + firstID, "\x1b"},
	} {
		if !strings.Contains(tt.text, tt.has) || strings.Contains(tt.text, tt.lacks) {
			t.Errorf("%q is missing, or %q is in\n%s", tt.has, tt.lacks, tt.text)
		}
	}
}

// What ten thousand buckets cost that were never looked at.
func BenchmarkIndex(b *testing.B) {
	f := &findings{buckets: map[string]*bucket{}, accepted: &accept.File{}}
	for i := range 10000 {
		id := fmt.Sprintf("%012x", i)
		rep := &report.Finding{Bucket: id, Kind: triage.Discrepancy, Shape: input.Shape{input.String}, Minimized: fmt.Append(nil, "1.0.", i, "-", i*7919%10007)}
		f.buckets[id] = &bucket{Bucket: state.Bucket{ID: id}, best: rep}
	}
	for b.Loop() {
		for _, x := range f.buckets {
			x.Similar = nil
		}
		f.near = similar.Index{}
		f.index()
		f.link(f.buckets["000000000007"])
	}
}
