package wire

import (
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
// header is as it left it (Intact), and the supervisor takes no count that cannot be (Counted) and no event whose checksum is wrong (Take).
type Memory struct {
	b        []byte
	slotSize int
	ringSize int

	seq, head, tail uint64 // what this side wrote last
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

	offMagic      = 0
	offSlotSize   = 8
	offRingSize   = 16
	offState      = 24
	offProgram    = 32
	offRuns       = 40
	offStop       = 56
	offMail       = 64
	offSeq        = 72
	offDetermined = 80
	offRepairing  = 88
	offHead       = 128 // the ring's ends lie in cache lines of their own
	offTail       = 192
	offStats      = 256
	offUnsteady   = 512
	offOps        = 1024
)

// States of a worker.
const (
	Idle     = 0
	InFlight = 1
)

// Stop requests.
const (
	StopSoon = 1 // after the input in flight
)

// Stat is a counter that the worker publishes.
type Stat int

// Counters of a worker's fuzzing. An input counts when all programs have run on it, or when it ended the worker;
// replays of a corpus count nowhere.
const (
	Inputs     Stat = iota // inputs
	Discrepant             // inputs on which the programs disagree
	Kept                   // inputs kept
	Compared               // runs of the cmplog build, which count nowhere else
	Repaired               // mutants that the repair function was called for
	Unrepaired             // those of them that it could not repair
	Again                  // inputs executed a second time, which count nowhere else
	numStats
)

// NumStats is the number of counters.
const NumStats = int(numStats)

// MaxPrograms is how many programs a worker may have: sets of them are words.
const MaxPrograms = 64

// MaxOps bounds the mutation operators with published yields.
const MaxOps = 128

const (
	minRing = 4 << 20
	// MapBytes is the room for coverage maps: 256 MiB of address space, touched only where counters are.
	MapBytes = 256 << 20
)

// SlotSize returns the size of a slot for inputs of at most max bytes in flat form.
func SlotSize(max int) int { return (max + 8 + 63) &^ 63 }

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
	m := &Memory{b: b, slotSize: SlotSize(max), ringSize: ringSize(max)}
	m.word(offMagic).Store(magic + Version)
	m.word(offSlotSize).Store(uint64(m.slotSize))
	m.word(offRingSize).Store(uint64(m.ringSize))
	return m
}

// laidOut reports whether the words of the layout are as they were written.
func (m *Memory) laidOut() bool {
	return m.word(offMagic).Load() == magic+Version && m.word(offSlotSize).Load() == uint64(m.slotSize) && m.word(offRingSize).Load() == uint64(m.ringSize)
}

// Intact reports whether the header is as the worker left it when it gave program p the input in flight. Whatever writes over all of the
// memory, or over its beginning, is seen.
func (m *Memory) Intact(p int, runs uint64) bool {
	return m.laidOut() && m.word(offProgram).Load() == uint64(p) && m.word(offRuns).Load() == runs && m.word(offSeq).Load() == m.seq && m.word(offHead).Load() == m.head
}

// Restore makes the header what it was when program p was given the input flat, but for the mark by which the rest of the memory can be
// trusted.
func (m *Memory) Restore(p int, flat []byte) {
	m.word(offMagic).Store(0)
	m.word(offSlotSize).Store(uint64(m.slotSize))
	m.word(offRingSize).Store(uint64(m.ringSize))
	m.word(offHead).Store(m.head)
	m.word(offDetermined).Store(0)
	m.word(offRepairing).Store(0)
	m.seq = 0 // the inputs before are not known any more
	m.SetInput(flat)
	m.word(offProgram).Store(uint64(p))
	m.word(offState).Store(InFlight)
}

// mostCounted is far above what a worker counts between two looks of the supervisor.
const mostCounted = 1 << 40

// Counted is the count in a word that was last before. A count that cannot be, because a program has written over it, is the last one again.
func Counted(word *atomic.Uint64, last uint64) uint64 {
	if now := word.Load(); now >= last && now-last < mostCounted {
		return now
	}
	return last
}

// Trusted reports whether the coverage maps can be what the worker wrote, as far as the header shows it.
func (m *Memory) Trusted() bool { return m.laidOut() }

