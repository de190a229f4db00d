package state

import (
	"errors"
	"reflect"
	"testing"
)

// readKnown reads the log of a folder: the known blocks, joined, and the hashes after them.
func readKnown(t *testing.T, f *Folder) (known []Known, rest []tuple) {
	t.Helper()
	problems, err := f.ReadKnown(func(k Known) {
		if n := len(known); n > 0 && known[n-1].Domain == k.Domain {
			known[n-1].Hashes = append(known[n-1].Hashes, k.Hashes...)
		} else {
			known = append(known, k)
		}
	}, func(d uint8, h uint64) { rest = append(rest, tuple{d, h}) })
	if problems != nil || err != nil {
		t.Fatal(problems, err)
	}
	return known, rest
}

// TestCompact checks that a compacted log has the known features, with any number of hashes, and
// can grow.
func TestCompact(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir)
	if err := f.Compact(nil); err == nil {
		t.Error("before Build")
	}
	build(t, f, "b")
	if err := f.Append(7, []uint64{1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	if err := f.Compact(nil); err == nil {
		t.Error("after Append")
	}
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	many := make([]uint64, 2*maxBlock)
	for i := range many {
		many[i] = uint64(i)
	}
	all := []Known{{Domain: 1, Hashes: many}, {Domain: 2, Level: 5, Stands: 1 << 40, Hashes: []uint64{8}}, {Domain: 7, Stands: 3}}
	before := f.LogSize()
	if err := errors.Join(f.Compact(all), f.Append(7, []uint64{4, 5}), f.Append(1, []uint64{6}), f.Flush()); err != nil {
		t.Fatal(err)
	}
	if size := f.LogSize(); size < 8*int64(len(many)) || before >= size {
		t.Errorf("%d bytes, %d before", size, before)
	}
	check := func(wantKnown []Known, want []tuple) {
		t.Helper()
		if known, rest := readKnown(t, f); !reflect.DeepEqual(known, wantKnown) || !reflect.DeepEqual(rest, want) {
			t.Errorf("%d known, %v behind them", len(known), rest)
		}
	}
	check(all, []tuple{{1, 6}, {7, 4}, {7, 5}})
	if err := f.Close(); err != nil { // sorts the log
		t.Fatal(err)
	}
	f = mustOpen(t, dir)
	if changed, problems := build(t, f, "b"); changed || problems != nil {
		t.Errorf("changed %v, %q", changed, problems)
	}
	check(all, []tuple{{1, 6}, {7, 4}, {7, 5}})
	if err := f.Cut(7, 4); err != nil { // a known block for three hashes, and one more hash
		t.Fatal(err)
	}
	check(all, []tuple{{1, 6}, {7, 4}})
	if err := f.Cut(7, 2); err != nil {
		t.Fatal(err)
	}
	check(all[:2], []tuple{{1, 6}})
	if err := f.Cut(2, 0); err != nil {
		t.Fatal(err)
	}
	check(all[:1], []tuple{{1, 6}})
}
