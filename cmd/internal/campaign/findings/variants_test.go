package findings

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/causes"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/show/text"
	"parallax/internal/oracle"
)

// variantID returns the id of a variant.
func variantID(n int) string { return fmt.Sprintf("%012x", 0xdddd00000000+n) }

// about returns the symptoms of a cause, given by its number. Different causes return different
// errors.
func about(cause int, edits ...string) *causes.Symptoms {
	return edited(cause, append([]string{"!"}, edits...)...)
}

// edited returns symptoms that consist of other edits alone. Those of one number are one cause if
// they share an edit.
func edited(cause int, edits ...string) *causes.Symptoms {
	return &causes.Symptoms{
		Layer: "verdict", Outcomes: []string{"accepted", "rejected"}, Functions: []string{"", fmt.Sprint("p.check", cause)},
		Classes: []string{"", fmt.Sprint("T\nno ", cause)}, Edits: edits,
	}
}

// changed returns the symptoms of a cause between versions.
func changed(cause int) *causes.Symptoms {
	s := about(0)
	s.Change = fmt.Sprintf("%012x", 0xcccc00000000+cause)
	return s
}

// looks returns a finding of a variant. An empty small means that it was not minimized.
func looks(variant string, s *causes.Symptoms, flat, small string) *triage.Result {
	found := findingstest.Disagreement(variant, variant, flat, small)
	if small != "" {
		found.Variant, found.Symptoms = variant, s
		if s != nil && s.Change != "" {
			found.Bucket = s.ID([]string{"a", "b"})
		}
	}
	return found
}

