package wire

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"sync/atomic"
	"unsafe"
)

// Memory is the file that a worker and its supervisor share. The worker writes all of it except the
// stop flag, the mail count and the ring's tail. If the worker is killed, the supervisor finds the
// input in flight, the inputs before it, every announced event, and the coverage.
//
//	header    4 KiB: the fields below
//	slots     the last Slots inputs, including the one in flight: length, then the flat form
//	ring      events from worker to supervisor
//	maps      one coverage map per program, laid out by the worker once it knows its counters
//
// The file is sparse: only used parts take memory.
//
// A program may write anything into it. So each side also keeps its own copy of the decisive words.
// After each program, the worker checks that the header is unchanged (Intact). The supervisor
// rejects impossible words (Sound), and counts and events with a wrong checksum (Counts, Drain). It
// also rejects signs of life that do not answer its ping (Beaten).
type Memory struct {
	b        []byte
	slotSize int
	ringSize int

	seq, head, tail uint64 // last values written by this side
	taken           []byte // copy of an event, out of the program's reach

	// Fields of the worker.
	own      [ownWords]uint64 // last values written
	check    uint64           // checksum of its counts
	mailed   uint64           // announced messages of mail
	watched  int              // checked bytes of own, without
	unsteady int              // the checked bytes at offUnsteady

	// Fields of the supervisor.
	ping  uint64
	mails uint64 // announced messages of mail
}

// Harmed is the exit status of a worker whose program has damaged its shared memory or its
// descriptors. The last line of the worker's standard error describes the damage.
const Harmed = 121

// HarmPrefix begins that line.
const HarmPrefix = "parallax: the program "

// Slots is the number of latest inputs in the memory. A goroutine that an input left running may
// kill the process some inputs later. The culprit is searched among these.
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

	offHead = 128 // the ring's ends have their own cache lines
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

	slotHeader = 16 // number of the input, and its length plus one
)

// States of a worker. No program writes such a number by accident.
const (
	Idle     = 0x5ad1e1d1e0ff10ad
	InFlight = 0x5ad1f1197f1197ed
)

// trueWord represents true in a word.
const trueWord = 0x5ad17ab1e5ad17ab

const (
	minRing = 4 << 20
	// MapBytes is the size of the coverage maps: 256 MiB of address space, touched only where there
	// are counters.
	MapBytes = 256 << 20
)

// SlotSize returns the size of a slot for inputs of at most max bytes in flat form.
func SlotSize(max int) int { return (max + slotHeader + 63) &^ 63 }

// ringSize returns twice the size of the largest event, which holds an input and its parent. A
// smaller ring might never have room between its end and unread events.
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

// NewMemory lays out b, which must be zero, for inputs of at most max bytes. The supervisor calls
// it.
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

// Watch makes Intact check the counts of that many programs and operators, too. The worker calls
// it.
func (m *Memory) Watch(programs, operators int) {
	m.watched, m.unsteady = offOps+16*operators-offOwn, 8*programs
}

// laidOut reports whether the words of the layout are unchanged.
func (m *Memory) laidOut() bool {
	return m.word(offMagic).Load() == magic+Version && m.word(offSlotSize).Load() == uint64(m.slotSize) && m.word(offRingSize).Load() == uint64(m.ringSize)
}

// Intact reports whether the header is as the worker left it, and whether the supervisor's words
// are possible.
func (m *Memory) Intact() bool {
	own := m.owned()
	const at = offUnsteady - offOwn
	return m.laidOut() && m.word(offHead).Load() == m.head && m.ordered() &&
		bytes.Equal(m.b[offOwn:offOwn+m.watched], own[:m.watched]) &&
		bytes.Equal(m.b[offUnsteady:offUnsteady+m.unsteady], own[at:at+m.unsteady])
}

// owned returns the worker's last written values as bytes. Contract relied on: an array of words
// has eight bytes per word, without gaps.
func (m *Memory) owned() *[8 * ownWords]byte { return (*[8 * ownWords]byte)(unsafe.Pointer(&m.own)) }

// ordered reports whether the supervisor's words are possible.
func (m *Memory) ordered() bool {
	if stop := m.word(offStop).Load(); stop != 0 && stop != withChecksum(stopSoon) {
		return false
	}
	n, ok := checkedNumber(m.word(offMail).Load())
	tail := m.word(offTail).Load()
	return ok && n-m.mailed < mostMail && tail <= m.head && tail%8 == 0
}

// Restore restores the header of the time when a program received the input flat. It clears the
// mark that the rest of the memory can be trusted.
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
	m.seq = 0 // earlier inputs are unknown now
	m.SetInput(flat)
	m.SetState(InFlight)
}

// Trusted reports whether the header shows that the coverage maps can be the worker's.
func (m *Memory) Trusted() bool { return m.laidOut() }

// Known reports whether the header's state of the worker is valid.
func (m *Memory) Known() bool {
	state := m.State()
	return m.laidOut() && (state == Idle || state == InFlight)
}

// Sound reports whether the header can be written by worker and supervisor, for a worker with that
// many programs.
func (m *Memory) Sound(programs int) bool {
	stop, mail := m.word(offStop).Load(), m.word(offMail).Load()
	determined, repairing := m.word(offDetermined).Load(), m.word(offRepairing).Load()
	return m.Known() && m.Program() <= programs && (determined == 0 || determined == trueWord) && (repairing == 0 || repairing == trueWord) &&
		m.word(offSeq).Load() == m.newest() && (stop == 0 || stop == withChecksum(stopSoon)) && (m.mails == 0 && mail == 0 || mail == withChecksum(m.mails))
}

