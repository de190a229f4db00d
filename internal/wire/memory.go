package wire

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"sync/atomic"
	"unsafe"
)

// Memory is the file that a worker and its supervisor share. The worker writes all of it but the stop flag, the mail
// count and the ring's tail; it is laid out so that whatever kills the worker, the supervisor finds the input in
// flight, the inputs before it, every event announced, and the coverage reached.
//
//	header    4 KiB: the fields below
//	slots     the last Slots inputs, the one in flight among them: length, then the flat form
//	ring      events from worker to supervisor
//	maps      one coverage map a program, laid out by the worker once it knows its counters
//
// The file is sparse: only what is used takes memory.
//
// A program may write anything into it. What decides is kept by each side for itself too: the worker sees after each program whether the
// header is as both sides left it (Intact), and the supervisor believes no word that cannot be (Sound), no counts whose sum is wrong (Counts),
// no event whose checksum is wrong (Take) and no sign of life but the answer to its own (Beaten).
type Memory struct {
	b        []byte
	slotSize int
	ringSize int

	seq, head, tail uint64 // what this side wrote last
	taken           []byte // an event, out of the program's reach

	// Of the worker.
	own      [ownWords]uint64 // what it wrote last
	check    uint64           // the sum of its counts
	mailed   uint64           // messages of mail that were announced
	watched  int              // bytes of own that are looked at, but for
	unsteady int              // the bytes at offUnsteady

	// Of the supervisor.
	ping  uint64
	mails uint64 // messages of mail
}

// Harmed is the exit status of a worker whose program has harmed what the worker shares with its supervisor. What it did is the last line of
// the worker's standard error.
const Harmed = 121

// HarmPrefix begins that line.
const HarmPrefix = "parallax: the program "

// Slots is how many of the latest inputs are kept. A goroutine that an input left behind may kill the process some
// inputs later; the culprit is looked for among these.
const Slots = 64

const (
	headerSize = 4096
	magic      = 0x5850414c4c415241

	offMagic    = 0
	offSlotSize = 8
	offRingSize = 16

	// Words of the supervisor.
	offStop = 56
	offMail = 64
	offPing = 72

	offHead = 128 // the ring's ends lie in cache lines of their own
	offTail = 192

	// Words of the worker.
	offOwn        = 256
	offCheck      = offOwn
	offState      = 264
	offProgram    = 272
	offSeq        = 280
	offPong       = 288
	offDetermined = 296
	offRepairing  = 304
	offHeld       = 312
	offStats      = 320
	offOps        = offStats + 8*NumStats
	offUnsteady   = offOps + 16*MaxOps
	offEnd        = offUnsteady + 8*MaxPrograms
	ownWords      = (offEnd - offOwn) / 8

	slotHeader = 16 // the input's number, and its length and one
)

// States of a worker. No program leaves such a number by accident.
const (
	Idle     = 0x5ad1e1d1e0ff10ad
	InFlight = 0x5ad1f1197f1197ed
)

// set is what stands in a word for true.
const set = 0x5ad17ab1e5ad17ab

const (
	minRing = 4 << 20
	// MapBytes is the room for coverage maps: 256 MiB of address space, touched only where counters are.
	MapBytes = 256 << 20
)

// SlotSize returns the size of a slot for inputs of at most max bytes in flat form.
func SlotSize(max int) int { return (max + slotHeader + 63) &^ 63 }

// ringSize is twice the largest event, which holds an input and its parent: less might never fit between the ring's
// end and what has not been taken.
func ringSize(max int) int {
	n := 2 * (2*max + 64<<10)
	if n < minRing {
		n = minRing
	}
	return (n + 4095) &^ 4095
}

// MemorySize returns the size of the shared file for inputs of at most max bytes.
func MemorySize(max int) int {
	return headerSize + Slots*SlotSize(max) + ringSize(max) + MapBytes
}

// NewMemory lays out b, which is zero, for inputs of at most max bytes. The supervisor calls it.
func NewMemory(b []byte, max int) *Memory {
	m := newMemory(b)
	m.slotSize, m.ringSize = SlotSize(max), ringSize(max)
	m.word(offMagic).Store(magic + Version)
	m.word(offSlotSize).Store(uint64(m.slotSize))
	m.word(offRingSize).Store(uint64(m.ringSize))
	m.put(offCheck, m.check)
	m.SetProgram(0)
	m.SetState(Idle)
	m.nextPing()
	return m
}