// add files a finding and returns its bucket.
func add(t *testing.T, f *Buckets, found *triage.Result) *Group {
	t.Helper()
	b, _, err := f.Add(found, finding.Candidate{Flat: found.Flat, Inputs: f.Total()})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// open returns the buckets of a campaign that resumes with a folder.
func open(t *testing.T, folder *state.Folder, accepted ...string) *Buckets {
	t.Helper()
	file := &accept.File{}
	for _, id := range accepted {
		file.Entries = append(file.Entries, accept.Entry{Bucket: id, Reason: "entry " + id})
	}
	f, problems, err := Load(folder, findingstest.Target(), file)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	f.Describe = text.Markdown
	return f
}

// counts returns the variants of a bucket with their numbers of inputs, as text.
func counts(b *Group) string {
	var list []string
	for _, v := range b.Variants {
		list = append(list, fmt.Sprint(v.ID[11:], " ", v.Count))
	}
	return strings.Join(list, ", ")
}

// TestCombined checks the saturation of inputs that combine two causes. They need no more inputs
// once the part that triage extracted has enough, minimized or not.
func TestCombined(t *testing.T) {
	f := open(t, findingstest.OpenFolder(t, t.TempDir()))
	for i := range enoughInputs {
		if f.Saturated("combination") {
			t.Errorf("enough after %d", i)
		}
		found := looks(variantID(1), about(1), fmt.Sprint("input ", i), "b")
		found.Combined = "combination"
		add(t, f, found)
	}
	if !f.Saturated("combination") {
		t.Error("inputs of that kind are minimized for ever")
	}
	found := looks(variantID(1), nil, "more", "")
	found.Combined = "another combination"
	if b := add(t, f, found); b.ID != variantID(1) || !f.Saturated("another combination") {
		t.Errorf("bucket %s: another combination that leads to what has enough is minimized for ever", b.ID)
	}
}

func TestVariants(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := open(t, folder)
	for _, s := range []struct {
		name     string
		found    *triage.Result
		id       int // of the bucket: its first variant
		fresh    bool
		count    uint64
		variants string
		best     string
	}{
		{"the first", looks(variantID(1), about(1), "one", "bb"), 1, true, 1, "1 1", "bb"},
		{"another variant of its cause", looks(variantID(2), about(1), "two", "cc"), 1, false, 2, "1 1, 2 1", "bb"},
		{"another cause", looks(variantID(3), about(2), "three", "a"), 3, true, 1, "3 1", "a"},
		{"a known variant", looks(variantID(2), about(1), "four", "dd"), 1, false, 3, "1 1, 2 2", "bb"},
		{"a known variant, whatever its symptoms are", looks(variantID(2), about(2), "five", "ee"), 1, false, 4, "1 1, 2 3", "bb"},
		{"one of which nothing is known", looks(variantID(4), nil, "six", "a"), 4, true, 1, "4 1", "a"},
		{"another one", looks(variantID(5), nil, "seven", "a"), 5, true, 1, "5 1", "a"},
		{"one cause with the first variant", looks(variantID(6), about(1, "-"), "eight", "b"), 1, false, 5, "1 1, 2 3, 6 1", "b"},
		{"one cause with a later variant alone", looks(variantID(7), edited(1, "-", "9", "a"), "nine", "c"), 7, true, 1, "7 1", "c"},
		{"not minimized, as the second variant was", looks(variantID(2), nil, "ten", ""), 1, false, 6, "1 1, 2 4, 6 1", "b"},
		{"a crash at the place of a variant", crash(variantID(2)), 2, true, 1, "", "boom"},
	} {
		want := variantID(s.id)
		if s.found.Kind != finding.KindDiscrepancy {
			want = s.found.Bucket
		}
		b, fresh, err := f.Add(s.found, finding.Candidate{Flat: s.found.Flat, Inputs: f.Total()})
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if b.ID != want || fresh != s.fresh || b.Count != s.count || counts(b) != s.variants || string(b.Best.Minimized) != s.best {
			t.Errorf("%s: bucket %s, new %v, %d inputs of the variants %q, best %q", s.name, b.ID, fresh, b.Count, counts(b), b.Best.Minimized)
		}
		for id, b := range open(t, folder).buckets {
			if !reflect.DeepEqual(b.Variants, f.buckets[id].Variants) {
				t.Errorf("%s: variants %+v are loaded as %+v", s.name, f.buckets[id].Variants, b.Variants)
			}
		}
	}
}

// crash returns a finding of another kind.
func crash(before string) *triage.Result {
	found := findingstest.Disagreement(before, "eeee00000001", "boom long", "boom")
	found.Kind, found.Layer, found.Program = "crash", 0, 1
	found.Results[1].Outcome = uint64(oracle.Crashed)
	return found
}

// arrivals holds findings, and the cause of each by its input.
type arrivals struct {
	list  []*triage.Result
	cause map[string]int
}

// arriving returns findings of several causes with several variants each. Between versions,
// findings of different causes may look alike.
func arriving(random *rand.Rand, versions bool) arrivals {
	a := arrivals{cause: map[string]int{}}
	for i := range 12 {
		cause := random.IntN(4)
		variant, symptoms := 10*cause+random.IntN(4), about(cause)
		if versions {
			variant, symptoms = random.IntN(6), changed(cause)
		}
		flat := fmt.Sprint("input ", i)
		a.list, a.cause[flat] = append(a.list, looks(variantID(variant), symptoms, flat, fmt.Sprint(i))), cause
	}
	return a
}

// TestPartition checks that the causes alone decide which findings share a bucket. Order and
// resumed runs do not matter. Between versions, they do not even matter for the name.
func TestPartition(t *testing.T) {
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 5))
		versions := seed%2 == 1
		a := arriving(random, versions)
		names := map[int]string{}
		for order := range 3 {
			random.Shuffle(len(a.list), func(i, k int) { a.list[i], a.list[k] = a.list[k], a.list[i] })
			folder := findingstest.OpenFolder(t, t.TempDir())
			f := open(t, folder)
			of := map[int]string{} // the first variant of each cause, or its change
			for _, found := range a.list {
				if order > 0 && random.IntN(3) == 0 {
					f = open(t, folder)
				}
				cause := a.cause[string(found.Flat)]
				if of[cause] == "" {
					of[cause] = found.Bucket
				}
				if b := add(t, f, found); b.ID != of[cause] {
					t.Fatalf("seed %d: cause %d, variant %s is in bucket %s, want %s", seed, cause, found.Variant, b.ID, of[cause])
				}
			}
			if f.Count() != len(of) {
				t.Errorf("seed %d: %d buckets of %d causes", seed, f.Count(), len(of))
			}
			if versions && len(names) > 0 && !maps.Equal(names, of) {
				t.Errorf("seed %d: buckets %v, and %v in another order", seed, names, of)
			}
			names = of
		}
	}
}

