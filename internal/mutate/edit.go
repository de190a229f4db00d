package mutate

// Edits of a byte slice in place, and random choices of offsets and lengths.

// open makes room for n bytes at offset i. The caller must fill it.
func open(b []byte, i, n int) []byte {
	end := len(b)
	if cap(b)-end >= n {
		b = b[:end+n]
	} else {
		b = append(b, make([]byte, n)...)
	}
	copy(b[i+n:], b[i:end])
	return b
}

// cut removes b[i:j].
func cut(b []byte, i, j int) []byte { return append(b[:i], b[j:]...) }

// replace replaces b[i:j] by with, which must not overlap b.
func replace(b []byte, i, j int, with []byte) []byte {
	if more := len(with) - (j - i); more > 0 {
		b = open(b, j, more)
	} else if more < 0 {
		b = cut(b, j+more, j)
	}
	copy(b[i:], with)
	return b
}

// replaceWithin is replace with as much of with as the limit admits.
func (m *Mutator) replaceWithin(b []byte, i, j int, with []byte) []byte {
	return replace(b, i, j, with[:min(len(with), m.limit-len(b)+j-i)])
}

// position returns an offset in [0, n]. One time in eight it is the end, where formats grow.
func position(r *Rand, n int) int {
	x := r.Uint64()
	if x&7 == 0 {
		return n
	}
	return scale(x, n+1)
}

// extent returns a length in [1, limit], mostly short: half up to 4, a quarter up to 16, an eighth
// up to 64. limit must be positive.
func extent(r *Rand, limit int) int {
	x := r.Uint64()
	switch x & 7 {
	case 0, 1, 2, 3:
		limit = min(limit, 4)
	case 4, 5:
		limit = min(limit, 16)
	case 6:
		limit = min(limit, 64)
	}
	return 1 + scale(x, limit)
}

// block returns a random non-empty range [i, j) of n bytes, n > 0.
func block(r *Rand, n int) (i, j int) {
	size := extent(r, n)
	i = r.Intn(n - size + 1)
	return i, i + size
}

// reach bounds the search for a byte of a class, so that long inputs without one cost little.
const reach = 256

// find returns the offset of a byte of the class. It searches from a random offset on and wraps
// around. It returns -1 if it finds none.
func find(r *Rand, b []byte, is *[256]bool) int {
	if len(b) == 0 {
		return -1
	}
	i := r.Intn(len(b))
	for n := min(len(b), reach); n > 0; n-- {
		if is[b[i]] {
			return i
		}
		if i++; i == len(b) {
			i = 0
		}
	}
	return -1
}

// run returns the longest range around offset i with bytes of the class, up to 64 bytes to either
// side.
func run(b []byte, i int, is *[256]bool) (start, end int) {
	const most = 64
	start, end = i, i
	for start > 0 && i-start < most && is[b[start-1]] {
		start--
	}
	for end < len(b) && end-i < most && is[b[end]] {
		end++
	}
	return start, end
}

// members returns the set of the bytes of text.
func members(text string) *[256]bool {
	var is [256]bool
	for i := 0; i < len(text); i++ {
		is[text[i]] = true
	}
	return &is
}

const (
	digitBytes  = "0123456789"
	letterBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	spaceBytes  = " \t\n\r\v\f\x00"
	punctBytes  = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
	// structure holds the bytes that structure texts, with the digits, a few letters and extreme
	// bytes.
	structure = "\"'`()[]{}<>,:;.=&|?#%/\\*+-_~^@$! \t\r\n0123456789eEaxnzAZ\x00\x7f\x80\xff"
)

var (
	isDigit  = members(digitBytes)
	isLetter = members(letterBytes)
	isSpace  = members(spaceBytes)
	isPunct  = members(punctBytes)
	isWord   = words()
)

// words returns the class of bytes in names and numbers. Bytes of multi-byte characters belong to
// it.
func words() *[256]bool {
	is := members(letterBytes + digitBytes + "_")
	for c := 0x80; c < 256; c++ {
		is[c] = true
	}
	return is
}

// anyByte returns a byte to put into b. The nezha set draws any value. The full set also draws
// bytes that occur in the data, printable bytes, and bytes that structure texts.
func (m *Mutator) anyByte(r *Rand, b []byte) byte {
	x := r.Uint64()
	if m.nezha {
		return byte(x >> 32)
	}
	switch x & 7 {
	case 0, 1:
		return byte(x >> 32)
	case 2, 3:
		if len(b) > 0 {
			return b[scale(x, len(b))]
		}
	case 4:
		return byte(' ' + scale(x, '~'-' '+1))
	}
	return structure[scale(x, len(structure))]
}
