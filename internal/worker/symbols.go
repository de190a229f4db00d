package worker

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime"
	"sort"
	"strings"

	"parallax/internal/oracle"
)

// symbol is a symbol of an executable.
type symbol struct {
	Name        string
	Value, Size uint64
}

// ownSymbols returns the symbols of this executable whose names end in one of the suffixes. base is
// the offset of its load address from the addresses in the file.
func ownSymbols(suffixes ...string) (symbols []symbol, base uint64, err error) {
	f, err := os.Open("/proc/self/exe")
	if err == nil {
		defer f.Close()
		var size int64
		if size, err = f.Seek(0, io.SeekEnd); err == nil {
			symbols, err = namedSymbols(f, size, append(suffixes, ".ownSymbols"))
		}
	}
	if err != nil {
		return nil, 0, fmt.Errorf("reading the worker's symbol table: %w", err)
	}
	if len(symbols) == 0 {
		return nil, 0, errors.New("the worker was linked without symbols (-ldflags=-s): build it with them")
	}
	anchor := reflect.ValueOf(ownSymbols).Pointer()
	anchorName := oracle.Unescape(runtime.FuncForPC(anchor).Name())
	for _, s := range symbols {
		if strings.HasSuffix(s.Name, ".ownSymbols") && oracle.Unescape(s.Name) == anchorName {
			return symbols, uint64(anchor) - s.Value, nil
		}
	}
	return nil, 0, errors.New("the worker's own code is missing from its symbol table")
}

var errNoELF = errors.New("it is no ELF file of 64 bits")

// namedSymbols returns the symbols of an ELF file whose names end in one of the suffixes. A
// stripped file has none. Reading all symbols would take most of a worker's start time, and each
// candidate starts a worker.
//
// It does not use debug/elf, which needs a dozen packages for compressed sections and DWARF. If a
// program under test used one of them, that package would be instrumented in the worker too, and
// the worker would execute counted code.
func namedSymbols(f io.ReaderAt, size int64, suffixes []string) ([]symbol, error) {
	var header [64]byte // Elf64_Ehdr
	if _, err := f.ReadAt(header[:], 0); err != nil {
		return nil, err
	}
	var order binary.ByteOrder = binary.LittleEndian
	if header[5] == 2 {
		order = binary.BigEndian
	}
	const sectionSize = 64 // Elf64_Shdr
	if string(header[:5]) != "\x7fELF\x02" || order.Uint16(header[58:]) != sectionSize {
		return nil, errNoELF
	}
	sections := make([]byte, int(order.Uint16(header[60:]))*sectionSize)
	if _, err := f.ReadAt(sections, int64(order.Uint64(header[40:]))); err != nil {
		return nil, fmt.Errorf("its sections: %w", err)
	}
	content := func(section []byte) ([]byte, error) {
		at, n := order.Uint64(section[24:]), order.Uint64(section[32:])
		if at > uint64(size) || n > uint64(size)-at {
			return nil, io.ErrUnexpectedEOF
		}
		text := make([]byte, n)
		_, err := f.ReadAt(text, int64(at))
		return text, err
	}
	const symbolTable, symbolSize = 2, 24 // SHT_SYMTAB, Elf64_Sym
	for s := sections; len(s) > 0; s = s[sectionSize:] {
		link := int(order.Uint32(s[40:])) * sectionSize
		if order.Uint32(s[4:]) != symbolTable || link >= len(sections) {
			continue
		}
		entries, err := content(s)
		if err != nil {
			return nil, err
		}
		text, err := content(sections[link:])
		if err != nil {
			return nil, err
		}
		names := namesEnding(text, suffixes)
		var symbols []symbol
		for ; len(entries) >= symbolSize; entries = entries[symbolSize:] {
			at := int(order.Uint32(entries))
			// The linker may make a name begin in the middle of a longer one.
			i := sort.Search(len(names), func(i int) bool { return at < names[i].end })
			if i < len(names) && names[i].start <= at {
				symbols = append(symbols, symbol{string(text[at:names[i].end]), order.Uint64(entries[8:]), order.Uint64(entries[16:])})
			}
		}
		return symbols, nil
	}
	return nil, nil
}

// name holds the position of a name in a string table.
type name struct{ start, end int }

// namesEnding finds the names in a string table that end in one of the suffixes, in order.
func namesEnding(text []byte, suffixes []string) (names []name) {
	for _, s := range suffixes {
		for from := 0; ; {
			i := bytes.Index(text[from:], []byte(s+"\x00"))
			if i < 0 {
				break
			}
			from += i + len(s)
			names = append(names, name{bytes.LastIndexByte(text[:from], 0) + 1, from})
		}
	}
	sort.Slice(names, func(i, j int) bool { return names[i].start < names[j].start })
	return names
}