// TestFirstOfSeveral checks that a finding with the cause of several separate buckets belongs to
// the oldest.
func TestFirstOfSeveral(t *testing.T) {
	for _, read := range []bool{false, true} {
		folder := findingstest.OpenFolder(t, t.TempDir())
		f := open(t, folder)
		first, second := add(t, f, looks(variantID(3), edited(1, "-"), "one", "1")), add(t, f, looks(variantID(2), edited(1, "9"), "two", "2"))
		if first.ID == second.ID {
			t.Fatal("two causes are in one bucket")
		}
		if read {
			f = open(t, folder)
		}
		if b := add(t, f, looks(variantID(1), edited(1, "-", "9"), "three", "3")); b.ID != first.ID {
			t.Errorf("read again %v: it is in bucket %s, want %s", read, b.ID, first.ID)
		}
	}
}

// TestVariantAfterKill checks that a campaign files a finding in the same bucket after a kill that
// came before the bucket's own file was written.
func TestVariantAfterKill(t *testing.T) {
	for name, s := range map[string][2]*causes.Symptoms{"one cause": {about(1), about(1)}, "one change": {changed(1), changed(1)}} {
		folder := findingstest.OpenFolder(t, t.TempDir())
		f := open(t, folder)
		first, second := looks(variantID(1), s[0], "one", "1"), looks(variantID(2), s[1], "two", "22")
		id := add(t, f, first).ID
		path := filepath.Join(folder.Dir(), "findings", id, "bucket.json")
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		add(t, f, second)
		if err := os.WriteFile(path, before, 0o600); err != nil {
			t.Fatal(err)
		}
		f = open(t, folder)
		if b := add(t, f, second); b.ID != id || b.stored != 2 || counts(b) != "1 1, 2 1" || b.Variants[1].Hash == "" {
			t.Errorf("%s: filed again in %s, want %s: %+v", name, b.ID, id, b.Bucket)
		}
		// The kill came before there was any such file.
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		f = open(t, folder)
		if b := add(t, f, first); b.ID != id || b.stored != 2 || f.Count() != 1 {
			t.Errorf("%s: filed anew in %s, want %s: %+v", name, b.ID, id, b.Bucket)
		}
	}
}

// TestChangesThatLookAlike checks that a change is a cause between versions, even if findings of
// two changes look alike. Findings that were not minimized belong to one of them.
func TestChangesThatLookAlike(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := open(t, folder)
	first, second := add(t, f, looks(variantID(1), changed(1), "one", "1")), add(t, f, looks(variantID(1), changed(2), "two", "2"))
	if first.ID == second.ID {
		t.Errorf("two changes are in one bucket")
	}
	f = open(t, folder)
	for cause, id := range map[int]string{1: first.ID, 2: second.ID} {
		if b := add(t, f, looks(variantID(1), changed(cause), fmt.Sprint("again ", cause), "33")); b.ID != id {
			t.Errorf("change %d is in bucket %s, want %s", cause, b.ID, id)
		}
	}
	if b := add(t, f, looks(variantID(1), nil, "long", "")); b.ID != first.ID && b.ID != second.ID || b.Count != 3 {
		t.Errorf("what was not minimized is in bucket %s of %d inputs", b.ID, b.Count)
	}
	// Acceptance of one change says nothing about the other.
	f = open(t, findingstest.OpenFolder(t, t.TempDir()), findingstest.FirstID)
	if err := f.Expect(findingstest.FirstID, looks(variantID(1), changed(1), "one", "1")); err != nil {
		t.Fatal(err)
	}
	if b := add(t, f, looks(variantID(1), changed(2), "two", "2")); b.ID == findingstest.FirstID || f.Row(b).Accepted {
		t.Errorf("another change is accepted as %s", b.ID)
	}
	if b := add(t, f, looks(variantID(9), changed(1), "three", "3")); b.ID != findingstest.FirstID || !f.Row(b).Accepted {
		t.Errorf("the change that is accepted is in bucket %s", b.ID)
	}
}

