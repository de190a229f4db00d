package campaign

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/finding/event"
	"parallax/cmd/internal/finding/sample"
	"parallax/cmd/internal/finding/state"
	"parallax/internal/atomicfile"
	"parallax/internal/atomicfile/faultfs"
	"parallax/internal/feature"
	"parallax/internal/input"
)

// keptShape is the shape of inputs in these tests, and keptDomain the domain of their features.
var (
	keptShape  = input.Shape{input.String}
	keptDomain = uint8(feature.Find("path-fine").Number)
)

const seedCounter = "seeds/1" // counts executed seeds

func openKept(fsys atomicfile.FS, dir string) (*state.Folder, *corpus.Store, error) {
	folder, _, err := state.Open(fsys, dir, state.Config{
		Version: state.ConfigVersion, Target: "T", Seeds: []uint64{1},
		Identity: state.Identity{Mode: "diff", Programs: []state.Program{{Name: "a"}, {Name: "b"}}, Shape: keptShape.String()},
	})
	if err != nil {
		return nil, nil, err
	}
	_, _, err = folder.Build("b")
	store, storeErr := corpus.Open(fsys, folder.CorpusDir(), keptShape)
	if err = errors.Join(err, storeErr); err != nil {
		folder.Close()
	}
	return folder, store, err
}

// keep gives n inputs to a folderWriter, each with a feature of its own and counted as a seed. It
// records after every third.
func keep(fsys atomicfile.FS, dir string, first, n int) error {
	folder, store, err := openKept(fsys, dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	w := newWriter(store)
	k := &folderWriter{folder: folder, writer: w, log: knownLog{most: mostLog}}
	for i := first; i < first+n && err == nil; i++ {
		err = errors.Join(
			k.Handle(event.Kept{Flat: []byte(fmt.Sprint("input ", i)), Meta: corpus.Meta{Inputs: uint64(i)}}),
			k.Handle(event.Novel{Domain: keptDomain, Hash: uint64(i)}))
		if i%3 == 2 {
			counters := map[string]uint64{state.Inputs: uint64(i + 1), seedCounter: uint64(i + 1)}
			err = errors.Join(err, k.Handle(event.Sampled{
				Snapshot: state.Snapshot{Counters: counters}, Samples: []sample.Sample{{Inputs: uint64(i + 1), Corpus: i + 1}},
			}))
		}
	}
	go w.run() // as late as possible: writes out of order would reach the disk before the first input
	w.close()
	return errors.Join(err, w.failed())
}

// nothingLost checks that all recorded features have their inputs, and returns the number of inputs
// in a folder.
func nothingLost(t *testing.T, dir string) int {
	t.Helper()
	folder, store, err := openKept(atomicfile.OS, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	entries, problems, err := store.Load()
	if err != nil || len(problems) > 0 {
		t.Errorf("%q, %v", problems, err)
	}
	have := map[uint64]bool{}
	for _, e := range entries {
		have[e.Meta.Inputs] = true
	}
	problems, err = folder.ReadTuples(func(_ uint8, hash uint64) {
		if !have[hash] {
			t.Errorf("feature %d is known, and its input is lost: there are %v", hash, slices.Sorted(maps.Keys(have)))
		}
	})
	if err != nil || len(problems) > 0 {
		t.Errorf("%q, %v", problems, err)
	}
	snap, problems, err := folder.Load()
	if err != nil || len(problems) > 0 {
		t.Errorf("%q, %v", problems, err)
	}
	for i := range snap.Counters[seedCounter] {
		if !have[i] {
			t.Errorf("%d seeds count as executed, and what seed %d showed is lost", snap.Counters[seedCounter], i)
		}
	}
	lines, problems, err := folder.ReadStats()
	if err != nil || len(problems) > 0 {
		t.Errorf("%q, %v", problems, err)
	}
	for _, line := range lines {
		var s sample.Sample
		if err := s.UnmarshalJSON(line); err != nil || s.Inputs > snap.Counters[state.Inputs] || s.Corpus > len(have) {
			t.Errorf("%s, %v: the counters say %d, and %d inputs are there", line, err, snap.Counters[state.Inputs], len(have))
		}
	}
	return len(have)
}

// TestKnownIsKept ends the process at each change of the disk in turn. Known features have their
// inputs on disk, and the next run continues.
func TestKnownIsKept(t *testing.T) {
	const n = 7
	for k := int64(0); ; k++ {
		dir := filepath.Join(t.TempDir(), "out")
		fsys := faultfs.New(atomicfile.OS).CrashAfter(k)
		err := keep(fsys, dir, 0, n)
		had := nothingLost(t, dir)
		if t.Failed() {
			t.Fatalf("after %d changes: %v", k, err)
		}
		if !fsys.Crashed() {
			if err != nil || had != n {
				t.Fatalf("%d of %d inputs, %v", had, n, err)
			}
			return
		}
	}
}

// TestKnownIsKeptOnAFullDisk fills the disk after k bytes. Space returns at the end of the fuzzing,
// or before the next run.
func TestKnownIsKeptOnAFullDisk(t *testing.T) {
	const n = 7
	for k := int64(0); ; k += 23 {
		dir := filepath.Join(t.TempDir(), "out")
		fsys := faultfs.New(atomicfile.OS).Full(k)
		err := keep(fsys, dir, 0, n)
		nothingLost(t, dir)
		if t.Failed() {
			t.Fatalf("disk of %d bytes: %v", k, err)
		}
		if err == nil {
			return
		}
		if err := keep(fsys.Full(1<<40), dir, 0, n); err != nil {
			t.Fatal(err)
		}
		if had := nothingLost(t, dir); had != n || t.Failed() {
			t.Fatalf("disk of %d bytes, and space again: %d inputs", k, had)
		}
	}
}
