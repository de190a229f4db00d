package c

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Layout of the memory shared with a program, as in cbuild/clang/runtime/memory.h.
const (
	magic   = 0x31786c70
	version = 2

	maxSlots  = 256
	maxFrames = 64
	maxOps    = 2048
	opSize    = 40

	atRequest  = 8
	atResponse = 12
	atCount    = 16
	atCurrent  = 20
	atKind     = 24
	atFlags    = 28
	atPhase    = 32
	atCan      = 36
	atSignal   = 40
	atFrames   = 44
	atRegions  = 48
	atLate     = 52
	atCounters = 56
	atFault    = 64
	atAreas    = 72 // offset and size of inputs, hits, outputs, operands
	atOpCount  = 136
	atTick     = 144
	atSeed     = 152
	atMapsLen  = 160
	atFrame    = 168
	atRegion   = 680
	atLooks    = 1704
	atLeaked   = 1708
	atSuspect  = 1712

	slotsAt  = 4096
	slotSize = 96
	mapsAt   = slotsAt + slotSize*maxSlots
	mapsSize = 64 << 10
	areasAt  = mapsAt + mapsSize
)

// Abilities of a program, and flags that request them.
const (
	canMutate = 1 << iota
	canCross
	canOrder
	canCmpLog
	isSanitized
	canLeaks
)

const (
	wantOrder = 1 << iota
	wantCmpLog
	wantLeaks
)

// Phases of a program.
const (
	starting = iota
	ready
	running
	exited
)

// Kinds of orders.
const (
	runInputs = iota
	mutateInputs
	crossInputs
)

// Outcomes in slots.
const (
	none = iota
	accepted
	rejected
	declined
	crashed
	leaked
	hung
)

// Sizes of the areas. The memory is a sparse file, so that large areas cost nothing.
const (
	inputsSize = 16 << 20
	hitsSize   = 64 << 20
	opsSize    = maxOps*opSize + 1<<20
	spare      = 1 << 20 // space for messages after outputs
)

type area struct{ off, size int }

// memory is shared with one process.
type memory struct {
	file                  *os.File
	b                     []byte
	inputs, hits, out, op area
	// orders of the current batch, and a buffer for their present state
	ordered, now []byte
}

// newMemory creates the memory for inputs and outputs of the given sizes.
func newMemory(maxInput, maxOutput int) (*memory, error) {
	fd, err := unix.MemfdCreate("parallax", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("making shared memory: %w", err)
	}
	m := &memory{file: os.NewFile(uintptr(fd), "shared memory")}
	at := areasAt
	for _, a := range []struct {
		a    *area
		size int
	}{{&m.inputs, max(inputsSize, maxInput)}, {&m.hits, hitsSize}, {&m.out, maxOutput + spare}, {&m.op, opsSize}} {
		size := (a.size + 4095) &^ 4095
		*a.a = area{at, size}
		at += size
	}
	if err := m.file.Truncate(int64(at)); err != nil {
		m.close()
		return nil, fmt.Errorf("making %d MiB of shared memory: %w", at>>20, err)
	}
	// A program must not be able to truncate the memory through its standard input.
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL); err != nil {
		m.close()
		return nil, fmt.Errorf("sealing shared memory: %w", err)
	}
	if m.b, err = syscall.Mmap(fd, 0, at, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED); err != nil {
		m.close()
		return nil, fmt.Errorf("mapping shared memory: %w", err)
	}
	m.put32(0, magic)
	m.put32(4, version)
	for i, a := range []area{m.inputs, m.hits, m.out, m.op} {
		m.put64(atAreas+16*i, uint64(a.off))
		m.put64(atAreas+16*i+8, uint64(a.size))
	}
	return m, nil
}

func (m *memory) close() {
	if m.b != nil {
		syscall.Munmap(m.b)
		m.b = nil
	}
	m.file.Close()
}

func (m *memory) put32(at int, v uint32) { binary.LittleEndian.PutUint32(m.b[at:], v) }
func (m *memory) put64(at int, v uint64) { binary.LittleEndian.PutUint64(m.b[at:], v) }
func (m *memory) u32(at int) uint32      { return binary.LittleEndian.Uint32(m.b[at:]) }
func (m *memory) u64(at int) uint64      { return binary.LittleEndian.Uint64(m.b[at:]) }

// word returns a number that both sides access concurrently. Contract relied on: the header is
// aligned, since mappings begin at pages.
func (m *memory) word(at int) *uint32 { return (*uint32)(unsafe.Pointer(&m.b[at])) }

func slotAt(i int) int { return slotsAt + slotSize*i }

// order hands the inputs of a batch to the program and returns the number of the request.
func (m *memory) order(kind uint32, inputs [][]byte, most int) uint32 {
	at := 0
	for i, in := range inputs {
		s := slotAt(i)
		m.put64(s, uint64(at))
		m.put32(s+8, uint32(len(in)))
		m.put32(s+12, uint32(most))
		m.put32(s+16, none)
		at += copy(m.b[m.inputs.off+at:], in)
	}
	m.put32(atCount, uint32(len(inputs)))
	m.put32(atCurrent, 0) // if the process has already ended, no input was run
	m.put32(atKind, kind)
	n := atomic.AddUint32(m.word(atRequest), 1)
	m.ordered = m.orders(m.ordered[:0], len(inputs))
	futexWake(m.word(atRequest))
	return n
}

// orders appends all bytes that only this side writes after the start, for a batch of n inputs.
func (m *memory) orders(to []byte, n int) []byte {
	for _, part := range [][2]int{{atRequest, atResponse}, {atCount, atCurrent}, {atKind, atPhase}, {atAreas, atOpCount}, {atTick, atMapsLen}} {
		to = append(to, m.b[part[0]:part[1]]...)
	}
	for i := range n {
		to = append(to, m.b[slotAt(i):slotAt(i)+16]...)
	}
	return to
}

// intact reports whether the program left those bytes unchanged. Otherwise none of its answers
// counts.
func (m *memory) intact(n int) bool {
	m.now = m.orders(m.now[:0], n)
	return bytes.Equal(m.now, m.ordered)
}

// answered returns the number of leading inputs with an outcome. The outcome of the current input
// does not count: the program may have overwritten it.
func (m *memory) answered(n int) int {
	for i := range n {
		if o := m.u32(slotAt(i) + 16); o < accepted || o > declined {
			return i
		}
	}
	return n
}

// fits returns how many of the inputs fit a batch, at least one.
func (m *memory) fits(inputs [][]byte) int {
	n, size := 0, 0
	for n < len(inputs) && n < maxSlots {
		if size += len(inputs[n]); size > m.inputs.size && n > 0 {
			break
		}
		n++
	}
	return n
}

// slice returns a part of an area. It returns nil for invalid values, which the program may have
// written.
func (m *memory) slice(a area, off uint64, n uint64) []byte {
	if off > uint64(a.size) || n > uint64(a.size)-off {
		return nil
	}
	at := a.off + int(off)
	return m.b[at : at+int(n) : at+int(n)]
}

// futexWait sleeps while the word has the value, at most for limit. It may return early.
func futexWait(word *uint32, value uint32, limit time.Duration) {
	ts := syscall.NsecToTimespec(int64(limit))
	syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(word)), 0, uintptr(value), uintptr(unsafe.Pointer(&ts)), 0, 0)
}

func futexWake(word *uint32) {
	syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(word)), 1, 1<<30, 0, 0, 0)
}
