package campaign

import (
	"fmt"

	"parallax/cmd/internal/finding/state"
	"parallax/internal/diversity"
	"parallax/internal/feature"
)

// A folder keeps behaviors in two halves: traces in tuples.log, and counts of their branches in
// coverage.bin, with the number of traces. Known traces never count again, so the halves must
// match. A kill may leave later traces, which are cut off. If a half is missing, both start again.
// A compacted log has the traces themselves, and the number of announced ones.

// names returns the names of the entries in coverage.bin. That of all programs is empty.
func (b *behavior) names(programs []string) []string {
	return append([]string{""}, programs...)[:len(b.ended)]
}

// save encodes the counts.
func (b *behavior) save(records []diversity.Record, programs []string) map[string][]byte {
	m := map[string][]byte{}
	records[0].Put(diversity.StoredKeys, b.logged)
	for i, name := range b.names(programs) {
		m[name] = records[i].Encode(nil)
	}
	return m
}

// load restores the counts of an earlier invocation and returns their number of traces.
func (b *behavior) load(saved map[string][]byte, programs []string) (told uint64, err error) {
	for i, name := range b.names(programs) {
		r, err := diversity.Decode(saved[name], b.ended[i].Branches())
		if err != nil {
			return 0, err
		}
		copy(b.ended[i], r)
	}
	told = b.ended[0].Word(diversity.StoredKeys)
	b.ended[0].Put(diversity.StoredKeys, 0)
	return told, nil
}

// restore reads both halves from a folder and passes tuples that are no traces to tuple.
func (b *behavior) restore(folder *state.Folder, saved map[string][]byte, programs []string, tuple func(domain, level uint8, hash uint64)) (problems []string, err error) {
	var told, logged uint64
	var damage error
	if len(saved) > 0 {
		told, damage = b.load(saved, programs)
	}
	stands := uint64(0)
	problems, err = folder.ReadKnown(func(k state.Known) {
		for _, hash := range k.Hashes {
			if k.Domain != feature.TraceNumber {
				tuple(k.Domain, k.Level, hash)
			} else if s, i := diversity.ReadState(hash); i < len(b.traces) {
				b.traces[i].Restore(s)
			}
		}
		if k.Domain == feature.TraceNumber {
			stands, logged = k.Stands, k.Stands
		}
	}, func(domain uint8, hash uint64) {
		if domain != feature.TraceNumber {
			tuple(domain, 0, hash)
			return
		}
		if logged++; logged <= told {
			b.add(hash)
		}
	})
	if err != nil {
		return problems, err
	}
	lost := ""
	switch {
	case damage != nil:
		lost = "coverage.bin: " + damage.Error()
	case len(saved) == 0 && logged > 0:
		lost = "coverage.bin does not say what was counted of the unique traces in tuples.log"
	case stands > told:
		lost = fmt.Sprintf("tuples.log has the unique traces of another coverage.bin, which counts %d", told)
	case logged < told:
		lost = fmt.Sprintf("tuples.log has %d of the %d unique traces that coverage.bin counts", logged, told)
	}
	if b.logged = told; lost != "" {
		problems = append(problems, lost+": diversity starts again")
		b.clear()
	}
	if logged > b.logged {
		err = folder.Cut(feature.TraceNumber, b.logged)
	}
	return problems, err
}