// TestName checks that a bucket of an earlier version of parallax has no variants until its
// smallest input runs again. Then it takes further variants.
func TestName(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := open(t, folder)
	addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "one", "1"), findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "two", "22"))
	add(t, f, crash(""))
	f = open(t, folder)
	b := f.Find(findingstest.FirstID)
	if b.Named(false) || !f.Find("eeee00000001").Named(false) {
		t.Error("an old disagreement is named, or a crash is not")
	}
	for name, found := range map[string]*triage.Result{
		"a crash": crash(""), "no variant": findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "one", "1"),
	} {
		if err := f.Name(findingstest.FirstID, found); err != nil || f.Find(findingstest.FirstID).Named(false) {
			t.Errorf("named by %s: %v", name, err)
		}
	}
	if err := f.Name(findingstest.ThirdID, looks(variantID(1), about(1), "one", "1")); err != nil || f.Find(findingstest.ThirdID) != nil {
		t.Errorf("a bucket that is not there: %v", err)
	}
	for _, found := range []*triage.Result{looks(variantID(1), about(1), "one", "1"), looks(variantID(2), about(2), "one", "1")} {
		if err := f.Name(findingstest.FirstID, found); err != nil {
			t.Fatal(err)
		}
	}
	want := []finding.Variant{{ID: variantID(1), Count: 2, Hash: b.BestHash, Symptoms: about(1)}}
	for _, f := range []*Buckets{f, open(t, folder)} {
		if b := f.Find(findingstest.FirstID); !reflect.DeepEqual(b.Variants, want) || !b.Named(false) || b.Best.Variant != variantID(1) {
			t.Errorf("variants %+v, want %+v", b.Variants, want)
		}
		if rows := f.Rows(); len(f.Row(f.Find(findingstest.FirstID)).Variants) > 0 {
			t.Errorf("rows %+v", rows)
		}
	}
	for i, found := range []*triage.Result{
		looks(variantID(1), nil, "three", ""), looks(variantID(1), about(1), "four", "44"), looks(variantID(3), about(1), "five", "55"),
	} {
		if b := add(t, f, found); b.ID != findingstest.FirstID || b.Count != uint64(3+i) {
			t.Errorf("%s is in bucket %s with %d inputs", found.Flat, b.ID, b.Count)
		}
	}
	if got := counts(f.Find(findingstest.FirstID)); got != "1 4, 3 1" {
		t.Errorf("variants %s", got)
	}
	// Inputs without a recorded variant are of the bucket's first, even if another input represents
	// that variant later.
	for i, want := range []string{`"1" 1, "22" 1, "44" 1, "55" 3`, `"0" 1, "1" 1, "22" 1, "44" 1, "55" 3`} {
		if i > 0 {
			add(t, f, looks(variantID(1), about(1), "zero", "0"))
		}
		f = open(t, folder)
		b := f.Find(findingstest.FirstID)
		list := []string{b.quoted[b.BestHash] + " " + b.Best.Variant[11:]}
		for _, o := range f.Page(b).Others {
			list = append(list, o.Input+" "+o.Variant[min(11, len(o.Variant)):])
		}
		if slices.Sort(list); strings.Join(list, ", ") != want {
			t.Errorf("inputs and their variants: %s, want %s", strings.Join(list, ", "), want)
		}
	}
	if v := f.Find("eeee00000001").Best.Variant; v != "" {
		t.Errorf("a crash is of the variant %s", v)
	}
	if b := add(t, f, looks(variantID(4), about(2), "six", "66")); b.ID != variantID(4) {
		t.Errorf("another cause is in bucket %s", b.ID)
	}
}

// TestVariantsAreBounded checks that a cause with many variants keeps few of them, and few of their
// inputs. All are counted.
func TestVariantsAreBounded(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := open(t, folder)
	const n = maxVariants + 5
	for i := range n {
		for k := range 2 { // the second input of a variant is kept only among the first inputs
			if b := add(t, f, looks(variantID(i), about(1), fmt.Sprint("input ", i, " ", k), fmt.Sprint(1000+2*i+k))); b.ID != variantID(0) {
				t.Fatalf("variant %d is in bucket %s", i, b.ID)
			}
		}
	}
	for _, f := range []*Buckets{f, open(t, folder)} {
		b := f.Find(variantID(0))
		if len(b.Variants) != maxVariants || b.Count != 2*n || b.stored != storedInputs+variantInputs {
			t.Errorf("%d variants, %d inputs, %d stored", len(b.Variants), b.Count, b.stored)
		}
		for i, v := range b.Variants {
			kept := i < storedInputs/2+variantInputs
			if v.Count != 2 || (v.Hash != "") != kept {
				t.Errorf("variant %d has %d inputs, on disk %q", i, v.Count, v.Hash)
			}
		}
		if row := f.Row(b); len(row.Variants) != maxVariants-1 {
			t.Errorf("%d variants in the row", len(row.Variants))
		}
	}
}

