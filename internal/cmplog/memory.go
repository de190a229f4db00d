package cmplog

import "math/bits"

// memory counts how often a replacement (comparison, wanted value, encoding) was among the patches
// of a call. A replacement that never helps fades: after the first attempts, it pauses for more and
// more calls. A likely coincidence doubles its pause with each attempt. Others extend it by one
// call every other time, since they may help once the program gets further. A full memory forgets
// the replacements that were offered least recently.
type memory struct {
	slots []slot
	call  uint32
}

type slot struct {
	key         uint64
	asked, used uint32 // last call that asked for it, and last call with it among the patches
	wait        uint16 // calls to skip
	tries       uint8
	open        bool // answer to the last request
}

const (
	memorySlots = 1 << 15 // 24 bytes each
	ways        = 4       // slots per key
	freeTries   = 3
	longTries   = 64
	maxPause    = 1 << 12
)

func newMemory() memory { return memory{slots: make([]slot, memorySlots)} }

// set returns the slots for a key.
func (m *memory) set(key uint64) []slot {
	at := key % (memorySlots / ways) * ways
	return m.slots[at : at+ways]
}

// ask returns how often a replacement was tried, and whether it may be tried in this call.
func (m *memory) ask(key uint64) (tries int, open bool) {
	set := m.set(key)
	for i := range set {
		s := &set[i]
		if s.key != key || s.used == 0 {
			continue
		}
		if s.asked != m.call {
			s.asked, s.open = m.call, s.wait == 0
			if s.wait > 0 {
				s.wait--
			}
		}
		return int(s.tries), s.open
	}
	return 0, true
}

// tried records a replacement among the patches of this call, and whether it is likely a
// coincidence.
func (m *memory) tried(key uint64, coincidence bool) {
	set := m.set(key)
	victim := &set[0]
	for i := range set {
		s := &set[i]
		if s.key == key && s.used != 0 {
			victim = s
			break
		}
		if s.asked < victim.asked {
			victim = s
		}
	}
	if victim.key != key {
		*victim = slot{key: key}
	}
	if victim.used == m.call {
		return
	}
	victim.asked, victim.used, victim.open = m.call, m.call, true
	if victim.tries < 255 {
		victim.tries++
	}
	if n := int(victim.tries) - freeTries; coincidence && n > 0 {
		victim.wait = uint16(min(1<<min(n, 16), maxPause))
	} else if n := int(victim.tries) - longTries; !coincidence && n > 0 {
		victim.wait = uint16(n+1) / 2
	}
}

// mix hashes a number into a hash, by a folded 128-bit multiplication.
func mix(h, v uint64) uint64 {
	hi, lo := bits.Mul64(h^0x9e3779b97f4a7c15, v^0xe7037ed1a0b428db)
	return hi ^ lo
}

// mixText hashes text into a hash.
func mixText[T []byte | string](h uint64, t T) uint64 {
	h = mix(h, uint64(len(t)))
	for len(t) >= 8 {
		h = mix(h, uint64(t[0])|uint64(t[1])<<8|uint64(t[2])<<16|uint64(t[3])<<24|
			uint64(t[4])<<32|uint64(t[5])<<40|uint64(t[6])<<48|uint64(t[7])<<56)
		t = t[8:]
	}
	v := uint64(0)
	for i := 0; i < len(t); i++ {
		v = v<<8 | uint64(t[i])
	}
	return mix(h, v)
}
