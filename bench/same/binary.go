package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sort"
	"strings"
)

// These functions print two files of a campaign's folder as text
// (docs/reference/campaign-folder.md; the formats are in cmd/internal/finding/state). They are
// readers of their own, so that a change of the format shows.

// tuples returns a line for each hash of tuples.log: domain and hash, in the order of each domain.
// It omits the header, which names the build of the programs. It also omits the blocks, one per
// domain, which are written by the clock.
func tuples(data []byte) []byte {
	whole := data
	if len(data) < 14 || string(data[:8]) != "PLXTUPLE" {
		return unknown(whole)
	}
	head := 14 + int(binary.LittleEndian.Uint16(data[12:])) + 4
	if len(data) < head {
		return unknown(whole)
	}
	hashes := map[byte][]byte{}
	for data = data[head:]; len(data) > 0; {
		if len(data) < 12 || data[0] != 'T' {
			return unknown(whole)
		}
		n := 8 * int(binary.LittleEndian.Uint32(data[4:]))
		if len(data) < 8+n+4 {
			return unknown(whole)
		}
		hashes[data[1]] = append(hashes[data[1]], data[8:8+n]...)
		data = data[8+n+4:]
	}
	var out bytes.Buffer
	for domain := 0; domain < 256; domain++ {
		for all := hashes[byte(domain)]; len(all) > 0; all = all[8:] {
			fmt.Fprintf(&out, "%d %016x\n", domain, binary.LittleEndian.Uint64(all))
		}
	}
	return out.Bytes()
}

// snapshot has a line for each record of coverage.bin, without the build of the programs and the
// time.
func snapshot(data []byte) []byte {
	if len(data) < 16 || string(data[:8]) != "PLXCOVER" {
		return unknown(data)
	}
	var lines []string
	for rest := data[12 : len(data)-4]; len(rest) > 0; {
		if len(rest) < 7 {
			return unknown(data)
		}
		name, size := int(binary.LittleEndian.Uint16(rest[1:])), int(binary.LittleEndian.Uint32(rest[3:]))
		if len(rest) < 7+name+size {
			return unknown(data)
		}
		tag, what, value := rest[0], string(rest[7:7+name]), rest[7+name:7+name+size]
		rest = rest[7+name+size:]
		switch {
		case tag == 1 || what == "elapsed_ms" || what == "cpu_ms":
			lines = append(lines, fmt.Sprintf("%d %s\n", tag, what))
		case tag == 3 && size == 8:
			lines = append(lines, fmt.Sprintf("%d %s %d\n", tag, what, binary.LittleEndian.Uint64(value)))
		default:
			lines = append(lines, fmt.Sprintf("%d %s %x\n", tag, what, value))
		}
	}
	sort.Strings(lines)
	return []byte(strings.Join(lines, ""))
}

// unknown keeps what cannot be read as it is.
func unknown(data []byte) []byte { return append([]byte("unknown format\n"), data...) }
