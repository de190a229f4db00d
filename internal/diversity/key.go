package diversity

// Key is a trace of an input as it is announced and kept on disk: its hash, the number of its assemblage, 0 for all programs together and one more
// than its own for a program, and whether the input was valid.
func Key(hash uint64, assemblage int, valid bool) uint64 {
	key := hash&Significant | uint64(assemblage)<<1
	if valid {
		key |= 1
	}
	return key
}

// ReadKey takes a key apart.
func ReadKey(key uint64) (hash uint64, assemblage int, valid bool) {
	return key & Significant, int(key &^ Significant >> 1), key&1 != 0
}

// State is what is known of a trace, as Traces.State has it, with the number of its assemblage.
func State(state uint64, assemblage int) uint64 { return state | uint64(assemblage)<<3 }

// ReadState takes it apart.
func ReadState(key uint64) (state uint64, assemblage int) {
	return key&Significant | key&7, int(key &^ Significant >> 3)
}