func newMemory(b []byte) *Memory {
	return &Memory{b: b, check: emptyCheck, watched: offStats + 8*NumStats - offOwn}
}

// Watch has Intact look at the counts of so many programs and operators, too. The worker calls it.
func (m *Memory) Watch(programs, operators int) {
	m.watched, m.unsteady = offOps+16*operators-offOwn, 8*programs
}

// laidOut reports whether the words of the layout are as they were written.
func (m *Memory) laidOut() bool {
	return m.word(offMagic).Load() == magic+Version && m.word(offSlotSize).Load() == uint64(m.slotSize) && m.word(offRingSize).Load() == uint64(m.ringSize)
}

// Intact reports whether the header is as the worker left it, and as the supervisor may have left its words.
func (m *Memory) Intact() bool {
	own := m.owned()
	const at = offUnsteady - offOwn
	return m.laidOut() && m.word(offHead).Load() == m.head && m.ordered() &&
		bytes.Equal(m.b[offOwn:offOwn+m.watched], own[:m.watched]) &&
		bytes.Equal(m.b[offUnsteady:offUnsteady+m.unsteady], own[at:at+m.unsteady])
}

// owned is what the worker wrote last, as bytes. Contract relied on: an array of words is as many bytes as eight times its length, without
// gaps.
func (m *Memory) owned() *[8 * ownWords]byte { return (*[8 * ownWords]byte)(unsafe.Pointer(&m.own)) }

// ordered reports whether the words of the supervisor are such as it writes.
func (m *Memory) ordered() bool {
	if stop := m.word(offStop).Load(); stop != 0 && stop != sealed(stopSoon) {
		return false
	}
	n, ok := unsealed(m.word(offMail).Load())
	tail := m.word(offTail).Load()
	return ok && n-m.mailed < mostMail && tail <= m.head && tail%8 == 0
}

// Restore makes the header what it was when a program was given the input flat, but for the mark by which the rest of the memory can be
// trusted.
func (m *Memory) Restore(flat []byte) {
	m.word(offMagic).Store(0)
	m.word(offSlotSize).Store(uint64(m.slotSize))
	m.word(offRingSize).Store(uint64(m.ringSize))
	m.word(offHead).Store(m.head)
	for i, v := range m.own {
		m.word(offOwn + 8*i).Store(v)
	}
	m.SetDetermined(false)
	m.SetRepairing(false)
	m.seq = 0 // the inputs before are not known any more
	m.SetInput(flat)
	m.SetState(InFlight)
}

// Trusted reports whether the coverage maps can be what the worker wrote, as far as the header shows it.
func (m *Memory) Trusted() bool { return m.laidOut() }

// Known reports whether the header says what the worker is doing.
func (m *Memory) Known() bool {
	state := m.State()
	return m.laidOut() && (state == Idle || state == InFlight)
}

// Sound reports whether the header of a worker with so many programs can be what worker and supervisor wrote.
func (m *Memory) Sound(programs int) bool {
	stop, mail := m.word(offStop).Load(), m.word(offMail).Load()
	determined, repairing := m.word(offDetermined).Load(), m.word(offRepairing).Load()
	return m.Known() && m.Program() <= programs && (determined == 0 || determined == set) && (repairing == 0 || repairing == set) &&
		m.word(offSeq).Load() == m.newest() && (stop == 0 || stop == sealed(stopSoon)) && (m.mails == 0 && mail == 0 || mail == sealed(m.mails))
}

