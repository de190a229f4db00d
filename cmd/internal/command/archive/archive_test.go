package archive

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/causes"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/subject"
	"parallax/internal/atomicfile"
)

// inFolder makes an empty folder and changes to it.
func inFolder(t *testing.T) string {
	t.Helper()
	old, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chdir(dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chdir(old) })
	return dir
}

// leaveCampaign leaves a finished campaign in dir, with findings of the given ids.
func leaveCampaign(t *testing.T, dir string, ids ...string) {
	t.Helper()
	folder := findingstest.OpenFolder(t, dir)
	f, problems, err := findings.Load(folder, findingstest.Target(), &accept.File{Entries: []accept.Entry{{Bucket: findingstest.SecondID, Reason: "known"}}})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	for _, id := range ids {
		found := findingstest.Disagreement(id, id, "input of "+id, id[len(id)-2:])
		if _, _, err := f.Add(found, finding.Candidate{Flat: found.Flat, Parent: []byte("parent"), Inputs: 10}); err != nil {
			t.Fatal(err)
		}
	}
	folder.Close()
}

// TestFindByVariant checks that the id of a variant finds its finding, unless a finding has that id
// itself. If several findings have such a variant, the error lists them.
func TestFindByVariant(t *testing.T) {
	dir := inFolder(t)
	path := filepath.Join(dir, "campaign")
	leaveCampaign(t, path, findingstest.FirstID, findingstest.SecondID, findingstest.ThirdID)
	folder := findingstest.OpenFolder(t, path)
	list, _, _, err := findings.Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range list {
		for _, v := range map[string][]string{
			findingstest.FirstID: {findingstest.FirstID, "cccc00000001", findingstest.ThirdID}, findingstest.SecondID: {"cccc00000002", "cccc00000003"},
			findingstest.ThirdID: {"cccc00000003", "aaaa"},
		}[b.ID] {
			b.Variants = append(b.Variants, finding.Variant{ID: v})
		}
		if err := folder.WriteBucket(b.Bucket); err != nil {
			t.Fatal(err)
		}
	}
	folder.Close()
	for id, want := range map[string]string{
		findingstest.FirstID: findingstest.FirstID, "cccc00000001": findingstest.FirstID, "cccc00000002": findingstest.SecondID,
		findingstest.ThirdID: findingstest.ThirdID, "bbbb": findingstest.ThirdID, "aaaa": findingstest.ThirdID,
	} {
		if _, got, err := Find("campaign", id); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", id, got, err, want)
		}
	}
	_, _, err = Find("campaign", "cccc00000003")
	wantUsage(t, "two with one variant", err, "several findings have the variant", findingstest.SecondID, findingstest.ThirdID)
	_, _, err = Find("campaign", "cccc")
	wantUsage(t, "the beginning of a variant", err, "no finding")
}

// TestFormer checks that former ids, from before the end of triage, find a finding, and that the
// command prints the present id.
func TestFormer(t *testing.T) {
	inFolder(t)
	folder := findingstest.OpenFolder(t, "campaign")
	f, _, err := findings.Load(folder, findingstest.Target(), &accept.File{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"cccc00000001", "cccc00000002", findingstest.FirstID} { // two runs end before its triage is done
		found := findingstest.Disagreement(id, id, "input", "input")
		cand := finding.Candidate{Flat: found.Flat, Layer: found.Layer}
		if id != findingstest.FirstID {
			found.Unfinished = f.CandidateKey(&cand)
		}
		if _, _, err := f.Add(found, cand); err != nil {
			t.Fatal(err)
		}
	}
	folder.Close()
	leaveCampaign(t, "campaign", findingstest.SecondID)
	for _, named := range []string{"cccc00000001", "cccc00000002", "aaaa00000001"} {
		p, id, err := Find("campaign", named)
		if err != nil || id != findingstest.FirstID {
			t.Fatalf("%s: %s, %v", named, id, err)
		}
		var want []string
		if named != id {
			want = []string{named + " was filed as " + id + " later"}
		}
		if !slices.Equal(p.Renamed, want) {
			t.Errorf("%s: %q, want %q", named, p.Renamed, want)
		}
	}
	if _, items, err := Select("campaign", []string{"cccc"}); err != nil || len(items) != 1 || items[0].Name != findingstest.FirstID {
		t.Errorf("the beginning of a former id: %v, %v", items, err)
	}
}

func wantUsage(t *testing.T, what string, err error, words ...string) {
	t.Helper()
	if err == nil || exit.Code(err) != exit.UsageCode {
		t.Errorf("%s: %v, want an error of usage", what, err)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: %q is missing in: %v", what, w, err)
		}
	}
}

