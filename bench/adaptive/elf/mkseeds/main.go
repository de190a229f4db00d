// Mkseeds writes the seeds of elf/parallax.toml, small files of every class and byte order:
//
//	go run ./elf/mkseeds seeds/elf
package main

import (
	"bytes"
	"compress/zlib"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
)

// A file describes a seed. It has the sections behind the null section. The last one, .shstrtab, is
// added.
type file struct {
	class    elf.Class
	data     elf.Data
	kind     elf.Type
	machine  elf.Machine
	abi      elf.OSABI
	entry    uint64
	programs []elf.ProgHeader // Off and Filesz of a PT_LOAD without a size are those of the whole file
	sections []section
}

type section struct {
	name    string
	kind    elf.SectionType
	flags   elf.SectionFlag
	addr    uint64
	size    uint64 // of a section without content
	link    uint32
	info    uint32
	entsize uint64
	content []byte
}

type symbol struct {
	name    string
	info    byte
	section uint16
	value   uint64
	size    uint64
}

func (f *file) order() binary.AppendByteOrder {
	if f.data == elf.ELFDATA2MSB {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

func (f *file) wide() bool { return f.class == elf.ELFCLASS64 }

// word is a number of 8 bytes in the one class and of 4 in the other.
func (f *file) word(b []byte, v uint64) []byte {
	if f.wide() {
		return f.order().AppendUint64(b, v)
	}
	return f.order().AppendUint32(b, uint32(v))
}

func (f *file) half(b []byte, v uint16) []byte { return f.order().AppendUint16(b, v) }
func (f *file) full(b []byte, v uint32) []byte { return f.order().AppendUint32(b, v) }

// pick is the size of something in the file's class.
func (f *file) pick(small, large int) int {
	if f.wide() {
		return large
	}
	return small
}

// symbols adds a symbol table and its names. link is the number that the table of names will have.
func (f *file) symbols(local uint32, list ...symbol) {
	size := f.pick(elf.Sym32Size, elf.Sym64Size)
	table, names := make([]byte, size), []byte{0}
	for _, s := range list {
		table = f.full(table, uint32(len(names)))
		if f.wide() {
			table = append(table, s.info, 0)
			table = f.half(table, s.section)
			table = f.word(f.word(table, s.value), s.size)
		} else {
			table = f.word(f.word(table, s.value), s.size)
			table = append(table, s.info, 0)
			table = f.half(table, s.section)
		}
		names = append(append(names, s.name...), 0)
	}
	link := uint32(len(f.sections) + 2)
	f.sections = append(f.sections,
		section{name: ".symtab", kind: elf.SHT_SYMTAB, link: link, info: local, entsize: uint64(size), content: table},
		section{name: ".strtab", kind: elf.SHT_STRTAB, content: names})
}

// packed adds a section that is compressed.
func (f *file) packed(name string, content []byte) {
	head := f.full(nil, uint32(elf.COMPRESS_ZLIB))
	if f.wide() {
		head = f.full(head, 0)
	}
	head = f.word(f.word(head, uint64(len(content))), 1)
	b := bytes.NewBuffer(head)
	w := zlib.NewWriter(b)
	w.Write(content)
	w.Close()
	f.sections = append(f.sections, section{name: name, kind: elf.SHT_PROGBITS, flags: elf.SHF_COMPRESSED, content: b.Bytes()})
}

func (f *file) bytes() []byte {
	ehdr, phdr, shdr := f.pick(52, 64), f.pick(32, 56), f.pick(40, 64)
	sections := f.sections
	if len(sections) > 0 {
		names := []byte{0}
		for _, s := range sections {
			names = append(append(names, s.name...), 0)
		}
		names = append(names, ".shstrtab\x00"...)
		sections = append([]section{{}}, sections...)
		sections = append(sections, section{name: ".shstrtab", kind: elf.SHT_STRTAB, content: names})
	}
	// The content of the sections lies behind the program headers, and the section headers come last.
	at := ehdr + phdr*len(f.programs)
	var content []byte
	offsets := make([]uint64, len(sections))
	for i, s := range sections {
		if s.kind == elf.SHT_NULL {
			continue
		}
		for (at+len(content))%4 != 0 {
			content = append(content, 0)
		}
		offsets[i] = uint64(at + len(content))
		content = append(content, s.content...)
	}
	for (at+len(content))%8 != 0 {
		content = append(content, 0)
	}
	end := at + len(content)

	version := byte(elf.EV_CURRENT)
	b := []byte{0x7f, 'E', 'L', 'F', byte(f.class), byte(f.data), version, byte(f.abi), 0, 0, 0, 0, 0, 0, 0, 0}
	b = f.half(f.half(b, uint16(f.kind)), uint16(f.machine))
	b = f.full(b, uint32(version))
	b = f.word(b, f.entry)
	phoff, shoff := 0, 0
	if len(f.programs) > 0 {
		phoff = ehdr
	} else {
		phdr = 0
	}
	if len(sections) > 0 {
		shoff = end
	}
	b = f.word(f.word(b, uint64(phoff)), uint64(shoff))
	b = f.full(b, 0)
	for _, v := range []int{ehdr, phdr, len(f.programs), shdr, len(sections), max(0, len(sections)-1)} {
		b = f.half(b, uint16(v))
	}
	for _, p := range f.programs {
		if p.Type == elf.PT_LOAD && p.Filesz == 0 {
			p.Filesz, p.Memsz = uint64(end), uint64(end)
		}
		b = f.full(b, uint32(p.Type))
		if f.wide() {
			b = f.full(b, uint32(p.Flags))
		}
		for _, v := range []uint64{p.Off, p.Vaddr, p.Vaddr, p.Filesz, p.Memsz} {
			b = f.word(b, v)
		}
		if !f.wide() {
			b = f.full(b, uint32(p.Flags))
		}
		b = f.word(b, p.Align)
	}
	b = append(b, content...)
	name := uint32(0)
	for i, s := range sections {
		size := max(s.size, uint64(len(s.content)))
		b = f.full(f.full(b, name), uint32(s.kind))
		b = f.word(f.word(f.word(f.word(b, uint64(s.flags)), s.addr), offsets[i]), size)
		b = f.full(f.full(b, s.link), s.info)
		align := 0
		if s.kind != elf.SHT_NULL {
			align = 4
		}
		b = f.word(f.word(b, uint64(align)), s.entsize)
		name += uint32(len(s.name) + 1)
	}
	return b
}

// The kinds of symbols.
var (
	localFile   = elf.ST_INFO(elf.STB_LOCAL, elf.STT_FILE)
	localObject = elf.ST_INFO(elf.STB_LOCAL, elf.STT_OBJECT)
	globalFunc  = elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC)
	weakObject  = elf.ST_INFO(elf.STB_WEAK, elf.STT_OBJECT)
	undefined   = elf.ST_INFO(elf.STB_GLOBAL, elf.STT_NOTYPE)
)

const absolute = uint16(elf.SHN_ABS)

var (
	code = []byte{0x31, 0xc0, 0x40, 0x89, 0xc3, 0xcd, 0x80, 0xf4}
	note = []byte("\x00\x00\x00\x04\x00\x00\x00\x04\x00\x00\x00\x01GNU\x00\x00\x00\x00\x05")
	text = bytes.Repeat([]byte("the same again and "), 12)
)

func seeds() map[string]*file {
	const exec, write, alloc = elf.SHF_ALLOC | elf.SHF_EXECINSTR, elf.SHF_ALLOC | elf.SHF_WRITE, elf.SHF_ALLOC
	list := map[string]*file{
		"exec64-little": {class: elf.ELFCLASS64, data: elf.ELFDATA2LSB, kind: elf.ET_EXEC, machine: elf.EM_X86_64, entry: 0x400078,
			programs: []elf.ProgHeader{
				{Type: elf.PT_LOAD, Flags: elf.PF_R | elf.PF_X, Vaddr: 0x400000, Align: 0x1000},
				{Type: elf.PT_GNU_STACK, Flags: elf.PF_R | elf.PF_W, Align: 16},
			},
			sections: []section{{name: ".text", kind: elf.SHT_PROGBITS, flags: exec, addr: 0x4000b0, content: code}}},
		"object64-little": {class: elf.ELFCLASS64, data: elf.ELFDATA2LSB, kind: elf.ET_REL, machine: elf.EM_X86_64, sections: []section{
			{name: ".text", kind: elf.SHT_PROGBITS, flags: exec, content: code},
			{name: ".data", kind: elf.SHT_PROGBITS, flags: write, content: []byte{1, 0, 0, 0, 2, 0, 0, 0}},
			{name: ".bss", kind: elf.SHT_NOBITS, flags: write, size: 4096},
			{name: ".rela.text", kind: elf.SHT_RELA, flags: elf.SHF_INFO_LINK, link: 5, info: 1, entsize: 24, content: make([]byte, 24)},
		}},
		"library64-big": {class: elf.ELFCLASS64, data: elf.ELFDATA2MSB, kind: elf.ET_DYN, machine: elf.EM_S390,
			programs: []elf.ProgHeader{
				{Type: elf.PT_LOAD, Flags: elf.PF_R, Align: 0x1000},
				{Type: elf.PT_DYNAMIC, Flags: elf.PF_R | elf.PF_W, Off: 232, Vaddr: 232, Filesz: 32, Memsz: 32, Align: 8},
				{Type: elf.PT_NOTE, Flags: elf.PF_R, Off: 264, Vaddr: 264, Filesz: 20, Memsz: 20, Align: 4},
			},
			sections: []section{
				{name: ".dynamic", kind: elf.SHT_DYNAMIC, flags: write, addr: 232, link: 5, entsize: 16, content: make([]byte, 32)},
				{name: ".note.gnu", kind: elf.SHT_NOTE, flags: alloc, addr: 264, content: note},
				{name: ".hash", kind: elf.SHT_HASH, flags: alloc, addr: 284, link: 4, entsize: 4, content: make([]byte, 12)},
			}},
		"exec32-little": {class: elf.ELFCLASS32, data: elf.ELFDATA2LSB, kind: elf.ET_EXEC, machine: elf.EM_386, abi: elf.ELFOSABI_LINUX, entry: 0x8048054,
			programs: []elf.ProgHeader{
				{Type: elf.PT_LOAD, Flags: elf.PF_R | elf.PF_X, Vaddr: 0x8048000, Align: 0x1000},
				{Type: elf.PT_INTERP, Flags: elf.PF_R, Off: 116, Vaddr: 0x8048074, Filesz: 8, Memsz: 8, Align: 1},
			},
			sections: []section{
				{name: ".interp", kind: elf.SHT_PROGBITS, flags: alloc, addr: 0x8048074, content: []byte("/lib/ld\x00")},
				{name: ".text", kind: elf.SHT_PROGBITS, flags: exec, addr: 0x804807c, content: code},
			}},
		"object32-big": {class: elf.ELFCLASS32, data: elf.ELFDATA2MSB, kind: elf.ET_REL, machine: elf.EM_MIPS, sections: []section{
			{name: ".text", kind: elf.SHT_PROGBITS, flags: exec | elf.SHF_GROUP, content: code},
			{name: ".group", kind: elf.SHT_GROUP, link: 3, info: 1, entsize: 4, content: []byte{0, 0, 0, 1, 0, 0, 0, 1}},
		}},
		"object64-little-packed": {class: elf.ELFCLASS64, data: elf.ELFDATA2LSB, kind: elf.ET_REL, machine: elf.EM_AARCH64},
		"object32-big-packed":    {class: elf.ELFCLASS32, data: elf.ELFDATA2MSB, kind: elf.ET_REL, machine: elf.EM_PPC},
		"core64-little": {class: elf.ELFCLASS64, data: elf.ELFDATA2LSB, kind: elf.ET_CORE, machine: elf.EM_RISCV, programs: []elf.ProgHeader{
			{Type: elf.PT_NOTE, Off: 288, Filesz: 0, Align: 4},
			{Type: elf.PT_LOAD, Flags: elf.PF_R, Vaddr: 0x10000, Align: 0x1000},
			{Type: elf.PT_LOAD, Flags: elf.PF_R | elf.PF_W, Vaddr: 0x20000, Memsz: 0x1000, Align: 0x1000},
			{Type: elf.PT_TLS, Flags: elf.PF_R, Vaddr: 0x20000, Memsz: 16, Align: 8},
		}},
	}
	list["object64-little"].symbols(3,
		symbol{name: "first.c", info: localFile, section: absolute}, symbol{name: "count", info: localObject, section: 2, size: 4},
		symbol{name: "main", info: globalFunc, section: 1, size: 8}, symbol{name: "puts", info: undefined})
	list["library64-big"].symbols(1, symbol{name: "open", info: globalFunc, section: 1, value: 0x120, size: 8},
		symbol{name: "environ", info: weakObject, section: 3, value: 0x128, size: 8})
	list["exec32-little"].symbols(1, symbol{name: "_start", info: globalFunc, section: 2, value: 0x804807c, size: 8},
		symbol{name: "_end", info: undefined, section: absolute, value: 0x8049000})
	list["object32-big"].symbols(1, symbol{name: "gp", info: weakObject, section: absolute, value: 0x7ff0}, symbol{name: "f", info: globalFunc, section: 1, size: 8})
	for _, name := range []string{"object64-little-packed", "object32-big-packed"} {
		list[name].packed(".debug_str", text)
		list[name].symbols(1, symbol{name: "f", info: globalFunc, section: absolute})
	}
	return list
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./elf/mkseeds FOLDER")
		os.Exit(2)
	}
	for name, f := range seeds() {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), f.bytes(), 0o666); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