// OpenMemory finds the layout in b. The worker calls it.
func OpenMemory(b []byte) (*Memory, error) {
	m := newMemory(b)
	if len(b) < headerSize || m.word(offMagic).Load() != magic+Version {
		return nil, fmt.Errorf("the shared memory is not of this version: worker and supervisor come from different builds")
	}
	slot, ring := m.word(offSlotSize).Load(), m.word(offRingSize).Load()
	room := uint64(len(b) - headerSize)
	if slot < slotHeader || slot%8 != 0 || slot > room/Slots || ring < 16 || ring%8 != 0 || ring > room-Slots*slot {
		return nil, fmt.Errorf("the shared memory is shorter than its header says")
	}
	m.slotSize, m.ringSize = int(slot), int(ring)
	m.own[0] = m.check
	m.SetProgram(0)
	m.SetState(Idle)
	return m, nil
}

// word returns the word at an offset of the mapping as an atomic. Contract relied on: the mapping is page aligned and
// offsets are multiples of eight, so the word is aligned; both processes map the same pages.
func (m *Memory) word(off int) *atomic.Uint64 { return wordAt(m.b, off) }

func wordAt(b []byte, off int) *atomic.Uint64 { return (*atomic.Uint64)(unsafe.Pointer(&b[off])) }

// put writes a word of the worker. One that is so already stays: a store that others must see is dear.
func (m *Memory) put(off int, v uint64) {
	if own := &m.own[(off-offOwn)/8]; *own != v {
		*own = v
		m.word(off).Store(v)
	}
}

// State is what the worker is doing, if the word can be believed: see Known.
func (m *Memory) State() uint64 { return m.word(offState).Load() }

// SetState says what the worker is doing.
func (m *Memory) SetState(v uint64) { m.put(offState, v) }

// Program is the program that runs; more than there can be, if that is not known.
func (m *Memory) Program() int {
	if n, ok := unsealed(m.word(offProgram).Load()); ok && m.word(offProgram).Load() != 0 {
		return int(min(n, MaxPrograms+1))
	}
	return MaxPrograms + 1
}

// SetProgram says which program runs.
func (m *Memory) SetProgram(p int) { m.put(offProgram, sealed(uint64(p))) }

// Determined reports whether the input in flight is the cmplog source's.
func (m *Memory) Determined() bool { return m.word(offDetermined).Load() == set }

// SetDetermined says whether it is.
func (m *Memory) SetDetermined(is bool) { m.put(offDetermined, truth(is)) }

// Repairing reports whether the input in flight is being repaired.
func (m *Memory) Repairing() bool { return m.word(offRepairing).Load() == set }

// SetRepairing says whether it is.
func (m *Memory) SetRepairing(is bool) { m.put(offRepairing, truth(is)) }

// SetHeld says how many bytes of the worker's memory are the engine's own.
func (m *Memory) SetHeld(n int) { m.put(offHeld, sealed(uint64(min(n, MostHeld)))) }

// Held is how many bytes of the worker's memory are the engine's own, as the worker says.
func (m *Memory) Held() int {
	n, ok := unsealed(m.word(offHeld).Load())
	if !ok {
		return 0
	}
	return int(min(n, MostHeld))
}

// MostHeld is above what an engine holds: sets of features of 24 MiB for each domain and of traces of 96 MiB, while they grow, and a corpus.
const MostHeld = 512 << 20

func truth(is bool) uint64 {
	if is {
		return set
	}
	return 0
}

// MaxInput is the longest input that a slot holds.
func (m *Memory) MaxInput() int { return m.slotSize - slotHeader }

// SetInput makes flat the input in flight.
func (m *Memory) SetInput(flat []byte) {
	m.seq++
	slot := m.slot(m.seq)
	n := copy(slot[slotHeader:], flat)
	putUint64(slot[8:], uint64(n)+1)
	putUint64(slot, m.seq)
	m.put(offSeq, m.seq)
}

// Recent returns copies of the latest inputs, the one in flight first. The oldest slot is left out: the worker may have
// died while it wrote the next input there.
func (m *Memory) Recent() [][]byte {
	seq := m.newest()
	var inputs [][]byte
	for k := uint64(0); k < Slots-1 && k < seq; k++ {
		slot := m.slot(seq - k)
		n := getUint64(slot[8:])
		if getUint64(slot) != seq-k || n == 0 || n-1 > uint64(len(slot)-slotHeader) {
			break
		}
		inputs = append(inputs, append([]byte{}, slot[slotHeader:slotHeader+n-1]...))
	}
	return inputs
}