// TestOtherVariants checks that the other variants are listed most frequent first, each with an
// input on disk.
func TestOtherVariants(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := open(t, folder)
	for i, v := range []int{1, 5, 3, 4, 2, 2, 4, 4, 5, 1} {
		small := ""
		if i < 5 {
			small = fmt.Sprint("small", v)
		}
		add(t, f, looks(variantID(v), about(1), fmt.Sprint("input ", i), small))
	}
	for _, f := range []*Buckets{f, open(t, folder)} {
		row := f.Row(f.Find(variantID(1)))
		if got := order(row.Variants); got != "4 3, 2 2, 5 2, 3 1" {
			t.Errorf("variants %s", got)
		}
		for i, want := range []string{"small4", "small2", "small5", "small3"} {
			v := row.Variants[i]
			data, err := os.ReadFile(v.Minimized)
			if v.Quoted != `"`+want+`"` || err != nil || !bytes.Equal(data, []byte(want)) {
				t.Errorf("variant %s is %s, at %s: %q, %v", v.ID, v.Quoted, v.Minimized, data, err)
			}
		}
	}
	// A smaller input of another variant is the best one now. The former one is listed by its
	// smallest input.
	add(t, f, looks(variantID(1), about(1), "input 10", "less"))
	add(t, f, looks(variantID(3), about(1), "input 11", "s"))
	for _, f := range []*Buckets{f, open(t, folder)} {
		list := f.Row(f.Find(variantID(1))).Variants
		if got := order(list); got != "1 3, 4 3, 2 2, 5 2" || list[0].Quoted != `"less"` {
			t.Errorf("with a smaller input: variants %s, the first %+v", got, list[0])
		}
	}
}

