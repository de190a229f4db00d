// Package elf reads the headers of ELF files with debug/elf, and makes of what readelf and
// eu-readelf print what Parse returns.
package elf

import (
	"bytes"
	"debug/elf"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// header holds the facts that all of them report.
type header struct {
	Class    string `json:"class"` // ELF32, ELF64
	Data     string `json:"data"`  // little, big
	Type     string `json:"type"`
	ABI      string `json:"abi"` // its version
	Entry    string `json:"entry"`
	Programs string `json:"programs"`
	Sections string `json:"sections"`
}

func (h header) text() []byte {
	b, _ := json.Marshal(h)
	return b
}

// Parse reads a file with debug/elf.
func Parse(file []byte) ([]byte, error) {
	f, err := elf.NewFile(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	h := header{
		Class: strings.TrimPrefix(f.Class.String(), "ELFCLASS"), ABI: fmt.Sprint(f.ABIVersion), Entry: fmt.Sprintf("0x%x", f.Entry),
		Programs: fmt.Sprint(len(f.Progs)), Sections: fmt.Sprint(len(f.Sections)),
	}
	h.Class = "ELF" + h.Class
	h.Data = map[elf.Data]string{elf.ELFDATA2LSB: "little", elf.ELFDATA2MSB: "big"}[f.Data]
	switch t := f.Type; {
	case t <= elf.ET_CORE:
		h.Type = strings.TrimPrefix(t.String(), "ET_")
	case t >= elf.ET_LOPROC:
		h.Type = fmt.Sprintf("Processor Specific: (%x)", uint16(t))
	case t >= elf.ET_LOOS && t <= elf.ET_HIOS:
		h.Type = fmt.Sprintf("OS Specific: (%x)", uint16(t))
	default:
		h.Type = "unknown"
	}
	return h.text(), nil
}

var (
	line   = regexp.MustCompile(`(?m)^  ([A-Z][^:\n]*): +(.*?) *$`)
	known  = regexp.MustCompile(`^(NONE|REL|EXEC|DYN|CORE)\b`)
	number = regexp.MustCompile(`^\d+`)
	other  = regexp.MustCompile(`\((\d+)`)
)

// Readelf makes a header of what readelf -h or eu-readelf -h prints.
func Readelf(text []byte) []byte {
	said := map[string]string{}
	for _, m := range line.FindAllSubmatch(text, -1) {
		if name := string(m[1]); said[name] == "" {
			said[name] = string(m[2])
		}
	}
	first := func(names ...string) string {
		for _, name := range names {
			if s := said[name]; s != "" {
				return s
			}
		}
		return ""
	}
	h := header{Class: said["Class"], ABI: said["ABI Version"], Type: said["Type"], Entry: said["Entry point address"]}
	switch {
	case strings.HasSuffix(said["Data"], "little endian"):
		h.Data = "little"
	case strings.HasSuffix(said["Data"], "big endian"):
		h.Data = "big"
	}
	if word := known.FindString(h.Type); word != "" {
		h.Type = word
	} else if !strings.Contains(h.Type, "Specific") {
		h.Type = "unknown"
	}
	if h.Entry == "0" { // eu-readelf
		h.Entry = "0x0"
	}
	h.Programs = count(first("Number of program headers", "Number of program headers entries"))
	h.Sections = count(first("Number of section headers", "Number of section headers entries"))
	return h.text()
}

// count returns a number of headers. If there are too many for the header, or it says 0, the number
// is in section 0, and they print it in brackets.
func count(text string) string {
	if m := other.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return number.FindString(text)
}
