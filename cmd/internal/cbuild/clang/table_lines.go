package clang

import (
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sort"
)

// lineTable maps machine code to source lines.
type lineTable struct {
	files []string
	rows  []lineRow // by address
}

// lineRow applies from its address to the next row's.
type lineRow struct {
	pc   uint64
	file int32 // -1 after the end of known code
	line int32 // 0: made by the compiler
	col  int32
}

// newLineTable reads the line tables of all compilation units. A program without any has an empty
// table.
func newLineTable(m *image) (*lineTable, error) {
	f, t := m.elf, &lineTable{}
	if f.Section(".debug_info") == nil {
		return t, nil
	}
	d, err := f.DWARF()
	if err != nil {
		return nil, fmt.Errorf("reading the debug information: %w", err)
	}
	offsets, err := unitOffsets(f)
	if err != nil {
		return nil, err
	}
	numbers := map[string]int32{}
	var rows []lineRow
	var sequences [][2]int // in rows
	r := d.Reader()
	for _, at := range offsets {
		r.Seek(at)
		unit, err := r.Next()
		if err != nil {
			return nil, fmt.Errorf("reading the debug information: %w", err)
		}
		if unit == nil || unit.Tag != dwarf.TagCompileUnit {
			continue
		}
		lines, err := d.LineReader(unit)
		if err != nil {
			return nil, fmt.Errorf("reading the line tables: %w", err)
		}
		if lines == nil {
			continue
		}
		var e dwarf.LineEntry
		var file *dwarf.LineFile
		number, begin := int32(-1), len(rows)
		for {
			err := lines.Next(&e)
			if err == io.EOF {
				break
			}
			if err != nil {
				return nil, fmt.Errorf("reading the line tables: %w", err)
			}
			if e.EndSequence {
				rows = append(rows, lineRow{e.Address, -1, 0, 0})
				// Code that the linker has dropped is at addresses without code.
				if m.executable(rows[begin].pc) {
					sequences = append(sequences, [2]int{begin, len(rows)})
				}
				begin = len(rows)
				continue
			}
			if e.File != file && e.File != nil {
				file, number = e.File, t.number(numbers, sourcePath(unit, e.File))
			}
			rows = append(rows, lineRow{e.Address, number, int32(e.Line), int32(e.Column)})
		}
	}
	slices.SortStableFunc(sequences, func(a, b [2]int) int { return cmp.Compare(rows[a[0]].pc, rows[b[0]].pc) })
	t.rows = make([]lineRow, 0, len(rows))
	for _, s := range sequences {
		t.rows = append(t.rows, rows[s[0]:s[1]]...)
	}
	return t, nil
}

func (t *lineTable) number(numbers map[string]int32, name string) int32 {
	n, ok := numbers[name]
	if !ok {
		n = int32(len(t.files))
		t.files = append(t.files, name)
		numbers[name] = n
	}
	return n
}

// sourcePath returns the absolute name of a file. Package debug/dwarf keeps names relative to the
// compiler's working directory.
func sourcePath(unit *dwarf.Entry, f *dwarf.LineFile) string {
	if f == nil {
		return ""
	}
	dir, _ := unit.Val(dwarf.AttrCompDir).(string)
	if filepath.IsAbs(f.Name) || dir == "" {
		return filepath.Clean(f.Name)
	}
	return filepath.Join(dir, f.Name)
}

// unitOffsets returns the offsets of the first entries of all compilation units, without reading
// the units. Package debug/dwarf would read a whole unit to find the next.
func unitOffsets(f *elf.File) ([]dwarf.Offset, error) {
	s := f.Section(".debug_info")
	if s == nil {
		return nil, nil
	}
	data, err := s.Data()
	if err != nil {
		return nil, fmt.Errorf("reading .debug_info: %w", err)
	}
	damaged := errors.New("the debug information is damaged")
	var offsets []dwarf.Offset
	for at := uint64(0); at+12 <= uint64(len(data)); {
		length, header, size := uint64(binary.LittleEndian.Uint32(data[at:])), uint64(4), uint64(4)
		if length == 0xffffffff {
			length, header, size = binary.LittleEndian.Uint64(data[at+4:]), 12, 8
		}
		if length < 8 || length > uint64(len(data))-at-header {
			return nil, damaged
		}
		unit := data[at+header : at+header+length]
		entry := at + header + 2 + size + 1 // version, offset of abbreviations, size of addresses
		if version := binary.LittleEndian.Uint16(unit); version >= 5 {
			entry++
			switch kind := unit[2]; kind {
			case 4, 5: // skeleton, split compile: an identifier
				entry += 8
			case 2, 6: // types: a signature and an offset
				entry += 8 + size
			}
		}
		if entry < at+header+length {
			offsets = append(offsets, dwarf.Offset(entry))
		}
		at += header + length
	}
	return offsets, nil
}

// between returns the rows that hold in a range of addresses; the first may begin before it.
func (t *lineTable) between(from, to uint64) []lineRow {
	if from >= to {
		return nil
	}
	first := sort.Search(len(t.rows), func(i int) bool { return t.rows[i].pc > from })
	if first > 0 {
		first-- // the last of those that begin where or before the range does
	}
	last := first + sort.Search(len(t.rows)-first, func(i int) bool { return t.rows[first+i].pc >= to })
	return t.rows[first:last]
}
