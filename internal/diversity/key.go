package diversity

// Key encodes a trace for announcement and disk: its hash, its assemblage, and whether the input
// was valid. Assemblage 0 is that of all programs together, and 1+i that of program i.
func Key(hash uint64, assemblage int, valid bool) uint64 {
	key := hash&Significant | uint64(assemblage)<<1
	if valid {
		key |= 1
	}
	return key
}

// ReadKey decodes a key.
func ReadKey(key uint64) (hash uint64, assemblage int, valid bool) {
	return key & Significant, int(key &^ Significant >> 1), key&1 != 0
}

// State combines a state from Traces.State with the number of its assemblage.
func State(state uint64, assemblage int) uint64 { return state | uint64(assemblage)<<3 }

// ReadState decodes it.
func ReadState(key uint64) (state uint64, assemblage int) {
	return key&Significant | key&7, int(key &^ Significant >> 3)
}
