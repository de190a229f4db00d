package clang

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Archives are read and written here, not by ar. Members may have the same name, for which ar would
// need files, and a library of thousands of members takes one pass.

const (
	archiveMagic     = "!<arch>\n"
	thinMagic        = "!<thin>\n"
	memberHeaderSize = 60
)

// A member is a file in an archive.
type member struct {
	name string
	data []byte
}

var errArchive = errors.New("a damaged archive")

func isArchive(data []byte) bool {
	return bytes.HasPrefix(data, []byte(archiveMagic)) || bytes.HasPrefix(data, []byte(thinMagic))
}

// readArchive returns the members of an archive, without its index. The members of a thin archive
// are read from their files, which it names relative to its own folder.
func readArchive(path string, data []byte) ([]member, error) {
	thin := bytes.HasPrefix(data, []byte(thinMagic))
	var members []member
	var long []byte // names that do not fit into a header
	for data = data[len(archiveMagic):]; len(data) > 0; {
		if len(data) < memberHeaderSize {
			return nil, errArchive
		}
		name := strings.TrimRight(string(data[:16]), " ")
		n, err := strconv.ParseInt(strings.TrimSpace(string(data[48:58])), 10, 64)
		if err != nil || n < 0 {
			return nil, errArchive
		}
		data = data[memberHeaderSize:]
		table := name == "/" || name == "//" || name == "/SYM64/" || name == "__.SYMDEF"
		var content []byte
		if table || !thin {
			if n > int64(len(data)) {
				return nil, errArchive
			}
			content, data = data[:n], data[n:]
			if n%2 == 1 && len(data) > 0 {
				data = data[1:]
			}
		}
		if table {
			if name == "//" {
				long = content
			}
			continue
		}
		if name, content, err = memberName(name, content, long); err != nil {
			return nil, err
		}
		if thin {
			if !filepath.IsAbs(name) {
				name = filepath.Join(filepath.Dir(path), name)
			}
			if content, err = os.ReadFile(name); err != nil {
				return nil, fmt.Errorf("a member of a thin archive: %w", err)
			}
		}
		members = append(members, member{name, content})
	}
	return members, nil
}

// memberName resolves the name in a member's header, in GNU's way ("name/", "/OFFSET") or BSD's
// ("#1/LENGTH").
func memberName(name string, content, long []byte) (string, []byte, error) {
	if digits, ok := strings.CutPrefix(name, "#1/"); ok {
		n, err := strconv.Atoi(digits)
		if err != nil || n < 0 || n > len(content) {
			return "", nil, errArchive
		}
		return strings.TrimRight(string(content[:n]), "\x00"), content[n:], nil
	}
	if digits, ok := strings.CutPrefix(name, "/"); ok {
		at, err := strconv.Atoi(digits)
		if err != nil || at < 0 || at > len(long) {
			return "", nil, errArchive
		}
		line, _, _ := bytes.Cut(long[at:], []byte("\n"))
		name = string(line)
	}
	return strings.TrimSuffix(name, "/"), content, nil
}

// writeArchive makes an archive with the symbol index that linkers use.
func writeArchive(members []member) ([]byte, error) {
	type entry struct {
		symbol string
		member int
	}
	var index []entry
	var long bytes.Buffer
	names := make([]string, len(members))
	size := 0
	for i, m := range members {
		base := filepath.Base(m.name)
		names[i] = base + "/"
		if len(names[i]) > 16 {
			names[i] = fmt.Sprintf("/%d", long.Len())
			long.WriteString(base + "/\n")
		}
		for _, s := range defined(m.data) {
			index = append(index, entry{s, i})
			size += len(s) + 1
		}
	}
	size += 4 + 4*len(index)
	at := len(archiveMagic) + memberHeaderSize + even(size)
	if long.Len() > 0 {
		at += memberHeaderSize + even(long.Len())
	}
	offsets := make([]int, len(members))
	for i, m := range members {
		offsets[i] = at
		at += memberHeaderSize + even(len(m.data))
	}
	if at > math.MaxUint32 {
		return nil, errors.New("an archive of more than 4 GB")
	}

	table := binary.BigEndian.AppendUint32(nil, uint32(len(index)))
	for _, e := range index {
		table = binary.BigEndian.AppendUint32(table, uint32(offsets[e.member]))
	}
	for _, e := range index {
		table = append(append(table, e.symbol...), 0)
	}
	out := append(make([]byte, 0, at), archiveMagic...)
	out = appendMember(out, "/", table)
	if long.Len() > 0 {
		out = appendMember(out, "//", long.Bytes())
	}
	for i, m := range members {
		out = appendMember(out, names[i], m.data)
	}
	return out, nil
}

func even(n int) int { return n + n&1 }

func appendMember(out []byte, name string, data []byte) []byte {
	out = fmt.Appendf(out, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", name, 0, 0, 0, "100644", len(data))
	out = append(out, data...)
	if len(data)%2 == 1 {
		out = append(out, '\n')
	}
	return out
}

// defined returns the symbols that a linker finds an object for.
func defined(object []byte) []string {
	f, err := elf.NewFile(bytes.NewReader(object))
	if err != nil {
		return nil
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil // it has none
	}
	const unique = 10 // STB_GNU_UNIQUE
	var names []string
	for _, s := range symbols {
		switch elf.ST_BIND(s.Info) {
		case elf.STB_GLOBAL, elf.STB_WEAK, unique:
			if s.Section != elf.SHN_UNDEF && s.Name != "" {
				names = append(names, s.Name)
			}
		}
	}
	return names
}
