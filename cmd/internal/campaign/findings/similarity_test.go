package findings

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/campaign/similar"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/internal/input"
)

func similarOf(b *Group) string {
	var list []string
	for _, s := range b.Similar {
		list = append(list, fmt.Sprint(s.ID[:4], s.ID[len(s.ID)-1:], " ", s.Score, " ", s.Why))
	}
	return strings.Join(list, ", ")
}

// TestSimilarBuckets checks that similar buckets link to each other, on disk and in reports, in any
// order of arrival. A changed input changes the links.
func TestSimilarBuckets(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := newFindings(t, folder)
	want := func(when string, similar map[string]string) {
		t.Helper()
		for _, findings := range []*Buckets{f, newFindings(t, folder)} {
			for id, text := range similar {
				if got := similarOf(findings.buckets[id]); got != text {
					t.Errorf("%s: %s is similar to %q, want %q", when, id, got, text)
				}
			}
		}
	}
	addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "1.0.0-01 long", "1.0.0-01"))
	want("alone", map[string]string{findingstest.FirstID: ""})
	addAll(t, f, findingstest.Disagreement(findingstest.SecondID, findingstest.SecondID, "1.0.0-02 long", "1.0.0-02"))
	want("two", map[string]string{findingstest.FirstID: "aaaa2 87 input", findingstest.SecondID: "aaaa1 87 input"})
	addAll(t, f, findingstest.Disagreement(findingstest.ThirdID, findingstest.ThirdID, "nothing of the kind", "nothing of"))
	want("three", map[string]string{findingstest.FirstID: "aaaa2 87 input", findingstest.ThirdID: ""})

	page := func(id string) string {
		data, err := folder.ReadFinding(id, f.buckets[id].BestHash, ReportFile)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for _, p := range []string{page(findingstest.FirstID), page(findingstest.SecondID)} {
		if !strings.Contains(p, "## Similar findings") || !strings.Contains(p, "input, 87 of 100") {
			t.Errorf("the report does not tell:\n%s", p)
		}
	}
	if strings.Contains(page(findingstest.ThirdID), "## Similar") {
		t.Errorf("the report of what is similar to nothing tells of similar findings\n%s", page(findingstest.ThirdID))
	}

	addAll(t, f, findingstest.Disagreement(findingstest.SecondID, findingstest.SecondID, "quite another one", "nothing"))
	want("one that changed", map[string]string{findingstest.FirstID: "", findingstest.SecondID: "bbbb3 70 input", findingstest.ThirdID: "aaaa2 70 input"})
	if strings.Contains(page(findingstest.FirstID), "## Similar") {
		t.Error("the report keeps a link that is gone")
	}
	// An input larger than the smallest changes nothing.
	addAll(t, f, findingstest.Disagreement(findingstest.SecondID, findingstest.SecondID, "one more", "1.0.0-01 and more"))
	want("a larger one", map[string]string{findingstest.FirstID: "", findingstest.SecondID: "bbbb3 70 input"})
}

// TestSimilarInOldFolders checks that buckets of old campaigns, which have no links, get them when
// the folder is read.
func TestSimilarInOldFolders(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := newFindings(t, folder)
	addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "1.0.0-01 long", "1.0.0-01"), findingstest.Disagreement(findingstest.SecondID, findingstest.SecondID, "1.0.0-02 long", "1.0.0-02"))
	for _, b := range f.buckets {
		old := b.Bucket
		old.Similar = nil
		if err := folder.WriteBucket(old); err != nil {
			t.Fatal(err)
		}
	}
	if got := similarOf(newFindings(t, folder).buckets[findingstest.FirstID]); got != "aaaa2 87 input" {
		t.Error(got)
	}
}

// TestSimilarPlaces checks that deciding lines match, whichever program rejects.
func TestSimilarPlaces(t *testing.T) {
	one := &Group{Bucket: finding.Bucket{ID: findingstest.FirstID, Location: "a.go:1"}, Best: &finding.Finding{Programs: []finding.Program{{Deciding: "a.go:1"}, {Deciding: "b.go:2"}}}}
	two := &Group{Bucket: finding.Bucket{ID: findingstest.SecondID, Location: "b.go:2"}, Best: &finding.Finding{Programs: []finding.Program{{Deciding: "a.go:1"}, {Deciding: "b.go:2"}}}}
	none := &Group{Bucket: finding.Bucket{ID: findingstest.ThirdID}, Best: &finding.Finding{Minimized: []byte("x"), Programs: []finding.Program{{}, {}}}}
	var x similar.Index
	for _, b := range []*Group{one, two, none} {
		x.Put(b.item())
	}
	if got := fmt.Sprint(x.Near(one.item()), x.Near(none.item())); got != "[{"+findingstest.SecondID+" 0 false true}] []" {
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

// TestTimes checks that buckets have the times of the campaign's clock, and that the first time
// stays.
func TestTimes(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := newFindings(t, folder)
	clock := time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("x", 3600))
	f.Now = func() time.Time { return clock }
	addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "input", "in"))
	clock = clock.Add(time.Hour)
	addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "another", "an"))
	row := newFindings(t, folder).Rows()[0]
	if row.FirstSeenTime != "2026-01-02T02:04:05Z" || row.LastSeenTime != "2026-01-02T03:04:05Z" || row.FirstSeen != 10 || row.LastSeen != 10 {
		t.Errorf("%+v", row)
	}
	if !ParseStamp("yesterday").IsZero() || !ParseStamp("").IsZero() {
		t.Error("what is no time is one")
	}
}

// BenchmarkIndex measures the index of ten thousand buckets without links.
func BenchmarkIndex(b *testing.B) {
	f := &Buckets{buckets: map[string]*Group{}, Accepted: &accept.File{}}
	for i := range 10000 {
		id := fmt.Sprintf("%012x", i)
		rep := &finding.Finding{Bucket: id, Kind: finding.KindDiscrepancy, Shape: input.Shape{input.String}, Minimized: fmt.Append(nil, "1.0.", i, "-", i*7919%10007)}
		f.buckets[id] = &Group{Bucket: finding.Bucket{ID: id}, Best: rep}
	}
	for b.Loop() {
		for _, x := range f.buckets {
			x.Similar = nil
		}
		f.near = similar.Index{}
		f.index()
		f.Link(f.buckets["000000000007"])
	}
}