// newest is the number of the latest input, as the slots have it: a program may have written over the header.
func (m *Memory) newest() (seq uint64) {
	for i := uint64(0); i < Slots; i++ {
		if n := getUint64(m.slot(i)); n%Slots == i && n > seq && n < mostCounted {
			seq = n
		}
	}
	return seq
}

func (m *Memory) slot(seq uint64) []byte {
	off := headerSize + int(seq%Slots)*m.slotSize
	return m.b[off : off+m.slotSize]
}

// Maps returns the room of the coverage maps.
func (m *Memory) Maps() []byte { return m.b[headerSize+Slots*m.slotSize+m.ringSize:] }

// MaxRecord is the largest event the ring takes.
func (m *Memory) MaxRecord() int { return m.ringSize/2 - 16 }

const skip = ^uint32(0) // marks the unused end of the ring

// TryPut appends an event, or reports false when the ring has no room for it now.
func (m *Memory) TryPut(kind byte, payload []byte) bool {
	ring := m.ring()
	head, tail := m.head, m.word(offTail).Load()
	if tail > head {
		return true // nobody takes events by such a tail: a program has written over it, which is seen after it
	}
	need := uint64(8+len(payload)+7) &^ 7
	pos := head % uint64(len(ring))
	if rest := uint64(len(ring)) - pos; rest < need {
		if head+rest+need-tail > uint64(len(ring)) {
			return false
		}
		putUint32(ring[pos:], skip)
		head += rest
		pos = 0
	} else if head+need-tail > uint64(len(ring)) {
		return false
	}
	putUint32(ring[pos:], uint32(len(payload)))
	putUint32(ring[pos+4:], checksum(kind, payload))
	copy(ring[pos+8:], payload)
	m.head = head + need
	m.word(offHead).Store(m.head)
	return true
}

// Taken reports whether the supervisor has taken every event. The worker calls it.
func (m *Memory) Taken() bool { return m.word(offTail).Load() >= m.head }

// Take calls f with every event in the ring, oldest first, and frees them. f must not keep the payload. The program
// under test may have written anything into the ring: what makes no sense is skipped.
func (m *Memory) Take(f func(kind byte, payload []byte)) int {
	ring := m.ring()
	head, tail := m.word(offHead).Load(), m.tail
	events := 0
	if tail > head || head-tail > uint64(len(ring)) || head%8 != 0 {
		m.tail = head // the worker sees it, too, and ends
		return 0
	}
	for tail < head {
		pos := tail % uint64(len(ring))
		n := getUint32(ring[pos:])
		need := (8 + uint64(n) + 7) &^ 7
		if n == skip {
			need = uint64(len(ring)) - pos
		}
		if need > uint64(len(ring))-pos || need > head-tail {
			tail = head
			break
		}
		if n == skip {
			tail += need
			continue
		}
		// The program may still be running: what was checked must not change.
		m.taken = append(m.taken[:0], ring[pos+8:pos+8+uint64(n)]...)
		kind := ring[pos+4]
		if getUint32(ring[pos+4:]) == checksum(kind, m.taken) {
			f(kind, m.taken)
			events++
		}
		tail += need
		m.tail = tail
		m.word(offTail).Store(tail)
	}
	m.tail = tail
	m.word(offTail).Store(tail)
	return events
}

func (m *Memory) ring() []byte {
	off := headerSize + Slots*m.slotSize
	return m.b[off : off+m.ringSize]
}

func polynomial() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// checksum is the word that holds an event's kind, in its lowest byte, and three bytes of a checksum of the event.
func checksum(kind byte, payload []byte) uint32 {
	return (crc32.Checksum(payload, polynomial())^uint32(kind)<<24^0x5a5a5a00)&^0xff | uint32(kind) // not zero for what is all zero
}

// Contract relied on: slots begin at multiples of eight of a mapping that is page aligned.
func putUint64(b []byte, v uint64) { *(*uint64)(unsafe.Pointer(&b[0])) = v }
func getUint64(b []byte) uint64    { return *(*uint64)(unsafe.Pointer(&b[0])) }

func putUint32(b []byte, v uint32) {
	b[0], b[1], b[2], b[3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
}

func getUint32(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}
