package findings

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/show/text"
)

// TestExpect checks that findings of an expected cause get the id of the accepted difference.
// Findings that were filed before count as accepted.
func TestExpect(t *testing.T) {
	entry := findingstest.FirstID
	for _, test := range []struct {
		name     string
		expected *triage.Result
		before   []*triage.Result // filed by an earlier invocation
		marked   []bool
		after    *triage.Result
		accepted bool
		under    string // "": the id that it would have anyway
	}{
		{"nothing before, the same variant", looks(variantID(1), about(1), "e", "e"), nil, nil, looks(variantID(1), about(1), "x", "x"), true, entry},
		{"another variant", looks(variantID(1), about(1), "e", "e"), nil, nil, looks(variantID(2), about(1), "x", "x"), true, entry},
		{"another cause", looks(variantID(1), about(1), "e", "e"), nil, nil, looks(variantID(2), about(2), "x", "x"), false, ""},
		{"nothing is known but the variant", looks(variantID(1), nil, "e", "e"), nil, nil, looks(variantID(1), nil, "x", "x"), true, entry},
		{"nothing is known, and another variant", looks(variantID(1), nil, "e", "e"), nil, nil, looks(variantID(2), nil, "x", "x"), false, ""},
		{"a change", looks(variantID(1), changed(1), "e", "e"), nil, nil, looks(variantID(2), changed(1), "x", "x"), true, entry},
		{"another change", looks(variantID(1), changed(1), "e", "e"), nil, nil, looks(variantID(2), changed(2), "x", "x"), false, ""},
		{"a crash", crash(""), nil, nil, crash(""), true, entry},
		{
			"buckets before", looks(variantID(1), about(1), "e", "e"),
			[]*triage.Result{looks(variantID(2), about(1), "a", "a"), looks(variantID(3), about(2), "b", "b")}, []bool{true, false},
			looks(variantID(2), about(1), "x", "x"), true, variantID(2),
		},
		{
			"that of its own variant", looks(variantID(1), about(1), "e", "e"), []*triage.Result{looks(variantID(1), about(1), "a", "a")}, []bool{true},
			looks(variantID(1), about(1), "x", "x"), true, variantID(1),
		},
		{
			"that of its change", looks(variantID(1), changed(1), "e", "e"), []*triage.Result{looks(variantID(2), changed(1), "a", "a")}, []bool{true},
			looks(variantID(3), changed(1), "x", "x"), true, changed(1).ID([]string{"a", "b"}),
		},
	} {
		folder := findingstest.OpenFolder(t, t.TempDir())
		f := open(t, folder)
		var ids []string
		for _, found := range test.before {
			ids = append(ids, add(t, f, found).ID)
		}
		f = open(t, folder, entry)
		if err := f.Expect(entry, test.expected); err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		for i, id := range ids {
			for _, f := range []*Buckets{f, open(t, folder, entry)} {
				b := f.Find(id)
				as := b.Extra[AsKey] == entry
				if row := f.Row(b); as != test.marked[i] || row.Accepted != as || as != (row.Reason == "entry "+entry) {
					t.Errorf("%s: bucket %s is marked %q: %+v", test.name, id, b.Extra[AsKey], row)
				}
			}
			if b := open(t, folder).Find(id); open(t, folder).Row(b).Accepted {
				t.Errorf("%s: bucket %s is accepted by an entry that is gone", test.name, id)
			}
		}
		b := add(t, f, test.after)
		under := test.under
		if under == "" {
			under = test.after.Bucket
		}
		if b.ID != under || f.Row(b).Accepted != test.accepted || b.Accepted != test.accepted {
			t.Errorf("%s: filed under %s, accepted %v, want %s, %v", test.name, b.ID, b.Accepted, under, test.accepted)
		}
	}
}

// TestExpectAgain checks that a bucket whose entry was removed is accepted by the next entry of its
// cause. A bucket with an entry keeps it.
func TestExpectAgain(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	id := add(t, open(t, folder), looks(variantID(1), about(1), "a", "a")).ID
	for _, step := range []struct{ accepted, expected, want string }{
		{findingstest.FirstID, findingstest.FirstID, findingstest.FirstID},
		{"", "", findingstest.FirstID},
		{findingstest.SecondID, findingstest.SecondID, findingstest.SecondID},
		{findingstest.SecondID + " " + findingstest.ThirdID, findingstest.ThirdID, findingstest.SecondID},
	} {
		f := open(t, folder, strings.Fields(step.accepted)...)
		if step.expected != "" {
			if err := f.Expect(step.expected, looks(variantID(2), about(1), "e", "e")); err != nil {
				t.Fatal(err)
			}
		}
		if b := f.Find(id); b.Extra[AsKey] != step.want || f.Row(b).Accepted != (step.accepted != "") {
			t.Errorf("accepted %q: marked %q, accepted %v", step.accepted, b.Extra[AsKey], f.Row(b).Accepted)
		}
	}
	// The bucket of the entry itself has no mark.
	f := open(t, folder, id)
	if err := f.Expect(id, looks(variantID(1), about(1), "e", "e")); err != nil || f.Find(id).Extra[AsKey] == id {
		t.Errorf("%v, marked %q", err, f.Find(id).Extra[AsKey])
	}
}

