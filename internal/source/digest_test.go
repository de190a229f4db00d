package source

import "testing"

// TestDigestsDistinct checks that small inputs, inputs with small first bytes, and choices in small
// states have distinct hashes.
func TestDigestsDistinct(t *testing.T) {
	seen := map[uint64]string{}
	var grow func(b []byte)
	grow = func(b []byte) {
		for _, pad := range []int{0, 7, 8} {
			padded := string(make([]byte, pad)) + string(b)
			for _, text := range []string{padded, string(b) + string(make([]byte, pad))} {
				h := digest([]byte(text))
				if other, ok := seen[h]; ok && other != text {
					t.Fatalf("%q and %q have the digest %x", other, text, h)
				}
				seen[h] = text
			}
		}
		for c := 0; c < 256 && len(b) < 3; c += 1 + len(b)*len(b)*50 {
			grow(append(b[:len(b):len(b)], byte(c)))
		}
	}
	grow(nil)
	places := map[uint64]bool{}
	for site := uint32(0); site < 300; site++ {
		for state := uint64(0); state < 300; state++ {
			places[place(site, state)] = true
		}
	}
	if len(places) != 300*300 {
		t.Errorf("%d places of %d", len(places), 300*300)
	}
}
