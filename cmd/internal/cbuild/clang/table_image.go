package clang

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// image is a linked program or shared library: the contents of its coverage tables after dynamic
// linking, and its functions.
type image struct {
	elf      *elf.File
	points   []point           // __sancov_pcs, in the order of the counters
	words    []uint64          // __sancov_cfs
	external map[uint64]string // placeholders in words for functions of other files
	symbols  []symbol          // functions, one for an address, ascending
	plt      map[uint64]string // functions of other files that have an address in this one
	chosen   map[uint64]uint64 // maps an ifunc's slot to its resolver
	code     []codeRange
	// symbols are those of counted functions and of the dynamic linker, and extend to the next
	stripped bool
}

// point is an entry of the table of counted blocks.
type point struct {
	pc    uint64
	entry bool // of a function
}

type symbol struct {
	name       string
	start, end uint64
	binding    elf.SymBind
}

type codeRange struct {
	start uint64
	data  []byte
}

const (
	// indirectCall represents an unknown callee.
	indirectCall = ^uint64(0)
	// externalBase is above all user-space addresses. The lower bits are the index of a dynamic
	// symbol.
	externalBase = 0xe << 60
)

const (
	pointSection   = "__sancov_pcs"
	graphSection   = "__sancov_cfs"
	entryPointFlag = 1
)

// errNoCoverage means that a file has no tables.
var errNoCoverage = errors.New("it has no coverage tables: compile and link it with `parallax cc`")

// openProgram opens a file that should be a program or a shared library.
func openProgram(path string) (*elf.File, error) {
	f, err := elf.Open(path)
	var opening *fs.PathError
	if err != nil && !errors.As(err, &opening) {
		return nil, fmt.Errorf("it is not a program: %w", err)
	}
	return f, err
}

func newImage(f *elf.File) (*image, error) {
	if f.Class != elf.ELFCLASS64 || f.Machine != elf.EM_X86_64 {
		return nil, fmt.Errorf("it is a program for %v: only 64-bit x86 can be read", f.Machine)
	}
	if f.Type != elf.ET_EXEC && f.Type != elf.ET_DYN {
		return nil, errors.New("it is neither a program nor a shared library")
	}
	points, graph := f.Section(pointSection), f.Section(graphSection)
	if points == nil || points.Size == 0 {
		return nil, errNoCoverage
	}
	m := &image{elf: f, external: map[uint64]string{}, plt: map[uint64]string{}, chosen: map[uint64]uint64{}}
	pointWords, err := sectionWords(points)
	if err != nil {
		return nil, err
	}
	if graph != nil {
		if m.words, err = sectionWords(graph); err != nil {
			return nil, err
		}
	}
	if err := m.readSymbols(); err != nil {
		return nil, err
	}
	if err := m.relocate(points, pointWords, graph); err != nil {
		return nil, err
	}
	for i := 0; i+1 < len(pointWords); i += 2 {
		m.points = append(m.points, point{pointWords[i], pointWords[i+1]&entryPointFlag != 0})
	}
	for _, s := range f.Sections {
		if s.Type == elf.SHT_PROGBITS && s.Flags&elf.SHF_EXECINSTR != 0 {
			data, err := s.Data()
			if err != nil {
				return nil, fmt.Errorf("reading %s: %w", s.Name, err)
			}
			m.code = append(m.code, codeRange{s.Addr, data})
		}
	}
	if m.stripped {
		m.guessSymbols()
	}
	return m, nil
}

func sectionWords(s *elf.Section) ([]uint64, error) {
	data, err := s.Data()
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", s.Name, err)
	}
	words := make([]uint64, len(data)/8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(data[8*i:])
	}
	return words, nil
}

// relocate applies the dynamic linker's relocations to the tables: position-independent programs
// have zeros in the file. Functions of other files have no address before the start, also in other
// programs. They get numbers above all addresses.
//
// Relative relocations in the packed form (SHT_RELR) need no work: their words are correct except
// for the base, which is 0 here.
func (m *image) relocate(points *elf.Section, pointWords []uint64, graph *elf.Section) error {
	dynamic, err := m.elf.DynamicSymbols()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return fmt.Errorf("reading the dynamic symbols: %w", err)
	}
	word := func(at uint64) *uint64 {
		if at >= points.Addr && at < points.Addr+points.Size {
			return &pointWords[(at-points.Addr)/8]
		}
		if graph != nil && at >= graph.Addr && at < graph.Addr+graph.Size {
			return &m.words[(at-graph.Addr)/8]
		}
		return nil
	}
	for _, s := range m.elf.Sections {
		if s.Type != elf.SHT_RELA || s.Flags&elf.SHF_ALLOC == 0 {
			continue
		}
		rela, err := sectionWords(s)
		if err != nil {
			return err
		}
		for ; len(rela) >= 3; rela = rela[3:] {
			w := word(rela[0])
			if w == nil {
				if elf.R_X86_64(uint32(rela[1])) == elf.R_X86_64_IRELATIVE {
					m.chosen[rela[0]] = rela[2]
				}
				continue
			}
			switch elf.R_X86_64(uint32(rela[1])) {
			case elf.R_X86_64_RELATIVE, elf.R_X86_64_IRELATIVE:
				*w = rela[2]
			case elf.R_X86_64_64, elf.R_X86_64_GLOB_DAT:
				i := rela[1] >> 32
				if i == 0 || i > uint64(len(dynamic)) {
					return fmt.Errorf("%s names a symbol that does not exist", s.Name)
				}
				if sym := dynamic[i-1]; sym.Section != elf.SHN_UNDEF {
					*w = sym.Value + rela[2]
				} else {
					*w = externalBase + i
					m.external[*w] = sym.Name
				}
			}
		}
	}
	// a program that takes a foreign function's address may have made one up
	for _, sym := range dynamic {
		if sym.Section == elf.SHN_UNDEF && sym.Value != 0 && elf.ST_TYPE(sym.Info) == elf.STT_FUNC {
			m.plt[sym.Value] = sym.Name
		}
	}
	return nil
}