// TestFindElsewhere checks that the error for a finding of another campaign names the campaigns
// that have it, or all campaigns.
func TestFindElsewhere(t *testing.T) {
	inFolder(t)
	leaveCampaign(t, "wc-1", findingstest.FirstID)
	_, _, err := Find("", findingstest.FirstID)
	wantUsage(t, "nothing in .parallax", err, "no finding", "it is in wc-1 (add `-C wc-1`)")
	leaveCampaign(t, ".parallax/one", findingstest.SecondID)
	leaveCampaign(t, "deep/two", findingstest.ThirdID)
	leaveCampaign(t, "deep/three", findingstest.ThirdID)
	for _, c := range []struct{ out, id, want string }{
		{"", findingstest.FirstID, "no finding \"" + findingstest.FirstID + "\" in .parallax/one: it is in wc-1 (add `-C wc-1`)"},
		{"wc-1", findingstest.SecondID, "in wc-1: it is in .parallax/one (add `-C .parallax/one`)"},
		{"deep/two", findingstest.FirstID, "in deep/two: it is in wc-1 (add `-C wc-1`)"},
		{"deep/three", "cc", "in deep/three, .parallax/one, wc-1, deep/two: `parallax show` lists the findings"},
		{"", "cc", "in .parallax/one, wc-1: `parallax show` lists the findings"},
		{"none", findingstest.SecondID, "in none: it is in .parallax/one"},
	} {
		_, _, err := Find(c.out, c.id)
		wantUsage(t, c.out+" "+c.id, err, c.want)
	}
	for _, out := range []string{"deep/two", "deep/three"} {
		if p, _, err := Find(out, findingstest.ThirdID); err != nil || p.Shown() != out {
			t.Error(out, err)
		}
	}
}

func TestFind(t *testing.T) {
	inFolder(t)
	_, _, err := Find("", "a")
	wantUsage(t, "no campaign", err, "no campaign", "parallax diff")

	leaveCampaign(t, ".parallax/one", findingstest.FirstID, findingstest.SecondID, findingstest.ThirdID)
	tests := []struct{ prefix, want, err string }{
		{findingstest.FirstID, findingstest.FirstID, ""},
		{"b", findingstest.ThirdID, ""},
		{"bbbb0000", findingstest.ThirdID, ""},
		{"aaaa", "", "several findings begin with"},
		{"cc", "", "no finding"},
		{"", "", "no finding"},
		{findingstest.FirstID + "0", "", "no finding"},
	}
	for _, test := range tests {
		for _, out := range []string{"", ".parallax/one"} {
			p, id, err := Find(out, test.prefix)
			if test.err != "" {
				wantUsage(t, test.prefix, err, test.err)
			} else if err != nil || id != test.want || p.Shown() != ".parallax/one" {
				t.Errorf("%q: %s, %v", test.prefix, id, err)
			}
		}
	}

	// Two campaigns have the same cause.
	leaveCampaign(t, ".parallax/two", findingstest.FirstID)
	_, _, err = Find("", findingstest.FirstID)
	wantUsage(t, "in two campaigns", err, "--campaign", ".parallax/one", ".parallax/two")
	if p, id, err := Find(".parallax/two", "a"); err != nil || id != findingstest.FirstID || p.Shown() != ".parallax/two" {
		t.Errorf("in the campaign named: %s, %v", id, err)
	}
	if _, id, err := Find("", findingstest.SecondID); err != nil || id != findingstest.SecondID {
		t.Errorf("in one of two campaigns: %s, %v", id, err)
	}
	_, _, err = Find("nowhere", "a")
	if err == nil {
		t.Error("found in a folder that is none")
	}
}

func TestSelect(t *testing.T) {
	inFolder(t)
	leaveCampaign(t, ".parallax/one", findingstest.FirstID, findingstest.SecondID)
	if err := os.WriteFile("file", []byte("a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		args []string
		want string // flat forms
		err  string
	}{
		{"all", nil, "01 02", ""},
		{"one", []string{findingstest.SecondID}, "02", ""},
		{"in the user's order", []string{findingstest.SecondID, findingstest.FirstID}, "02 01", ""},
		{"named twice", []string{findingstest.FirstID, findingstest.FirstID}, "01", ""},
		{"a file", []string{"file"}, "a file", ""},
		{"a file and a finding", []string{"file", findingstest.FirstID}, "a file 01", ""},
		{"no such file", []string{"./file2"}, "", "no such file"},
		{"no such finding", []string{"file2"}, "", "no finding"},
	}
	for _, test := range tests {
		_, items, err := Select("", test.args)
		if test.err != "" {
			wantUsage(t, test.name, err, test.err)
			continue
		}
		var got []string
		for _, it := range items {
			got = append(got, string(it.Flat))
		}
		if err != nil || strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, %v, want %s", test.name, got, err, test.want)
		}
	}

	leaveCampaign(t, ".parallax/two", findingstest.ThirdID)
	_, _, err := Select("", nil)
	wantUsage(t, "several campaigns", err, "--campaign", ".parallax/one", ".parallax/two")
	_, _, err = Select("", []string{findingstest.FirstID, findingstest.ThirdID})
	wantUsage(t, "of different campaigns", err, "different campaigns")
	if p, items, err := Select("", []string{findingstest.ThirdID}); err != nil || len(items) != 1 || p.Shown() != ".parallax/two" {
		t.Errorf("a finding tells its campaign: %v", err)
	}
}

