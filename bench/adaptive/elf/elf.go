// Package elf reads ELF files with debug/elf. harness/elf.c reports the same of a file with libelf.
package elf

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"strings"
)

// These constants bound the reported headers and symbols, and the length of a name.
const (
	maxItems = 256
	maxName  = 64
)

// Debug reports the header, program headers and section headers of a file, and the symbols of its
// symbol table. It omits dynamic symbols, since debug/elf reads their versions too, which libelf
// leaves to its caller.
func Debug(file []byte) ([]byte, error) {
	f, err := elf.NewFile(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "file %x %x %x %x %x %x %x\n", int(f.Class), int(f.Data), int(f.OSABI), f.ABIVersion, int(f.Type), int(f.Machine), f.Entry)
	fmt.Fprintf(&b, "programs %d\n", len(f.Progs))
	for _, p := range most(f.Progs) {
		fmt.Fprintf(&b, "%x %x %x %x %x %x %x %x\n", int(p.Type), int(p.Flags), p.Off, p.Vaddr, p.Paddr, p.Filesz, p.Memsz, p.Align)
	}
	fmt.Fprintf(&b, "sections %d\n", len(f.Sections))
	for _, s := range most(f.Sections) {
		// FileSize is the size in the header. For a compressed section, Size and Addralign are those of
		// the unpacked data.
		fmt.Fprintf(&b, "%x %x %x %x %x %x %x %x", int(s.Type), int(s.Flags), s.Addr, s.Offset, s.FileSize, s.Link, s.Info, s.Entsize)
		name(&b, s.Name)
	}
	table := f.SectionByType(elf.SHT_SYMTAB)
	if table == nil || packed(table) || int(table.Link) < len(f.Sections) && packed(f.Sections[table.Link]) {
		return b.Bytes(), nil
	}
	symbols, err := f.Symbols()
	if errors.Is(err, elf.ErrNoSymbols) {
		return b.Bytes(), nil
	}
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(&b, "symbols %d\n", len(symbols))
	for _, s := range most(symbols) {
		fmt.Fprintf(&b, "%x %x %x %x %x", s.Info, s.Other, int(s.Section), s.Value, s.Size)
		name(&b, s.Name)
	}
	return b.Bytes(), nil
}

// packed reports whether a section is compressed in one of two ways. The unpacked data may be a
// thousand times as large as the file.
func packed(s *elf.Section) bool {
	return s.Flags&elf.SHF_COMPRESSED != 0 || strings.HasPrefix(s.Name, ".zdebug")
}

// name ends a line. It may hold any byte but NUL, so its length precedes it.
func name(b *bytes.Buffer, s string) {
	fmt.Fprintf(b, " %d:%s\n", len(s), s[:min(len(s), maxName)])
}

func most[T any](list []T) []T { return list[:min(len(list), maxItems)] }