// TestExpectFiled checks that an accepted bucket of the folder accepts no other one with its cause:
// the user saw two findings and accepted one.
func TestExpectFiled(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := open(t, folder)
	own, other := add(t, f, looks(variantID(1), about(2), "a", "a")).ID, add(t, f, looks(variantID(2), about(1), "b", "b")).ID
	f = open(t, folder, own)
	if err := f.Expect(own, looks(variantID(1), about(1), "e", "e")); err != nil {
		t.Fatal(err)
	}
	if b := f.Find(other); own == other || b.Extra[AsKey] != "" || f.Row(b).Accepted {
		t.Errorf("%s is accepted with %s: %v", other, own, b.Extra)
	}
}

// TestAcceptedThen checks that an accepted bucket keeps the accepted input. A later variant is a
// finding, unless the present ids of the accepted variants are unknown.
func TestAcceptedThen(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	id := add(t, open(t, folder), looks(variantID(1), about(1), "aaa", "aaa")).ID
	f := open(t, folder)
	entry := accept.Entry{Bucket: id, Input: f.target.About().Shape.Encode([]byte("aaa")), Variants: []string{variantID(1)}}
	f.Accepted = &accept.File{Entries: []accept.Entry{entry}}
	for _, found := range []*triage.Result{looks(variantID(1), about(1), "aa", "aa"), looks(variantID(2), about(1), "b", "b")} {
		if b := add(t, f, found); b.ID != id {
			t.Fatalf("in bucket %s", b.ID)
		}
	}
	again, _, err := Load(folder, findingstest.Target(), f.Accepted)
	if err != nil {
		t.Fatal(err)
	}
	list, _, _, err := Read(folder)
	if err == nil {
		err = list[0].Keep(folder, f.Accepted)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*Buckets{f, again, Known(folder, f.Accepted, list)} {
		if row := f.Row(f.Find(id)); row.Accepted || row.Quoted != `"b"` || row.NewVariants != 1 || len(row.Variants) != 1 || row.Variants[0].New {
			t.Errorf("accepted %v, %s, %d new variants, %d others", row.Accepted, row.Quoted, row.NewVariants, len(row.Variants))
		}
	}
	for _, other := range again.Page(again.Find(id)).Others {
		if other.New != (other.Variant == variantID(2)) {
			t.Errorf("%s of %s: new %v", other.Input, other.Variant, other.New)
		}
	}
	if err := again.Expect(id, looks(variantID(3), about(1), "aaa", "aaa")); err != nil {
		t.Fatal(err)
	}
	if row := again.Row(again.Find(id)); row.Accepted || row.NewVariants != 1 {
		t.Errorf("with another id of the accepted variant: accepted %v, %s, %d new variants", row.Accepted, row.Quoted, row.NewVariants)
	}
	again.Accepted.Entries[0].Variants = []string{variantID(1), variantID(4)}
	if row := again.Row(again.Find(id)); !row.Accepted || row.Quoted != `"aaa"` || row.NewVariants != 1 {
		t.Errorf("with unknown ids of accepted variants: accepted %v, %s, %d new variants", row.Accepted, row.Quoted, row.NewVariants)
	}
	again.Accepted.Entries[0].Variants = nil
	if n := again.Row(again.Find(id)).NewVariants; n != 0 {
		t.Errorf("%d new variants of an entry that lists none", n)
	}
	if row := open(t, folder).Row(open(t, folder).Find(id)); row.Quoted != `"b"` {
		t.Errorf("not accepted: %s", row.Quoted)
	}
}

func TestAcceptedAs(t *testing.T) {
	file := &accept.File{Entries: []accept.Entry{{Bucket: "own", Reason: "own"}, {Bucket: "variant", Reason: "variant"}, {Bucket: "as", Reason: "as"}}}
	as := map[string]string{AsKey: "as"}
	for _, test := range []struct {
		name   string
		bucket finding.Bucket
		want   string
	}{
		{"its id", finding.Bucket{ID: "own"}, "own"},
		{"that of a variant", finding.Bucket{ID: "other", Variants: []finding.Variant{{ID: "other"}, {ID: "variant"}}}, "variant"},
		{"what it was accepted as", finding.Bucket{ID: "other", Extra: as}, "as"},
		{"its id, before those of variants", finding.Bucket{ID: "own", Variants: []finding.Variant{{ID: "variant"}}, Extra: as}, "own"},
		{"variants, before what it was accepted as", finding.Bucket{ID: "other", Variants: []finding.Variant{{ID: "variant"}}, Extra: as}, "variant"},
		{"none", finding.Bucket{ID: "other", Variants: []finding.Variant{{ID: "other"}}}, ""},
		{"what it was accepted as is removed", finding.Bucket{ID: "other", Extra: map[string]string{AsKey: "removed"}}, ""},
		{"another key", finding.Bucket{ID: "other", Extra: map[string]string{GoneKey: "own"}}, ""},
	} {
		e, ok := AcceptedAs(file, &test.bucket)
		if ok != (test.want != "") || e.Reason != test.want {
			t.Errorf("%s: %q, %v", test.name, e.Reason, ok)
		}
		if _, ok := AcceptedAs(&accept.File{}, &test.bucket); ok {
			t.Errorf("%s: accepted by an empty file", test.name)
		}
	}
}

// TestLapse checks that a lapsed entry accepts nothing until its input shows again. This holds for
// every id, for recorded and later buckets, and for readers of the folder. Other entries stay as
// they are.
func TestLapse(t *testing.T) {
	entries := []accept.Entry{
		{Bucket: variantID(1), Reason: "own", Input: []byte("1")},
		{Bucket: variantID(2), Reason: "as", Input: []byte("2")},
		{Bucket: variantID(3), Reason: "later", Input: []byte("3")},
		{Bucket: variantID(1), Reason: "own, too", Input: []byte("4")},
	}
	for lapsed := range 1 << len(entries) {
		folder := findingstest.OpenFolder(t, t.TempDir())
		file := &accept.File{Entries: entries}
		load := func() *Buckets {
			f, problems, err := Load(folder, findingstest.Target(), file)
			if err != nil || len(problems) > 0 {
				t.Fatal(err, problems)
			}
			return f
		}
		f := load()
		add(t, f, looks(variantID(1), about(1), "a", "a"))
		add(t, f, looks(variantID(4), about(4), "b", "b"))
		if err := f.Expect(variantID(2), looks(variantID(5), about(4), "e", "e")); err != nil {
			t.Fatal(err)
		}
		set := func(which int) {
			for i, e := range entries {
				change := f.Hold
				if which>>i&1 != 0 {
					change = f.Lapse
				}
				if err := change(e); err != nil {
					t.Fatal(err)
				}
			}
		}
		check := func(which int) {
			t.Helper()
			reasons := map[string]string{variantID(1): "", variantID(3): "", variantID(4): ""}
			for i, id := range map[int]string{3: variantID(1), 1: variantID(4), 2: variantID(3)} {
				if which>>i&1 == 0 {
					reasons[id] = entries[i].Reason
				}
			}
			if which&1 == 0 {
				reasons[variantID(1)] = "own"
			}
			for name, f := range map[string]*Buckets{"this invocation": f, "a reader": load()} {
				open := 0
				for id, want := range reasons {
					row := f.Row(f.Find(id))
					if row.Accepted != (want != "") || row.Reason != want || row.Open() == row.Accepted || f.Find(id).Accepted != row.Accepted {
						t.Errorf("%04b, %s: %s is accepted %q, want %q", which, name, id, row.Reason, want)
					}
					if want == "" {
						open++
					}
				}
				if n := f.Kinds()["discrepancy"]; n != open {
					t.Errorf("%04b, %s: %d count, want %d", which, name, n, open)
				}
			}
		}
		set(lapsed)
		add(t, f, looks(variantID(3), about(3), "c", "c"))
		check(lapsed)
		add(t, f, looks(variantID(1), about(1), "aa", "aa")) // one more input changes nothing
		check(lapsed)
		f = load() // the next invocation
		set(0)
		check(0)
	}
}

// TestOtherInputs checks that a bucket lists each of its other inputs on disk once, variants first,
// without stale ones.
func TestOtherInputs(t *testing.T) {
	f := open(t, findingstest.OpenFolder(t, t.TempDir()))
	var b *Group
	for i := range storedInputs {
		b = add(t, f, looks(variantID(1+i/5), about(1), fmt.Sprint("input ", i), fmt.Sprint(i)))
	}
	hashes := b.OtherInputs()
	if len(hashes) != storedInputs-1 || slices.Contains(hashes, b.BestHash) || hashes[0] != b.Variants[1].Hash {
		t.Errorf("%q, smallest %s", hashes, b.BestHash)
	}
	for _, hash := range hashes {
		if as, err := f.WithInput(b, hash); err != nil || as.BestHash != hash || as.ID != b.ID || bytes.Equal(as.Best.Minimized, b.Best.Minimized) {
			t.Errorf("%s: %v", hash, err)
		}
	}
	if err := f.Mark(b.ID, true); err != nil {
		t.Fatal(err)
	}
	if b = add(t, f, looks(variantID(1), about(1), "another", "another")); len(b.OtherInputs()) != 0 {
		t.Errorf("stale ones: %q", b.OtherInputs())
	}
}

// TestAcceptedVariants checks that an entry accepts all variants that it lists, in a new folder and
// in any order of their findings. Each looks like the bucket's first finding, and none need look
// like the shown one. Other causes stay findings, and other changes that look the same.
func TestAcceptedVariants(t *testing.T) {
	for _, versions := range []bool{false, true} {
		variants := []*triage.Result{
			looks(variantID(1), edited(1, "+", "-", "*"), "first", "aaa"), looks(variantID(2), edited(1, "+"), "shown", "a"), looks(variantID(3), edited(1, "-"), "third", "aa"),
			looks(variantID(4), edited(1, "*"), "fourth", "aaaa"),
		}
		other, unlike := looks(variantID(5), edited(2, "/"), "other", "b"), looks(variantID(3), edited(2, "/"), "unlike", "c")
		if versions {
			for i, found := range append(slices.Clone(variants), other, unlike) {
				found.Symptoms.Vague, found.Symptoms.Change = true, changed(1).Change
				if found == unlike {
					found.Symptoms.Change = changed(2).Change
				}
				found.Bucket = found.Symptoms.ID([]string{"a", "b"}) + fmt.Sprint(i) // as if the functions differed
			}
		}
		f := open(t, findingstest.OpenFolder(t, t.TempDir()))
		var b *Group
		for _, found := range variants {
			b = add(t, f, found)
		}
		if f.Count() != 1 || len(b.Variants) != 4 || b.Best.Variant != variantID(2) {
			t.Fatalf("versions %v: %d buckets, %d variants, the smallest is of %s", versions, f.Count(), len(b.Variants), b.Best.Variant)
		}
		entry := accept.Entry{Bucket: b.ID, Input: f.target.About().Shape.Encode(b.Best.Minimized), Variants: b.VariantIDs(), Change: b.BestChange()}
		for seed := range uint64(24) {
			folder := findingstest.OpenFolder(t, t.TempDir())
			before := open(t, folder) // a campaign that has found some of them
			order := rand.New(rand.NewPCG(seed, 1)).Perm(len(variants))
			for _, i := range order[:seed%3] {
				add(t, before, variants[i])
			}
			f, _, err := Load(folder, findingstest.Target(), &accept.File{Entries: []accept.Entry{entry}})
			if err != nil {
				t.Fatal(err)
			}
			f.Describe = text.Markdown
			if err := f.Expect(entry.Bucket, variants[1]); err != nil {
				t.Fatal(err)
			}
			for _, i := range order {
				if b := add(t, f, variants[i]); !f.Row(b).Accepted || seed%3 == 0 && b.ID != entry.Bucket {
					t.Fatalf("versions %v, seed %d: %s of %v is a finding or apart", versions, seed, variants[i].Flat, order)
				}
			}
			for _, found := range []*triage.Result{other, unlike} {
				if found == unlike && !versions {
					continue // one variant is one cause
				}
				if b := add(t, f, found); f.Row(b).Accepted {
					t.Fatalf("versions %v, seed %d: another cause is accepted", versions, seed)
				}
			}
		}
	}
}

// TestAcceptedIn checks a finding with a variant that the entry of another finding lists. It is
// open until an entry of its own accepts it.
func TestAcceptedIn(t *testing.T) {
	f := open(t, findingstest.OpenFolder(t, t.TempDir()))
	add(t, f, looks(variantID(2), about(1, "+", "-"), "first", "aaa"))
	b := add(t, f, looks(variantID(3), about(1, "-"), "second", "aa"))
	if f.Count() != 1 || len(b.Variants) != 2 {
		t.Fatalf("%d buckets, %v", f.Count(), b.VariantIDs())
	}
	other := accept.Entry{Bucket: variantID(1), Input: []byte("x"), Reason: "another one", Variants: []string{variantID(1), variantID(3)}}
	f.Accepted = &accept.File{Entries: []accept.Entry{other}}
	if row := f.Row(b); row.Accepted || row.NewVariant || row.AcceptedIn != other.Bucket || row.NewVariants != 1 || !row.Undecided() {
		t.Errorf("accepted in part: %+v", row)
	}
	f.Accepted.Entries = append(f.Accepted.Entries, accept.Entry{Bucket: b.ID, Input: []byte("y"), Reason: "its own", Variants: b.VariantIDs()})
	if row := f.Row(b); !row.Accepted || row.AcceptedIn != "" || row.Reason != "its own" {
		t.Errorf("accepted with an entry of its own: %+v", row)
	}
}