// readSymbols lists the functions. If an address has several names, it takes one that others can
// see, without underscores at its beginning, strong, short.
func (m *image) readSymbols() error {
	all, err := m.elf.Symbols()
	if errors.Is(err, elf.ErrNoSymbols) {
		m.stripped = true
		all, err = m.elf.DynamicSymbols()
	}
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return fmt.Errorf("reading the symbols: %w", err)
	}
	for _, s := range all {
		t := elf.ST_TYPE(s.Info)
		if s.Section == elf.SHN_UNDEF || t != elf.STT_FUNC && t != elf.STT_GNU_IFUNC || s.Name == "" {
			continue
		}
		m.symbols = append(m.symbols, symbol{s.Name, s.Value, s.Value + s.Size, elf.ST_BIND(s.Info)})
	}
	rank := func(s symbol) int {
		switch {
		case s.binding == elf.STB_LOCAL:
			return 3
		case strings.HasPrefix(s.name, "_") && !strings.HasPrefix(s.name, "_Z"):
			return 2 // libraries have such a second name for their own use
		case s.binding == elf.STB_WEAK:
			return 1
		}
		return 0
	}
	slices.SortFunc(m.symbols, func(a, b symbol) int {
		// nearly always: a program with a sanitizer has thousands, and each crash reads them
		if a.start != b.start {
			return cmp.Compare(a.start, b.start)
		}
		return cmp.Or(rank(a)-rank(b), len(a.name)-len(b.name), strings.Compare(a.name, b.name))
	})
	kept := m.symbols[:0]
	for _, s := range m.symbols {
		if n := len(kept); n > 0 && kept[n-1].start == s.start {
			kept[n-1].end = max(kept[n-1].end, s.end)
			continue
		}
		kept = append(kept, s)
	}
	m.symbols = kept
	return nil
}

// guessSymbols makes up symbols for counted functions without any.
func (m *image) guessSymbols() {
	known := map[uint64]bool{}
	for _, s := range m.symbols {
		known[s.start] = true
	}
	for _, p := range m.points {
		if p.entry && !known[p.pc] {
			known[p.pc] = true
			m.symbols = append(m.symbols, symbol{name: fmt.Sprintf("%#x", p.pc), start: p.pc, end: p.pc})
		}
	}
	slices.SortStableFunc(m.symbols, func(a, b symbol) int { return cmp.Compare(a.start, b.start) })
	for i := range m.symbols {
		s := &m.symbols[i]
		if s.end > s.start {
			continue
		}
		for _, c := range m.code {
			if s.start >= c.start && s.start < c.start+uint64(len(c.data)) {
				s.end = c.start + uint64(len(c.data))
			}
		}
		if i+1 < len(m.symbols) {
			s.end = min(s.end, m.symbols[i+1].start)
		}
	}
}

// function returns the symbol that an address lies in; the address after the last byte counts.
func (m *image) function(pc uint64) (symbol, bool) {
	i, exact := slices.BinarySearchFunc(m.symbols, pc, func(s symbol, pc uint64) int { return cmp.Compare(s.start, pc) })
	if !exact {
		i--
	}
	if i < 0 || pc > m.symbols[i].end {
		return symbol{}, false
	}
	return m.symbols[i], true
}

// inside reports whether an address lies in a function, not at its beginning: nothing that can be
// called.
func (m *image) inside(pc uint64) bool {
	s, ok := m.function(pc)
	return ok && pc != s.start && pc < s.end
}

// name returns the callee of a word of the graph.
func (m *image) name(callee uint64) string {
	if name, ok := m.external[callee]; ok {
		return name
	}
	if name, ok := m.plt[callee]; ok {
		return name
	}
	if s, ok := m.function(callee); ok && s.start == callee {
		return s.name
	}
	if chooser, ok := m.chosen[m.jump(callee)]; ok {
		if s, ok := m.function(chooser); ok && s.start == chooser {
			return s.name
		}
	}
	return fmt.Sprintf("%#x", callee)
}

// jump returns the address from which a stub reads its target, or 0 if there is no stub at the
// address. Static programs have stubs for functions of the C library that exist in several
// versions.
func (m *image) jump(pc uint64) uint64 {
	code := m.bytes(pc, pc+16)
	code, ended := bytes.CutPrefix(code, []byte{0xf3, 0x0f, 0x1e, 0xfa}) // endbr64
	if ended {
		pc += 4
	}
	if len(code) < 6 || code[0] != 0xff || code[1] != 0x25 {
		return 0
	}
	return pc + 6 + uint64(int64(int32(binary.LittleEndian.Uint32(code[2:]))))
}

// bytes returns the code from one address to another.
func (m *image) bytes(from, to uint64) []byte {
	for _, c := range m.code {
		if from >= c.start && to <= c.start+uint64(len(c.data)) && from <= to {
			return c.data[from-c.start : to-c.start]
		}
	}
	return nil
}

// executable reports whether there is code at an address.
func (m *image) executable(pc uint64) bool { return len(m.bytes(pc, pc+1)) == 1 }
