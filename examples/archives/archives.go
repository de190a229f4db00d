// Package archives unpacks gzip and XZ files with Go packages, and makes mutants of such files
// valid. parallax compares them with commands that do the same (gzip.toml, xz.toml).
package archives

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"hash/crc32"
	"io"

	kgzip "github.com/klauspost/compress/gzip"
	ulikunitz "github.com/ulikunitz/xz"

	"parallax/repair"

	"examples/xz"
)

// maxOutput keeps files small that unpack to gigabytes.
const maxOutput = 1 << 20

// Gzip unpacks with compress/gzip.
func Gzip(file []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, maxOutput))
}

// Klauspost unpacks with github.com/klauspost/compress/gzip.
func Klauspost(file []byte) ([]byte, error) {
	r, err := kgzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, maxOutput))
}

// Ulikunitz unpacks with github.com/ulikunitz/xz.
func Ulikunitz(file []byte) ([]byte, error) {
	r, err := ulikunitz.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, maxOutput))
}

// RepairXZ puts checksums right, and asks for small dictionaries: not every decoder has a limit on
// them that it could be given.
var RepairXZ = repair.All(smallDict, xz.Repair)

// smallDict limits the size of the dictionary to 1 MiB. It changes all bytes that can be the
// properties of an LZMA2 filter (section 5.3.1 of the format).
func smallDict(file []byte) []byte {
	const most = 16 // (2 | 16 & 1) << (16/2 + 11)
	for i := 0; i+2 < len(file); i++ {
		if file[i] == 0x21 && file[i+1] == 1 && file[i+2] <= 40 {
			file[i+2] = min(file[i+2], most)
		}
	}
	return file
}

// RepairGzip puts the CRC-32 and the size behind the data of each member right (RFC 1952, section
// 2.3.1).
func RepairGzip(file []byte) []byte {
	for rest := file; len(rest) > 0; {
		n := gzipHeader(rest)
		if n == 0 {
			break
		}
		// The decompressor takes no more of a ByteReader than it needs.
		in := bytes.NewReader(rest[n:])
		var size countingHash
		if _, err := io.Copy(&size, io.LimitReader(flate.NewReader(in), maxOutput)); err != nil || in.Len() < 8 {
			break
		}
		trailer := rest[len(rest)-in.Len():]
		binary.LittleEndian.PutUint32(trailer, size.hash)
		binary.LittleEndian.PutUint32(trailer[4:], size.n)
		rest = trailer[8:]
	}
	return file
}

// countingHash is CRC-32 and size of what is written to it.
type countingHash struct{ hash, n uint32 }

func (h *countingHash) Write(b []byte) (int, error) {
	h.hash, h.n = crc32.Update(h.hash, crc32.IEEETable, b), h.n+uint32(len(b))
	return len(b), nil
}

// gzipHeader is the length of the header of a member, 0 if there is none. Its own CRC-16 is put
// right.
func gzipHeader(file []byte) int {
	if len(file) < 10 || file[0] != 0x1f || file[1] != 0x8b || file[2] != 8 {
		return 0
	}
	in := bufio.NewReader(bytes.NewReader(file[10:]))
	n, flags := 10, file[3]
	if flags&4 != 0 {
		var size [2]byte
		if _, err := io.ReadFull(in, size[:]); err != nil {
			return 0
		}
		extra := int(binary.LittleEndian.Uint16(size[:]))
		if _, err := in.Discard(extra); err != nil {
			return 0
		}
		n += 2 + extra
	}
	for _, text := range []byte{8, 16} {
		if flags&text != 0 {
			name, err := in.ReadBytes(0)
			if err != nil {
				return 0
			}
			n += len(name)
		}
	}
	if flags&2 != 0 {
		if len(file) < n+2 {
			return 0
		}
		binary.LittleEndian.PutUint16(file[n:], uint16(crc32.ChecksumIEEE(file[:n])))
		n += 2
	}
	return n
}
