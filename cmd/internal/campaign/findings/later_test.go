package findings

import (
	"slices"
	"testing"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
)

// laterVariant returns a folder with a bucket that is accepted with its first variant, and has two
// inputs of a later one.
func laterVariant(t *testing.T) (f *Buckets, id string, load func() *Buckets) {
	t.Helper()
	folder := findingstest.OpenFolder(t, t.TempDir())
	f = open(t, folder)
	id = add(t, f, looks(variantID(1), about(1), "first", "f")).ID
	f.Accepted = &accept.File{Entries: []accept.Entry{{Bucket: id, Input: f.target.About().Shape.Encode([]byte("f")), Variants: []string{variantID(1)}}}}
	accepted := f.Accepted
	add(t, f, looks(variantID(2), about(1), "second", "s"))
	add(t, f, looks(variantID(2), about(1), "third", "t"))
	return f, id, func() *Buckets {
		again, problems, err := Load(folder, findingstest.Target(), accepted)
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		return again
	}
}

// TestDropVariantOfThisRun checks that all inputs of a dropped variant are stale, also those that
// this run filed: a later find of them counts.
func TestDropVariantOfThisRun(t *testing.T) {
	f, id, load := laterVariant(t)
	if err := f.MarkFlaky(id, "it wavers"); err != nil {
		t.Fatal(err)
	}
	if err := f.DropVariant(id, variantID(2)); err != nil {
		t.Fatal(err)
	}
	for _, f := range []*Buckets{f, load()} {
		b := f.Find(id)
		if row := f.Row(b); !row.Accepted || row.Flaky || row.Wavers != "" || len(b.OtherInputs()) != 0 || b.stored != 1 {
			t.Errorf("without the variant: %+v, %d inputs", row, b.stored)
		}
		for flat, want := range map[string]bool{"first": true, "second": false, "third": false} {
			if got := f.Filed("verdict", corpus.Hash(f.facts.Shape.Encode([]byte(flat)))); got != want {
				t.Errorf("%s is filed: %v", flat, got)
			}
		}
	}
}

// TestSupersededInputs checks that a replaced bucket has only the inputs of its new findings.
func TestSupersededInputs(t *testing.T) {
	f, id, _ := laterVariant(t)
	if err := f.MarkFlaky(id, "it wavers"); err != nil {
		t.Fatal(err)
	}
	b := add(t, f, looks(variantID(2), about(1), "third", "t"))
	if got := b.InputsOf(b.Variants[0]); b.ID != id || len(got) != 1 || len(b.inputs) != 1 {
		t.Errorf("inputs %v of %+v", got, b.inputs)
	}
}

// TestReplaceVariant checks that a variant stays on record until the finding in its place is on
// disk. The finding may be of the same variant, of another one, or of another bucket.
func TestReplaceVariant(t *testing.T) {
	for _, test := range []struct {
		name           string
		variant, cause int
		left           []string // the variants of the bucket
	}{
		{"the same variant", 2, 1, []string{variantID(1), variantID(2)}},
		{"another variant", 3, 1, []string{variantID(1), variantID(3)}},
		{"another bucket", 4, 2, []string{variantID(1)}},
	} {
		f, id, load := laterVariant(t)
		describe, calls := f.Describe, 0
		f.Describe = func(rep *finding.Finding, page finding.Page) []byte {
			calls++
			if b := load().Find(id); !b.IsVariant(variantID(2)) {
				t.Errorf("%s: the variant is lost before the finding is on disk", test.name)
			}
			return describe(rep, page)
		}
		found := looks(variantID(test.variant), about(test.cause), "second", "s")
		if err := f.ReplaceVariant(id, variantID(2), found, finding.Candidate{Flat: found.Flat}); err != nil || calls == 0 {
			t.Fatalf("%s: %v after %d reports", test.name, err, calls)
		}
		for _, f := range []*Buckets{f, load()} {
			b := f.Find(id)
			if got := b.VariantIDs(); !slices.Equal(got, test.left) || b.stale(corpus.Hash(f.facts.Shape.Encode([]byte("third")))) != true {
				t.Errorf("%s: variants %v, stale %q", test.name, got, b.Extra[staleKey])
			}
			if n := f.Count(); n != 1+test.cause-1 {
				t.Errorf("%s: %d buckets", test.name, n)
			}
		}
	}
}