// TestDropVariant checks that a bucket without its later variant is accepted again. The inputs stay
// on disk as stale ones, and the variant comes back with its next finding.
func TestDropVariant(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := open(t, folder)
	id := add(t, f, looks(variantID(1), about(1), "first", "f")).ID
	entry := accept.Entry{Bucket: id, Input: f.target.About().Shape.Encode([]byte("f")), Variants: []string{variantID(1)}}
	file := &accept.File{Entries: []accept.Entry{entry}}
	f.Accepted = file
	add(t, f, looks(variantID(2), about(1), "second", "s"))
	add(t, f, looks(variantID(2), about(1), "third", "t"))
	for again := range 2 {
		f, _, err := Load(folder, findingstest.Target(), file)
		if err != nil {
			t.Fatal(err)
		}
		b := f.Find(id)
		if !f.IsLater(b, variantID(2)) || f.IsLater(b, variantID(1)) || f.Row(b).Accepted || len(b.InputsOf(b.Variants[1])) != 2-again {
			t.Fatalf("%d: %+v", again, f.Row(b))
		}
		if err := f.DropVariant(id, variantID(2)); err != nil {
			t.Fatal(err)
		}
		known, _, err := Load(folder, findingstest.Target(), file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []*Buckets{f, known} {
			b := f.Find(id)
			if row := f.Row(b); !row.Accepted || row.NewVariants != 0 || len(row.Variants) != 0 || f.AcceptedVariant(variantID(2)) || len(b.OtherInputs()) != 0 {
				t.Errorf("%d: %+v", again, row)
			}
		}
		if b := add(t, f, looks(variantID(2), about(1), "second", "s")); f.Row(b).Accepted || f.Open(b).Best.Variant != variantID(2) {
			t.Errorf("%d: the variant does not come back: %+v", again, f.Row(b))
		}
	}
}

func order(list []finding.VariantRow) string {
	var text []string
	for _, v := range list {
		text = append(text, fmt.Sprint(v.ID[11:], " ", v.Count))
	}
	return strings.Join(text, ", ")
}

// TestOtherVariantsWithoutBest checks that the variant of the smallest input is not listed again.
// Several inputs may minimize to the same one, and another of them may come first when the folder
// is read.
func TestOtherVariantsWithoutBest(t *testing.T) {
	for _, flats := range [][]string{{"one", "two", "three"}, {"three", "two", "one"}, {"two", "three", "one"}} {
		folder := findingstest.OpenFolder(t, t.TempDir())
		f := open(t, folder)
		for _, flat := range flats {
			add(t, f, looks(variantID(1), about(1), flat, "same"))
		}
		for i, f := range []*Buckets{f, open(t, folder)} {
			if list := f.Row(f.Find(variantID(1))).Variants; len(list) > 0 {
				t.Errorf("%v, read again %d times: variants %+v beside the only one", flats, i, list)
			}
		}
	}
}

// TestShrunkKeepsTheVariant checks that parallax minimize, which does not determine variants, keeps
// the variant of a finding.
func TestShrunkKeepsTheVariant(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := open(t, folder)
	add(t, f, looks(variantID(1), about(1), "one", "first"))
	add(t, f, looks(variantID(2), about(1), "two", "second"))
	small := findingstest.Disagreement("", "", "first", "1")
	if err := f.Shrink(f.Find(variantID(1)), &triage.Smaller{Result: small, Holed: true}); err != nil {
		t.Fatal(err)
	}
	for _, f := range []*Buckets{f, open(t, folder)} {
		b := f.Find(variantID(1))
		if b.Best.Variant != variantID(1) || string(b.Best.Minimized) != "1" || counts(b) != "1 1, 2 1" || order(f.Row(b).Variants) != "2 1" {
			t.Errorf("%q of variant %q, variants %s, told %s", b.Best.Minimized, b.Best.Variant, counts(b), order(f.Row(b).Variants))
		}
	}
}

func TestVariantOf(t *testing.T) {
	b := &Group{Bucket: finding.Bucket{Variants: []finding.Variant{{ID: variantID(2), Hash: "x"}, {ID: variantID(3), Hash: "y"}}}}
	for hash, want := range map[string]string{"x": variantID(2), "y": variantID(3), "z": variantID(2)} {
		if got := b.variantOf(hash); got != want {
			t.Errorf("%s: %q, want %q", hash, got, want)
		}
	}
	if got := (&Group{}).variantOf("x"); got != "" {
		t.Errorf("without variants: %q", got)
	}
}

func TestIsVariant(t *testing.T) {
	b := &Group{Bucket: finding.Bucket{ID: variantID(1), Variants: []finding.Variant{{ID: variantID(2)}, {ID: variantID(3)}}}}
	ids := []string{variantID(1), variantID(2), variantID(3), "", variantID(2)[:4]}
	if got := slices.IndexFunc(ids, b.IsVariant); got != 1 || !b.IsVariant(ids[2]) || b.IsVariant(ids[3]) || b.IsVariant(ids[4]) {
		t.Error("an id is taken for that of a variant")
	}
}

// TestBucketsOfChanges checks that similar findings of different or unknown changes have different
// buckets.
func TestBucketsOfChanges(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := open(t, folder)
	none := add(t, f, looks(variantID(1), nil, "one", "1"))
	first := add(t, f, looks(variantID(1), changed(1), "two", "22"))
	second := add(t, f, looks(variantID(1), changed(2), "three", "333"))
	again := add(t, f, looks(variantID(1), nil, "four", "4444"))
	if none.ID == first.ID || none.ID == second.ID || first.ID == second.ID || again.ID != none.ID {
		t.Errorf("buckets %s, %s, %s and %s", none.ID, first.ID, second.ID, again.ID)
	}
	f = open(t, folder)
	for id, want := range map[string]bool{none.ID: false, first.ID: true, second.ID: true} {
		if b := f.Find(id); !b.Named(false) || b.Named(true) != want {
			t.Errorf("%s is named %v, between versions %v", id, b.Named(false), b.Named(true))
		}
	}
	if err := f.Name(none.ID, looks(variantID(1), changed(3), "one", "1")); err != nil || !f.Find(none.ID).Named(true) {
		t.Errorf("not named: %v", err)
	}
	if b := add(t, open(t, folder), looks(variantID(1), changed(3), "five", "55")); b.ID != none.ID {
		t.Errorf("a finding of the change is in bucket %s", b.ID)
	}
}
