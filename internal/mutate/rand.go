package mutate

import "math/bits"

// Rand is the source of all randomness in a worker: wyrand's output function over a Weyl sequence.
// It has no global state and does not depend on the Go version, so that a seed always repeats a
// campaign. It is not safe for concurrent use.
type Rand struct {
	state uint64
	gamma uint64 // odd increment, different for each stream, as in SplitMix
}

// NewRand returns a source for a (seed, stream) pair. Streams of one seed, one per worker, are
// independent.
func NewRand(seed, stream uint64) *Rand {
	r := new(Rand)
	r.Reseed(seed, stream)
	return r
}

// Stream returns the stream of a worker's process. worker is its index, campaign is the number of
// inputs before this run, and earlier is the number of inputs of the worker's earlier processes.
func Stream(worker, campaign, earlier uint64) uint64 {
	return fold(fold(worker, campaign), earlier)
}

// fold must not change, so that seeds repeat.
func fold(h, x uint64) uint64 { return mix(h ^ (x + 0x632be59bd9b4e019)) }

// Reseed sets r to the state of NewRand(seed, stream).
func (r *Rand) Reseed(seed, stream uint64) {
	r.state = mix(seed + 0x9e3779b97f4a7c15*mix(stream))
	gamma := mix(r.state^stream) | 1
	// SplitMix's rule: an increment with few changes between adjacent bits mixes badly.
	if bits.OnesCount64(gamma^gamma>>1) < 24 {
		gamma ^= 0xaaaaaaaaaaaaaaaa
	}
	r.gamma = gamma
}

// mix is the finalizer of SplitMix64 (variant 13 of Stafford's).
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Uint64 returns 64 random bits.
func (r *Rand) Uint64() uint64 {
	r.state += r.gamma
	hi, lo := bits.Mul64(r.state, r.state^0xe7037ed1a0b428db)
	return hi ^ lo
}

// Intn returns a number in [0, n), n > 0. The bias of the multiply-shift is below n/2^64.
func (r *Rand) Intn(n int) int { return scale(r.Uint64(), n) }

// Chance returns true num times out of den.
func (r *Rand) Chance(num, den int) bool { return r.Intn(den) < num }

// scale maps 64 random bits to [0, n), mostly by the high bits. The low bits may serve for another
// choice.
func scale(x uint64, n int) int {
	hi, _ := bits.Mul64(x, uint64(n))
	return int(hi)
}
