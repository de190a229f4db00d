package review

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"parallax/cmd/internal/finding/accept"
	"parallax/internal/oracle"
)

// TestTargetEntries checks models of several functions or sets of methods, whose programs have the
// same names. Entries of one do not belong to the others.
func TestTargetEntries(t *testing.T) {
	programs := []string{"original", "model"}
	all := []accept.Entry{
		{Bucket: "a", Programs: programs, Input: []byte("1")}, {Bucket: "b", Programs: programs, Input: []byte("2")},
		{Bucket: "c", Programs: programs}, {Bucket: "d", Input: []byte("3")}, {Bucket: "e", Programs: programs, Input: []byte("4"), Target: "model"},
	}
	names := func(known func(string) bool) (text string) {
		for _, e := range targetEntries(all, known) {
			text += e.Bucket
		}
		return text
	}
	if got := names(nil); got != "abe" {
		t.Errorf("of programs that have these names alone: %s", got)
	}
	if got := names(func(bucket string) bool { return bucket == "b" || bucket == "d" }); got != "be" {
		t.Errorf("of a model: %s", got)
	}
}

// TestStale checks that a difference is not gone if one target shows it. Neither is it if a
// campaign has it on record and has not checked it.
func TestStale(t *testing.T) {
	home := t.TempDir()
	at := func(name string) string { return filepath.Join(home, name) }
	for _, dir := range []string{"x/findings/both", "y/findings/both", "y/findings/elsewhere", "z/findings/elsewhere"} {
		if err := os.MkdirAll(at(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s := &Stale{}
	say := func(bucket, folder string, gone bool) {
		s.note(accept.Entry{Bucket: bucket}, at(folder), gone, bucket+" in "+folder)
	}
	check := func(want ...string) {
		t.Helper()
		if got := s.Notes(); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	say("both", "x", true)
	check() // y has not checked it
	say("both", "y", false)
	check()
	say("elsewhere", "y", true)
	check()
	say("one", "x", true)
	check("one in x")
	say("both", "y", true) // in its next turn
	say("elsewhere", "z", true)
	check("both in x", "elsewhere in y", "one in x")
}

// TestOutcomeNote checks that fuzz tests pass, skip or fail, and that compared programs accept,
// reject or crash.
func TestOutcomeNote(t *testing.T) {
	for _, c := range []struct {
		wasKind, was, kind string
		now                oracle.Outcome
		alone              bool
		want               string
	}{
		{"failure", "crashed", "", oracle.Accepted, true, "f passes now"},
		{"failure", "crashed", "", oracle.Rejected, true, "f skips its input now"},
		{"failure", "crashed", "", oracle.Declined, true, "f skips its input now"},
		{"failure", "crashed", "timeout", oracle.Timeout, true, "the outcome of f is now timeout, not failed"},
		{"oom", "oom", "failure", oracle.Crashed, true, "the outcome of f is now failed, not oom"},
		{"", "accepted", "", oracle.Rejected, false, "the outcome of f is now rejected, not accepted"},
		{"crash", "crashed", "", oracle.Accepted, false, "the outcome of f is now accepted, not crashed"},
	} {
		if got := outcomeNote("f", c.wasKind, c.was, c.kind, c.now, c.alone); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
