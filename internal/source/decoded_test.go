package source

import (
	"testing"

	"parallax/internal/tape"
)

// TestDecoded checks that get returns the seed's tape in any order of calls, and that the busy one
// stays.
func TestDecoded(t *testing.T) {
	var corpus Corpus
	var s tape.Source
	for i := 0; i < 3*decodedSlots; i++ {
		s.Random(uint64(i))
		n := 1 + i%7
		if i%50 == 0 {
			n = decodedBytes // too large for a slot
		}
		for k := 0; k < n; k++ {
			s.Draw(1, tape.Value, 1000)
		}
		corpus = append(corpus, s.Tape().Append(nil))
		if i == 9 {
			corpus[i] = []byte("no tape")
		}
	}
	var d decodedTapes
	same := func(what string, i int, got *tape.Coded) {
		t.Helper()
		var want tape.Tape
		if err := want.Decode(corpus[i]); (err == nil) != (got != nil) || err == nil && !got.Equal(&want) {
			t.Fatalf("%s: seed %d is another tape", what, i)
		}
	}
	var r tape.Source
	r.Random(1)
	for k := 0; k < 5000; k++ {
		i := int(r.UpTo(uint64(len(corpus) - 1)))
		parent := d.get(corpus, i, nil)
		same("parent", i, parent)
		if parent == nil {
			continue
		}
		other := int(r.UpTo(uint64(len(corpus) - 1)))
		if k%3 == 0 {
			other = (i + decodedSlots) % len(corpus)
		}
		for n := 0; n < 3; n++ {
			same("other", other, d.get(corpus, other, parent))
			same("parent in use", i, parent)
			other = (other + 50) % len(corpus)
		}
	}
}
