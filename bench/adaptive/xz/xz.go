// Package xz unpacks XZ files with github.com/ulikunitz/xz. harness/xz.c does the same with
// liblzma.
package xz

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"

	"parallax/repair"
)

// maxOutput keeps files small that unpack to gigabytes. Who delivers as much has accepted the file.
const maxOutput = 1 << 20

// maxDict is the largest dictionary that a file may ask for.
const maxDict = 1 << 20

var errDict = errors.New("a larger dictionary than this harness allows")

// Ulikunitz unpacks all streams of a file.
func Ulikunitz(file []byte) ([]byte, error) {
	if dict(file) > maxDict {
		return nil, errDict
	}
	// The dictionary is as large as the file says then, and not the default of 8 MiB, which takes
	// longer to allocate than all else.
	r, err := xz.ReaderConfig{DictCap: lzma.MinDictCap}.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, maxOutput))
	if err != nil && len(data) < maxOutput {
		return nil, err
	}
	return data, nil
}

// dict returns the size of the largest dictionary that an LZMA2 filter in the file can require. The
// decoder accepts no limit. By section 5.3.1 of the format, the properties have two bytes of id and
// size, and a number of 6 bits.
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

// The sizes of a stream's header and footer.
const headerSize, footerSize = 12, 12

// Repair restores the checksums of the stream header, the block headers, the index and the stream
// footer in a file of one stream. They are described in section 2 of the format,
// https://xz.tukaani.org/format/xz-file-format.txt.
func Repair(file []byte) []byte {
	if len(file) < headerSize+footerSize {
		return file // the one would lie in the other
	}
	return checksums(file)
}

var checksums = repair.All(
	repair.Checksum(repair.Field{Offset: 8, Width: 4, Order: little}, repair.Span{From: 6, To: 8}, repair.CRC32),
	blockHeaders,
	repair.Within(index, last),
	repair.Checksum(repair.Field{Offset: -12, Width: 4, Order: little}, repair.Span{From: -8, To: -2}, repair.CRC32),
)

// last is a CRC-32 at the end of what it protects.
var last = repair.Checksum(repair.Field{Offset: -4, Width: 4, Order: little}, repair.Span{To: -4}, repair.CRC32)

// blockHeaders repairs the header of the first block, and those of the others as far as the index
// says where they are. A header begins with its size in words, less one.
func blockHeaders(file []byte) []byte {
	end, to := index(file)
	if end < headerSize { // no index
		end = len(file) - footerSize
		to = end
	}
	sizes := file[end:to]
	if len(sizes) > 0 {
		_, sizes = number(sizes[1:]) // how many blocks there are
	}
	for at := headerSize; at < end; {
		size := 4 * (int(file[at]) + 1)
		if at+size > end {
			break
		}
		last(file[at : at+size])
		var block uint64
		block, sizes = number(sizes)
		_, sizes = number(sizes) // unpacked
		if block < uint64(size) || block > uint64(len(file)) {
			break
		}
		at += (int(block) + 3) / 4 * 4
	}
	return file
}

// number reads a number of the index, and returns what follows: nothing, if there is no number.
func number(b []byte) (uint64, []byte) {
	v, n := binary.Uvarint(b)
	if n <= 0 {
		return 0, nil
	}
	return v, b[n:]
}

// index returns the place of the index. Its size in words, less one, is in the footer.
func index(file []byte) (from, to int) {
	size, ok := repair.Field{Offset: -8, Width: 4, Order: little}.Get(file)
	if !ok || size > 1<<20 {
		return 0, 0
	}
	to = len(file) - footerSize
	return to - 4*(int(size)+1), to
}
