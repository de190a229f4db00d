package clang

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Sections are added here and not by objcopy, which may not be installed and would take longer to
// start. Only the platform's format is supported: 64 bits, little endian.

// A section is added to an ELF file. It replaces sections with the same name.
type section struct {
	name string
	data []byte
}

// excluded is SHF_EXCLUDE: the linker omits the section from programs and shared libraries.
const excluded = 0x80000000

const (
	elfHeaderSize     = 64
	elfSectionSize    = 64
	elfProgbits       = 1
	elfNoBits         = 8
	elfIndexIsFurther = 0xffff // SHN_XINDEX
	elfFirstReserved  = 0xff00 // SHN_LORESERVE
)

// Types of ELF files.
const (
	elfRelocatable = 1
	elfShared      = 3 // also position-independent executables
)

var errNotELF = errors.New("not an ELF file of this kind of machine")

// elfType returns the type of an ELF file from its beginning, or 0 for other files.
func elfType(file []byte) int {
	if len(file) < elfHeaderSize || !bytes.HasPrefix(file, []byte("\x7fELF\x02\x01")) {
		return 0
	}
	return int(binary.LittleEndian.Uint16(file[16:]))
}

// An elfFile is a file with its section table.
type elfFile struct {
	data    []byte
	headers []byte // the table, 64 bytes a section
	names   int    // index of the section of names
}

func parseELF(data []byte) (*elfFile, error) {
	if elfType(data) == 0 {
		return nil, errNotELF
	}
	le := binary.LittleEndian
	at, n, names := le.Uint64(data[0x28:]), uint64(le.Uint16(data[0x3c:])), uint64(le.Uint16(data[0x3e:]))
	if le.Uint16(data[0x3a:]) != elfSectionSize || at > uint64(len(data))-elfSectionSize {
		return nil, errNotELF
	}
	first := data[at:]
	if n == 0 { // more than fit into the header
		n = le.Uint64(first[32:])
	}
	if names == elfIndexIsFurther {
		names = uint64(le.Uint32(first[40:]))
	}
	if n > uint64(len(first))/elfSectionSize || names >= n {
		return nil, errNotELF
	}
	return &elfFile{data: data, headers: first[:n*elfSectionSize], names: int(names)}, nil
}

func (f *elfFile) count() int { return len(f.headers) / elfSectionSize }

func (f *elfFile) header(i int) []byte { return f.headers[i*elfSectionSize:][:elfSectionSize] }

// content returns the contents of a section, or nil if they are outside of the file.
func (f *elfFile) content(i int) []byte {
	h := f.header(i)
	at, n := binary.LittleEndian.Uint64(h[24:]), binary.LittleEndian.Uint64(h[32:])
	if binary.LittleEndian.Uint32(h[4:]) == elfNoBits || at > uint64(len(f.data)) || n > uint64(len(f.data))-at {
		return nil
	}
	return f.data[at:][:n]
}

func (f *elfFile) name(i int) string {
	names, at := f.content(f.names), uint64(binary.LittleEndian.Uint32(f.header(i)))
	if at >= uint64(len(names)) {
		return ""
	}
	name, _, _ := bytes.Cut(names[at:], []byte{0})
	return string(name)
}

// find returns the index of a section, 0 (which no section has) if there is none.
func (f *elfFile) find(name string) int {
	for i := 1; i < f.count(); i++ {
		if f.name(i) == name {
			return i
		}
	}
	return 0
}

// read returns the contents of the section called name, and whether it exists.
func (f *elfFile) read(name string) ([]byte, bool) {
	if i := f.find(name); i > 0 {
		return f.content(i), true
	}
	return nil, false
}

// withSections returns the file with sections added. The old contents stay in place. New contents,
// names and the table of sections follow.
func withSections(file []byte, flags uint64, add []section) ([]byte, error) {
	f, err := parseELF(file)
	if err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	room := len(file) + len(f.headers) + 4096
	for _, s := range add {
		room += len(s.data) + elfSectionSize
	}
	out := append(make([]byte, 0, room), file...)
	headers, names := bytes.Clone(f.headers), bytes.Clone(f.content(f.names))
	for _, s := range add {
		i := f.find(s.name)
		if i == 0 {
			i = len(headers) / elfSectionSize
			headers = append(headers, make([]byte, elfSectionSize)...)
			le.PutUint32(headers[i*elfSectionSize:], uint32(len(names)))
			names = append(append(names, s.name...), 0)
		}
		h := headers[i*elfSectionSize:]
		le.PutUint32(h[4:], elfProgbits)
		le.PutUint64(h[8:], flags)
		le.PutUint64(h[24:], uint64(len(out)))
		le.PutUint64(h[32:], uint64(len(s.data)))
		le.PutUint64(h[48:], 1) // alignment: ld -r must join the sections without gaps
		out = append(out, s.data...)
	}
	n := len(headers) / elfSectionSize
	if n >= elfFirstReserved && le.Uint16(file[0x3c:]) != 0 {
		return nil, fmt.Errorf("an object file with %d sections", n)
	}
	h := headers[f.names*elfSectionSize:]
	le.PutUint64(h[24:], uint64(len(out)))
	le.PutUint64(h[32:], uint64(len(names)))
	out = append(out, names...)
	out = append(out, make([]byte, -len(out)&7)...)
	le.PutUint64(out[0x28:], uint64(len(out)))
	if le.Uint16(out[0x3c:]) == 0 {
		le.PutUint64(headers[32:], uint64(n))
	} else {
		le.PutUint16(out[0x3c:], uint16(n))
	}
	return append(out, headers...), nil
}