// OpenMemory reads the layout of b. The worker calls it.
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

// word returns the word at an offset of the mapping as an atomic. Contract relied on: the mapping
// is page-aligned and offsets are multiples of eight, so the word is aligned. Both processes map
// the same pages.
func (m *Memory) word(off int) *atomic.Uint64 { return wordAt(m.b, off) }

func wordAt(b []byte, off int) *atomic.Uint64 { return (*atomic.Uint64)(unsafe.Pointer(&b[off])) }

// put writes a word of the worker. It skips a word that has the value already, since a store
// visible to other processors is expensive.
func (m *Memory) put(off int, v uint64) {
	if own := &m.own[(off-offOwn)/8]; *own != v {
		*own = v
		m.word(off).Store(v)
	}
}

// State returns the state of the worker, which is valid if Known reports so.
func (m *Memory) State() uint64 { return m.word(offState).Load() }

// SetState sets the state of the worker.
func (m *Memory) SetState(v uint64) { m.put(offState, v) }

// Program returns the running program, or a number above MaxPrograms if it is unknown.
func (m *Memory) Program() int {
	if n, ok := checkedNumber(m.word(offProgram).Load()); ok && m.word(offProgram).Load() != 0 {
		return int(min(n, MaxPrograms+1))
	}
	return MaxPrograms + 1
}

// SetProgram sets the running program.
func (m *Memory) SetProgram(p int) { m.put(offProgram, withChecksum(uint64(p))) }

// Determined reports whether the input in flight is determined (source.Step).
func (m *Memory) Determined() bool { return m.word(offDetermined).Load() == trueWord }

// SetDetermined sets whether it is.
func (m *Memory) SetDetermined(is bool) { m.put(offDetermined, boolWord(is)) }

// Repairing reports whether the input in flight is being repaired.
func (m *Memory) Repairing() bool { return m.word(offRepairing).Load() == trueWord }

// SetRepairing sets whether it is.
func (m *Memory) SetRepairing(is bool) { m.put(offRepairing, boolWord(is)) }

// SetEngineBytes sets the number of bytes of the worker's memory that belong to the engine.
func (m *Memory) SetEngineBytes(n int) { m.put(offHeld, withChecksum(uint64(min(n, MaxEngineBytes)))) }

// EngineBytes returns that number.
func (m *Memory) EngineBytes() int {
	n, ok := checkedNumber(m.word(offHeld).Load())
	if !ok {
		return 0
	}
	return int(min(n, MaxEngineBytes))
}

// MaxEngineBytes is above the memory of any engine. Feature sets need 24 MiB per domain and sets of
// traces 96 MiB, while they grow, and the corpus needs memory too.
const MaxEngineBytes = 512 << 20

func boolWord(is bool) uint64 {
	if is {
		return trueWord
	}
	return 0
}

// MaxInput returns the size of the longest input that a slot holds.
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

// Recent returns copies of the latest inputs, the one in flight first. It leaves out the oldest
// slot, since the worker may have died while it wrote the next input there.
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

// newest returns the number of the latest input according to the slots, since a program may have
// overwritten the header.
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

// Maps returns the memory of the coverage maps.
func (m *Memory) Maps() []byte { return m.b[headerSize+Slots*m.slotSize+m.ringSize:] }

// MaxRecord returns the size of the largest event that fits the ring.
func (m *Memory) MaxRecord() int { return m.ringSize/2 - 16 }

const skip = ^uint32(0) // marks the unused end of the ring

// TryPut appends an event. It reports false if the ring has no room now.
func (m *Memory) TryPut(kind byte, payload []byte) bool {
	ring := m.ring()
	head, tail := m.head, m.word(offTail).Load()
	if tail > head {
		return true // no reader uses such a tail: a program has overwritten it, which is detected after the program
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

// Drained reports whether the supervisor has read every event. The worker calls it.
func (m *Memory) Drained() bool { return m.word(offTail).Load() >= m.head }

// Drain calls f with every event in the ring, oldest first, and frees them. f must not keep the
// payload. The program under test may have written anything into the ring, so Drain skips invalid
// events.
func (m *Memory) Drain(f func(kind byte, payload []byte)) int {
	ring := m.ring()
	head, tail := m.word(offHead).Load(), m.tail
	events := 0
	if tail > head || head-tail > uint64(len(ring)) || head%8 != 0 {
		m.tail = head // the worker detects it, too, and ends
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
		// The program may still be running: checked bytes must not change.
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

// checksum returns a word with an event's kind in its lowest byte and three bytes of the event's
// checksum.
func checksum(kind byte, payload []byte) uint32 {
	return (crc32.Checksum(payload, polynomial())^uint32(kind)<<24^0x5a5a5a00)&^0xff | uint32(kind) // not zero for an all-zero event
}

// Contract relied on by putUint64 and getUint64: slots begin at multiples of eight of a
// page-aligned mapping.

func putUint64(b []byte, v uint64) { *(*uint64)(unsafe.Pointer(&b[0])) = v }
func getUint64(b []byte) uint64    { return *(*uint64)(unsafe.Pointer(&b[0])) }

func putUint32(b []byte, v uint32) {
	b[0], b[1], b[2], b[3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
}

func getUint32(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}
