// Package xz compares two decoders of XZ files, github.com/ulikunitz/xz and
// github.com/therootcompany/xz. It makes mutants valid for both by the four CRC-32 of a file's
// structure. Otherwise hardly a mutant passes its first header.
package xz

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	theroot "github.com/therootcompany/xz"
	"github.com/ulikunitz/xz"

	"parallax/repair"
)

// maxOutput keeps files small that unpack to gigabytes. Who reads as much has accepted the file.
const maxOutput = 1 << 20

// maxDict is the largest dictionary that a file may ask for: 1 MiB, as xz -0 makes it is a quarter
// of that.
const maxDict = 1 << 20

var errDict = errors.New("a larger dictionary than this harness allows")

// Ulikunitz unpacks a file.
func Ulikunitz(file []byte) ([]byte, error) {
	if dict(file) > maxDict {
		return nil, errDict
	}
	r, err := xz.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, maxOutput))
}

// TheRoot unpacks a file.
func TheRoot(file []byte) ([]byte, error) {
	if dict(file) > maxDict {
		return nil, errDict
	}
	r, err := theroot.NewReader(bytes.NewReader(file), maxDict)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, maxOutput))
}

// dict returns the size of the largest dictionary that an LZMA2 filter in the file can require. One
// of the decoders accepts no limit. By section 5.3.1 of the format, the properties have two bytes
// of id and size, and a number of 6 bits.
func dict(file []byte) uint64 {
	largest := uint64(0)
	for i := 0; i+2 < len(file); i++ {
		if file[i] != 0x21 || file[i+1] != 1 {
			continue
		}
		if n := uint64(file[i+2] & 63); n <= 40 {
			largest = max(largest, (2|n&1)<<(n/2+11))
		}
	}
	return largest
}

var little = binary.LittleEndian

// Repair puts the checksums of the stream header, the first block header, the index and the stream
// footer right, where these are. Section 2 of the format,
// https://xz.tukaani.org/format/xz-file-format.txt.
var Repair = repair.All(
	repair.Checksum(repair.Field{Offset: 8, Width: 4, Order: little}, repair.Span{From: 6, To: 8}, repair.CRC32),
	repair.Within(blockHeader, last),
	repair.Within(index, last),
	repair.Checksum(repair.Field{Offset: -12, Width: 4, Order: little}, repair.Span{From: -8, To: -2}, repair.CRC32),
)

// last is a CRC-32 at the end of what it protects.
var last = repair.Checksum(repair.Field{Offset: -4, Width: 4, Order: little}, repair.Span{To: -4}, repair.CRC32)

// blockHeader is where the first block header is. It begins with its size in words, less one.
func blockHeader(file []byte) (from, to int) {
	if len(file) < 13 {
		return 0, 0
	}
	return 12, 12 + 4*(int(file[12])+1)
}

// index returns the place of the index. Its size in words, less one, is in the footer.
func index(file []byte) (from, to int) {
	size, ok := repair.Field{Offset: -8, Width: 4, Order: little}.Get(file)
	if !ok || size > 1<<20 {
		return 0, 0
	}
	to = len(file) - 12
	return to - 4*(int(size)+1), to
}