// TestSummaryOfWhatIsLeft checks that a campaign without a summary can be shown.
func TestSummaryOfWhatIsLeft(t *testing.T) {
	dir := inFolder(t)
	leaveCampaign(t, "campaign", findingstest.FirstID, findingstest.SecondID)
	pasts, _, err := Open("campaign")
	if err != nil || len(pasts) != 1 {
		t.Fatal(err)
	}
	s, err := pasts[0].Summary()
	if err != nil || s.Findings.Total != 2 || len(s.Findings.Buckets) != 2 || !slices.Equal(s.Programs, []string{"a", "b"}) || s.Target != "a-b" {
		t.Errorf("%+v, %v", s, err)
	}
	var page bytes.Buffer
	if err := pasts[0].Show(&page, findingstest.FirstID, ShowOptions{}); err != nil || !strings.Contains(page.String(), findingstest.FirstID) {
		t.Errorf("%v: %s", err, page.String())
	}

	// An unreadable summary is reported, and hides no finding.
	folder, err := state.Reopen(atomicfile.OS, filepath.Join(dir, "campaign"))
	if err != nil {
		t.Fatal(err)
	}
	if err := folder.WriteSummary([]byte("{")); err != nil {
		t.Fatal(err)
	}
	folder.Close()
	s, err = pasts[0].Summary()
	if err != nil || s.Findings.Total != 2 || !strings.Contains(strings.Join(s.Notes, " "), "campaign/summary.json") {
		t.Errorf("after half a summary: %+v, %v", s, err)
	}
}

// TestOpenReportsProblems checks that an unreadable campaign does not hide the others.
func TestOpenReportsProblems(t *testing.T) {
	inFolder(t)
	leaveCampaign(t, ".parallax/good", findingstest.FirstID)
	if err := os.MkdirAll(".parallax/bad", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(".parallax/bad/campaign.json", []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	pasts, problems, err := Open("")
	if err != nil || len(pasts) != 1 || len(problems) != 1 || !strings.Contains(problems[0], "bad") {
		t.Errorf("%d campaigns, problems %q, %v", len(pasts), problems, err)
	}
	if _, _, err := Open(".parallax/bad"); err == nil {
		t.Error("half a campaign.json is opened")
	}
}

// TestHoldersOfVersions checks that accept finds several targets with one id only if their findings
// have one cause. Findings that were not located yet, and those of other changes, are alone.
func TestHoldersOfVersions(t *testing.T) {
	for name, c := range map[string]struct {
		first, second string // changes
		one           bool
	}{"one change": {"x", "x", true}, "other changes": {"x", "y", false}, "not located": {"", "", false}} {
		inFolder(t)
		for target, change := range map[string]string{"one": c.first, "two": c.second} {
			folder, _, err := state.Open(atomicfile.OS, filepath.Join(".parallax", target), state.Config{
				Target: target, Dir: "/home/user", Options: map[string]string{"fuzz": target},
				Identity: state.Identity{Mode: subject.Regress, Shape: "(string)", Programs: []state.Program{{Name: "new"}, {Name: "old"}}},
			})
			if err != nil {
				t.Fatal(err)
			}
			f, _, err := findings.Load(folder, findingstest.Target(), &accept.File{})
			if err != nil {
				t.Fatal(err)
			}
			found := findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, target, target)
			found.Variant, found.Symptoms = findingstest.FirstID, &causes.Symptoms{Layer: "verdict", Outcomes: []string{"accepted", "rejected"}, Change: change}
			if _, _, err := f.Add(found, finding.Candidate{Flat: found.Flat}); err != nil {
				t.Fatal(err)
			}
			folder.Close()
		}
		list, err := holdersOf("", findingstest.FirstID)
		if c.one && (err != nil || len(list) != 2) {
			t.Errorf("%s: %d campaigns, %v", name, len(list), err)
		} else if !c.one {
			wantUsage(t, name, err, "is a finding of several campaigns: choose one with --campaign")
		}
	}
}

// TestHoldersOf checks that accept finds each campaign with a finding, but one of those that share
// their entries.
func TestHoldersOf(t *testing.T) {
	inFolder(t)
	leaveCampaign(t, ".parallax/one", findingstest.FirstID)
	leaveCampaign(t, ".parallax/two", findingstest.FirstID)
	leaveCampaign(t, ".parallax/three", findingstest.SecondID)
	holders := func(want int) {
		t.Helper()
		list, err := holdersOf("", findingstest.FirstID)
		if err != nil || len(list) != want {
			t.Errorf("%d campaigns, %v, want %d", len(list), err, want)
		}
	}
	holders(1)
	path := filepath.Join(".parallax", "two", "campaign.json")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var config map[string]any
	if err := json.Unmarshal(data, &config); err != nil {
		t.Fatal(err)
	}
	config["options"] = map[string]string{"fuzz": "FuzzTwo"} // its entries name their target
	if data, err = json.Marshal(config); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	holders(2)
	if _, err := holdersOf("", "ffff"); exit.Code(err) != exit.UsageCode {
		t.Errorf("no finding: %v", err)
	}
}
