package findings

import (
	"fmt"
	"parallax/cmd/internal/finding"
	"strings"
	"testing"

	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding/accept"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// failed files an input on which a check of program a fails. placed means that the bucket holds all
// messages.
func failed(t *testing.T, f *Buckets, kind, in string, placed bool) *Group {
	t.Helper()
	found := &triage.Result{
		Kind: kind, Flat: []byte(in), Minimized: []byte(in), Deciding: []int{triage.None, triage.None},
		Results: []wire.RunResult{{Outcome: uint64(oracle.Crashed), Panic: "they disagree", Failure: kind == oracle.KindFailure}, {Outcome: uint64(oracle.Accepted)}},
		Place:   "check", Bucket: findingstest.FirstID, Before: findingstest.FirstID,
	}
	if placed {
		found.Placed, found.Whole = true, found.Bucket
	}
	b, _, err := f.Add(found, finding.Candidate{Flat: found.Flat})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestAcceptedFailure checks that an accepted failure of a check includes later reports of that
// check. The bucket says so with numbers. It keeps the newest input and marks later inputs, also in
// a campaign that begins later.
func TestAcceptedFailure(t *testing.T) {
	const last = 12
	in := func(n int) string { return fmt.Sprintf("input %02d", n) }
	for at := 1; at <= last; at++ {
		folder := findingstest.OpenFolder(t, t.TempDir())
		f := open(t, folder)
		var b *Group
		for n := 1; n <= last; n++ {
			b = failed(t, f, oracle.KindFailure, in(n), false)
			if row := f.Row(b); n == at && row.Accepts != "" {
				t.Errorf("not accepted: %s", row.Accepts)
			}
			if n == at {
				entry := accept.Entry{Bucket: b.ID, Input: f.target.About().Shape.Encode(b.Best.Minimized), Count: b.AcceptedCount()}
				f.Accepted = &accept.File{Entries: []accept.Entry{entry}}
			}
		}
		again, problems, err := Load(folder, findingstest.Target(), f.Accepted)
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		b = again.Find(b.ID)
		want := fmt.Sprintf("every failure of a with this message, also those of other causes and those that come later: %d input", at)
		if row := again.Row(b); !strings.HasPrefix(row.Accepts, want) || !strings.HasSuffix(row.Accepts, fmt.Sprintf(" when it was accepted, %d now", last)) {
			t.Errorf("accepted at %d: %s", at, row.Accepts)
		}
		others := again.Page(b).Others
		if len(others) > storedInputs {
			t.Errorf("accepted at %d: %d further inputs", at, len(others))
		}
		newest := false
		for _, o := range others {
			var n int
			fmt.Sscanf(strings.Trim(o.Input, `"`), "input %d", &n)
			if o.New != (n > at) {
				t.Errorf("accepted at %d: input %d came later: %v", at, n, o.New)
			}
			newest = newest || n == last
		}
		if newest != (at < last) {
			t.Errorf("accepted at %d: the newest input is kept: %v", at, newest)
		}
		// Another campaign has none of the inputs.
		folder = findingstest.OpenFolder(t, t.TempDir())
		other := open(t, folder)
		other.Accepted = f.Accepted
		failed(t, other, oracle.KindFailure, "z", false)
		failed(t, other, oracle.KindFailure, "y", false)
		again, _, err = Load(folder, findingstest.Target(), f.Accepted)
		if err != nil {
			t.Fatal(err)
		}
		if list := again.Page(again.Find(b.ID)).Others; len(list) != 1 || !list[0].New {
			t.Errorf("accepted at %d, in another campaign: %+v", at, list)
		}
	}
}

// TestAccepts checks which failures lack variants, so that an entry counts their inputs. The
// summary says so for checks. A check with computed messages is accepted with any message.
func TestAccepts(t *testing.T) {
	for _, c := range []struct {
		kind   string
		placed bool
		want   string
	}{
		{oracle.KindFailure, false, "with this message"}, {oracle.KindFailure, true, "whatever its message"}, {oracle.KindCrash, false, ""}, {oracle.KindTimeout, false, ""},
	} {
		f := open(t, findingstest.OpenFolder(t, t.TempDir()), findingstest.FirstID)
		b := failed(t, f, c.kind, "a", c.placed)
		if row := f.Row(b); !strings.Contains(row.Accepts, c.want) || (row.Accepts == "") != (c.want == "") || (b.AcceptedCount() == 0) != (c.kind == oracle.KindTimeout) {
			t.Errorf("%s, %v: %q", c.kind, c.placed, row.Accepts)
		}
	}
}

// TestNewVariantShown checks a new campaign whose best input of an accepted bucket is of a variant
// that the entry does not list.
func TestNewVariantShown(t *testing.T) {
	for variants, want := range map[string]bool{variantID(1): false, variantID(2): true, variantID(1) + " " + variantID(2): false, "": false} {
		f := open(t, findingstest.OpenFolder(t, t.TempDir()))
		b := add(t, f, looks(variantID(1), about(1), "aaa", "aaa"))
		f.Accepted = &accept.File{Entries: []accept.Entry{{Bucket: b.ID, Input: []byte("x"), Variants: strings.Fields(variants)}}}
		ok, later := b.AcceptedBy(f.Accepted)
		if row := f.Row(b); !ok || later != want || row.Accepted == want || row.NewVariant != want {
			t.Errorf("accepted with %q: %v, later %v, %+v", variants, ok, later, row)
		}
		f.Accepted.Entries[0].Input = f.target.About().Shape.Encode([]byte("aaa"))
		if row := f.Row(b); row.NewVariant || row.NewVariants > 0 != want {
			t.Errorf("the accepted input, with %q: %+v", variants, row)
		}
	}
}
