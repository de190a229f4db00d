// Package elf reads ELF files with debug/elf. harness/elf.c tells the same of a file with libelf.
package elf

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"strings"
)

// How many headers and symbols are told, and how much of a name.
const (
	maxItems = 256
	maxName  = 64
)

// Debug tells of a file its header, program headers, section headers, and the symbols of its symbol
// table. Of dynamic symbols debug/elf looks at the versions too, which libelf leaves to its caller:
// so they are told of neither.
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
		// FileSize is what the header says. Size and Addralign are, for a compressed section, those of
		// what it unpacks to.
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

// packed says whether a section is compressed, in the one way or the other. What it unpacks to may
// be a thousand times as large as the file.
func packed(s *elf.Section) bool {
	return s.Flags&elf.SHF_COMPRESSED != 0 || strings.HasPrefix(s.Name, ".zdebug")
}

// name ends a line. It may hold any byte but NUL, so its length stands before it.
func name(b *bytes.Buffer, s string) {
	fmt.Fprintf(b, " %d:%s\n", len(s), s[:min(len(s), maxName)])
}

func most[T any](list []T) []T { return list[:min(len(list), maxItems)] }