// OpenMemory finds the layout in b. The worker calls it.
func OpenMemory(b []byte) (*Memory, error) {
	m := &Memory{b: b}
	if len(b) < headerSize || m.word(offMagic).Load() != magic+Version {
		return nil, fmt.Errorf("the shared memory is not of this version: worker and supervisor come from different builds")
	}
	slot, ring := m.word(offSlotSize).Load(), m.word(offRingSize).Load()
	room := uint64(len(b) - headerSize)
	if slot < 8 || slot%8 != 0 || slot > room/Slots || ring < 16 || ring%8 != 0 || ring > room-Slots*slot {
		return nil, fmt.Errorf("the shared memory is shorter than its header says")
	}
	m.slotSize, m.ringSize = int(slot), int(ring)
	return m, nil
}

// word returns the word at an offset of the mapping as an atomic. Contract relied on: the mapping is page aligned and
// offsets are multiples of eight, so the word is aligned; both processes map the same pages.
func (m *Memory) word(off int) *atomic.Uint64 {
	return (*atomic.Uint64)(unsafe.Pointer(&m.b[off]))
}

// Fields of the header.
func (m *Memory) State() *atomic.Uint64      { return m.word(offState) }
func (m *Memory) Program() *atomic.Uint64    { return m.word(offProgram) }
func (m *Memory) Runs() *atomic.Uint64       { return m.word(offRuns) } // starts of programs, replays included: the pulse
func (m *Memory) Stop() *atomic.Uint64       { return m.word(offStop) }
func (m *Memory) MailCount() *atomic.Uint64  { return m.word(offMail) }
func (m *Memory) Determined() *atomic.Uint64 { return m.word(offDetermined) } // 1: the input in flight is the operand stage's
func (m *Memory) Repairing() *atomic.Uint64  { return m.word(offRepairing) }  // 1: the input in flight is being repaired
func (m *Memory) Stat(s Stat) *atomic.Uint64 { return m.word(offStats + 8*int(s)) }

// Unsteady counts the inputs that a program was given a second time, and did otherwise.
func (m *Memory) Unsteady(program int) *atomic.Uint64 { return m.word(offUnsteady + 8*program) }

// OpTried and OpKept count the inputs that an operator took part in, and those of them that were kept.
func (m *Memory) OpTried(op int) *atomic.Uint64 { return m.word(offOps + 16*op) }
func (m *Memory) OpKept(op int) *atomic.Uint64  { return m.word(offOps + 16*op + 8) }

// MaxInput is the longest input that a slot holds.
func (m *Memory) MaxInput() int { return m.slotSize - 8 }

// SetInput makes flat the input in flight.
func (m *Memory) SetInput(flat []byte) {
	m.seq++
	slot := m.slot(m.seq)
	n := copy(slot[8:], flat)
	(*atomic.Uint64)(unsafe.Pointer(&slot[0])).Store(uint64(n) + 1)
	m.word(offSeq).Store(m.seq)
}

// Recent returns copies of the latest inputs, the one in flight first. The oldest slot is left out: the worker may have
// died while it wrote the next input there.
func (m *Memory) Recent() [][]byte {
	seq := m.word(offSeq).Load()
	var inputs [][]byte
	for k := uint64(0); k < Slots-1 && k < seq; k++ {
		slot := m.slot(seq - k)
		n := (*atomic.Uint64)(unsafe.Pointer(&slot[0])).Load()
		if n == 0 || n-1 > uint64(len(slot)-8) {
			break
		}
		inputs = append(inputs, append([]byte{}, slot[8:8+n-1]...))
	}
	return inputs
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
		kind, payload := ring[pos+4], ring[pos+8:pos+8+uint64(n):pos+8+uint64(n)]
		if getUint32(ring[pos+4:]) == checksum(kind, payload) {
			f(kind, payload)
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

var polynomial = crc32.MakeTable(crc32.Castagnoli)

// checksum is the word that holds an event's kind, in its lowest byte, and three bytes of a checksum of the event.
func checksum(kind byte, payload []byte) uint32 {
	return (crc32.Checksum(payload, polynomial)^uint32(kind)<<24^0x5a5a5a00)&^0xff | uint32(kind) // not zero for what is all zero
}

func putUint32(b []byte, v uint32) {
	b[0], b[1], b[2], b[3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
}

func getUint32(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}
