package oracle

import "math/bits"

// hash is a running 64-bit hash: the body of MurmurHash3's x64 variant with one lane, and its
// finalizer. Each step is a bijection of the state and of the word, so that values which differ in
// one word cannot collide. It has no seed, so that digests repeat between runs, unlike
// hash/maphash. It does not resist chosen collisions.
type hash uint64

// Tags distinguish tokens with the same words. A tag is the low byte of a word; a length or a flag
// is above it.
const (
	tagNil uint64 = iota + 1
	tagNilPointer
	tagPointer
	tagBack
	tagBool
	tagNatural
	tagNegative
	tagFloat
	tagComplex
	tagText
	tagList
	tagMap
	tagStruct
	tagTime
	tagFunc
	tagChan
	tagUnsafe
	tagTruncated
	tagSlots
	tagTuple
	tagDiscrepancy
	tagBackList
	tagBackMap
	tagFailure
)

func (h hash) word(x uint64) hash {
	x *= 0x87c37b91114253d5
	x = bits.RotateLeft64(x, 31)
	x *= 0x4cf5ad432745937f
	return hash(bits.RotateLeft64(uint64(h)^x, 27)*5 + 0x52dce729)
}

// text adds the length and the bytes of s.
func (h hash) text(s string) hash { return addText(h, s) }

// bytes is text for a slice, since a conversion would copy.
func (h hash) bytes(s []byte) hash { return addText(h, s) }

// addText adds the length and the bytes of s, eight at a time.
func addText[T string | []byte](h hash, s T) hash {
	h = h.word(tagText | uint64(len(s))<<8)
	for len(s) >= 8 {
		h = h.word(uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56)
		s = s[8:]
	}
	if len(s) > 0 {
		var tail uint64
		for i := 0; i < len(s); i++ {
			tail |= uint64(s[i]) << (8 * i)
		}
		h = h.word(tail)
	}
	return h
}

// sum returns the hash of all words so far.
func (h hash) sum() uint64 {
	x := uint64(h)
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	return x
}

// byteHash is FNV-1a over single bytes, for text that is produced a byte at a time.
type byteHash uint64

const byteHashStart byteHash = 0xcbf29ce484222325

func (h byteHash) byte(b byte) byteHash { return (h ^ byteHash(b)) * 0x100000001b3 }

func (h byteHash) text(s string) byteHash {
	for i := 0; i < len(s); i++ {
		h = h.byte(s[i])
	}
	return h
}
