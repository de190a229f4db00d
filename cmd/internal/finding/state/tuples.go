package state

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"

	"parallax/internal/atomicfile"
)

// tuples.log has a header and blocks appended to it, with all integers little-endian:
//
//	header: magic "PLXTUPLE", version (4 bytes), length (2) of the build id, build id, check sum (4)
//	block:  mark 'T', domain (1), zero (2), number of hashes (4, at least 1, at most maxBlock), hashes (8 each), check sum (4)
//	known:  mark 'H', domain (1), level (1), zero (1), number of words (4, as above), words (8 each), check sum (4)
//
// A known block comes before all other blocks of its domain: see Known. Its first word is Stands,
// the others are hashes. A check sum is the CRC-32C of everything before it in its header or block.
// Hashes of paths depend on the numbers of counters, so they mean nothing to another build: the log
// of another build is dropped.
const (
	tuplesMagic   = "PLXTUPLE"
	tuplesVersion = 2

	tuplesHead = len(tuplesMagic) + 4 + 2 // without build id and check sum
	blockMark  = 'T'
	knownMark  = 'H'
	blockHead  = 1 + 1 + 2 + 4

	// maxBlock bounds the memory of a reader and the data that a kill can lose: 512 KiB.
	maxBlock = 1 << 16
	maxLevel = 63
)

// tupleLog is the open log: the file and the unwritten hashes.
type tupleLog struct {
	out     *appender
	waiting map[uint8][]uint64
	n       int
	block   []byte
	grown   bool // appended to since it was opened

	compacted bool // it begins with known blocks
}

// DropMeasured makes Build drop the folder's tuples and coverage. It serves a folder with a damaged
// corpus: lost inputs are not found again while their features count as known.
func (f *Folder) DropMeasured() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dropMeasured = true
}

// forgotten is the build of a log without features, which no program has.
const forgotten = "forgotten"

// Forget drops the folder's features before inputs of the corpus are removed. Otherwise their
// features would count as known, and they would not be found again. The next campaign measures all.
func (f *Folder) Forget() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.writable(); err != nil {
		return err
	}
	path := f.path(tuplesFile)
	return infra("write", path, atomicfile.Write(f.fs, path, tuplesHeader(forgotten)))
}

// Build declares the build of the programs. Call it before Append, ReadTuples and Load. changed
// reports that the folder's tuples and coverage belong to another build, or that DropMeasured was
// called. Then they are dropped, and running the corpus measures them again. problems describes
// damage of tuples.log.
func (f *Folder) Build(id string) (changed bool, problems []string, err error) {
	if id == "" || len(id) > math.MaxUint16 {
		return false, nil, fmt.Errorf("%s: a build id of %d bytes", f.dir, len(id))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.writable(); err != nil {
		return false, nil, err
	}
	if f.tuples != nil {
		return false, nil, fmt.Errorf("%s: the build is given already", f.dir)
	}
	path := f.path(tuplesFile)
	compacted := false
	scan, err := f.scanTuples(func(Known) { compacted = true }, func(uint8, uint64) {})
	if err != nil {
		return false, nil, err
	}
	if scan.problem != "" {
		problems = append(problems, path+": "+scan.problem)
	}
	if !scan.headed || scan.build != id || f.dropMeasured {
		if scan.exists && !scan.headed { // keep the file of another owner; a failure shows in the write below
			if where, err := f.moveAside(path, path+brokenSuffix); err == nil {
				problems = append(problems[:len(problems)-1], fmt.Sprintf("%s: %s: the file is now %s", path, scan.problem, where))
			}
		}
		head := tuplesHeader(id)
		if err := atomicfile.Write(f.fs, path, head); err != nil {
			return false, problems, infra("write", path, err)
		}
		changed, compacted = scan.exists || f.dropMeasured, false
		scan.good = int64(len(head))
	}
	out, err := openAppender(f.fs, path, scan.good)
	if err != nil {
		return false, problems, err
	}
	f.build = id
	f.tuples = &tupleLog{out: out, waiting: map[uint8][]uint64{}, compacted: compacted}
	return changed, problems, nil
}

// Append records new tuple hashes of a domain. They may stay in memory until Flush.
func (f *Folder) Append(domain uint8, hashes []uint64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.writable(); err != nil {
		return err
	}
	t := f.tuples
	if t == nil {
		return fmt.Errorf("%s: tuples before Build", f.dir)
	}
	t.waiting[domain] = append(t.waiting[domain], hashes...)
	t.n += len(hashes)
	if t.n < maxBlock {
		return nil
	}
	return t.flush()
}

// Flush writes the hashes of Append. After an error, they are kept for the next Flush.
func (f *Folder) Flush() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.writable(); err != nil {
		return err
	}
	if f.tuples == nil {
		return nil
	}
	return f.tuples.flush()
}

func (t *tupleLog) flush() error {
	t.grown = t.grown || t.n > 0
	for _, domain := range slices.Sorted(maps.Keys(t.waiting)) {
		for hashes := t.waiting[domain]; len(hashes) > 0; {
			n := min(len(hashes), maxBlock)
			t.block = appendBlock(t.block[:0], domain, hashes[:n])
			if err := t.out.append(t.block); err != nil {
				return err
			}
			hashes = hashes[n:]
			t.waiting[domain] = hashes
			t.n -= n
		}
		delete(t.waiting, domain)
	}
	return nil
}

// gather rewrites the log with the hashes of each domain together, in their order. Blocks are
// written by the clock, but the log of a campaign that repeats must repeat. If it fails, as on a
// full disk, the log stays as it is.
func (f *Folder) gather() { _, _ = f.rewrite(func(uint8) uint64 { return math.MaxUint64 }) }

// rewrite rewrites the log with the first hashes of each domain, at most the given number, and
// returns its length. It reads the log once per domain, so only the written part is in memory.
func (f *Folder) rewrite(most func(domain uint8) uint64) (size int64, err error) {
	domains := map[uint8]bool{}
	scan, err := f.scanTuples(func(k Known) { domains[k.Domain] = true }, func(domain uint8, _ uint64) { domains[domain] = true })
	if err != nil {
		return 0, err
	}
	path := f.path(tuplesFile)
	if !scan.headed {
		return 0, fmt.Errorf("%s: %s", path, cmp.Or(scan.problem, "is gone"))
	}
	log := tuplesHeader(scan.build)
	for _, domain := range slices.Sorted(maps.Keys(domains)) {
		left, stood := most(domain), false
		var hashes []uint64
		_, err := f.scanTuples(func(k Known) {
			switch {
			case k.Domain != domain:
			case !stood && k.Stands > left:
				left = 0
			default:
				if !stood {
					stood, left = true, left-k.Stands
				}
				log = k.append(log)
			}
		}, func(d uint8, hash uint64) {
			if d != domain || left == 0 {
				return
			}
			left--
			if hashes = append(hashes, hash); len(hashes) == maxBlock {
				log, hashes = appendBlock(log, domain, hashes), hashes[:0]
			}
		})
		if err != nil {
			return 0, err
		}
		if len(hashes) > 0 {
			log = appendBlock(log, domain, hashes)
		}
	}
	return int64(len(log)), f.replaceLog(log)
}

func (f *Folder) replaceLog(log []byte) error {
	path := f.path(tuplesFile)
	return infra("write", path, atomicfile.Write(f.fs, path, log))
}

// reopen continues with a rewritten log.
func (f *Folder) reopen(size int64) error {
	if err := f.tuples.out.close(); err != nil {
		return err
	}
	out, err := openAppender(f.fs, f.path(tuplesFile), size)
	if err == nil {
		f.tuples.out = out
	}
	return err
}

// Cut removes the hashes of a domain after its first n from the log. Call it before Append. If the
// known features of the domain represent more than n hashes, it removes all of them.
func (f *Folder) Cut(domain uint8, n uint64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.writable(); err != nil {
		return err
	}
	if f.tuples == nil || f.tuples.n > 0 {
		return fmt.Errorf("%s: tuples are cut before Build or after Append", f.dir)
	}
	size, err := f.rewrite(func(d uint8) uint64 {
		if d != domain {
			return math.MaxUint64
		}
		return n
	})
	if err != nil {
		return err
	}
	return f.reopen(size)
}

func appendBlock(b []byte, domain uint8, hashes []uint64) []byte {
	begin := len(b)
	b = append(b, blockMark, domain, 0, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(hashes)))
	for _, h := range hashes {
		b = binary.LittleEndian.AppendUint64(b, h)
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[begin:], castagnoli()))
}

func tuplesHeader(build string) []byte {
	b := append([]byte(nil), tuplesMagic...)
	b = binary.LittleEndian.AppendUint32(b, tuplesVersion)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(build)))
	b = append(b, build...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli()))
}

// ReadTuples calls yield for every hash on disk, in the order of writing. It omits a partial block
// at the end, which a process is writing or left when it was killed. It stops at a damaged block,
// which is a problem.
func (f *Folder) ReadTuples(yield func(domain uint8, hash uint64)) (problems []string, err error) {
	return f.ReadKnown(func(k Known) {
		for _, hash := range k.Hashes {
			yield(k.Domain, hash)
		}
	}, yield)
}

// ReadKnown reads like ReadTuples, and calls known with the known blocks. A domain may have
// several, with the same Stands. The hashes are valid during the call.
func (f *Folder) ReadKnown(known func(Known), yield func(domain uint8, hash uint64)) (problems []string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	scan, err := f.scanTuples(known, yield)
	if err != nil {
		return nil, err
	}
	if scan.problem != "" {
		problems = []string{f.path(tuplesFile) + ": " + scan.problem}
	}
	return problems, nil
}

func (f *Folder) scanTuples(known func(Known), yield func(uint8, uint64)) (tupleScan, error) {
	path := f.path(tuplesFile)
	file, err := f.fs.OpenFile(path, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return tupleScan{}, nil
	}
	if err != nil {
		return tupleScan{}, infra("read", path, err)
	}
	defer file.Close()
	scan, err := scanTuples(file, known, yield)
	if err != nil {
		return tupleScan{}, infra("read", path, err)
	}
	scan.exists = true
	return scan, nil
}

// tupleScan describes a log that was read.
type tupleScan struct {
	exists  bool
	headed  bool   // the header is valid and of this version
	build   string // build id
	good    int64  // length of the header and the valid blocks
	problem string
}

// scanTuples reads a log up to its first damaged or partial block. err only reports errors of r.
func scanTuples(r io.Reader, known func(Known), yield func(domain uint8, hash uint64)) (s tupleScan, err error) {
	in := bufio.NewReaderSize(r, 64<<10)
	if err := s.header(in); err != nil || !s.headed {
		return s, err
	}
	var block []byte
	for {
		block, err = read(in, block[:0], blockHead)
		if err != nil || len(block) < blockHead {
			return s, err
		}
		n := int(binary.LittleEndian.Uint32(block[4:]))
		isKnown := block[0] == knownMark && block[2] <= maxLevel
		if !isKnown && (block[0] != blockMark || block[2] != 0) || block[3] != 0 || n < 1 || n > maxBlock {
			s.damaged()
			return s, nil
		}
		size := blockHead + 8*n + sumLen
		block, err = read(in, block, size)
		if err != nil || len(block) < size {
			return s, err
		}
		if !validSum(block) {
			s.damaged()
			return s, nil
		}
		s.good += int64(size)
		if yield == nil {
			continue
		}
		hashes := block[blockHead : size-sumLen]
		if isKnown {
			k := Known{Domain: block[1], Level: block[2], Stands: binary.LittleEndian.Uint64(hashes)}
			for hashes = hashes[8:]; len(hashes) > 0; hashes = hashes[8:] {
				k.Hashes = append(k.Hashes, binary.LittleEndian.Uint64(hashes))
			}
			known(k)
			continue
		}
		for ; len(hashes) > 0; hashes = hashes[8:] {
			yield(block[1], binary.LittleEndian.Uint64(hashes))
		}
	}
}

func (s *tupleScan) header(in io.Reader) error {
	head, err := read(in, nil, tuplesHead)
	if err != nil {
		return err
	}
	if len(head) < tuplesHead || string(head[:len(tuplesMagic)]) != tuplesMagic {
		s.problem = "not a log of tuples: left out"
		return nil
	}
	if v := binary.LittleEndian.Uint32(head[len(tuplesMagic):]); v != tuplesVersion {
		s.problem = fmt.Sprintf("format %d, this parallax reads %d: left out", v, tuplesVersion)
		return nil
	}
	n := int(binary.LittleEndian.Uint16(head[tuplesHead-2:]))
	size := tuplesHead + n + sumLen
	head, err = read(in, head, size)
	if err != nil {
		return err
	}
	if len(head) < size || !validSum(head) {
		s.problem = "its header is damaged: left out"
		return nil
	}
	s.headed, s.good, s.build = true, int64(size), string(head[tuplesHead:tuplesHead+n])
	return nil
}

func (s *tupleScan) damaged() {
	s.problem = fmt.Sprintf("damaged at byte %d: the rest is left out, and measured again as far as the corpus shows it", s.good)
}

// read appends bytes of r to b until it has size bytes, or fewer at the end of the input.
func read(r io.Reader, b []byte, size int) ([]byte, error) {
	have := len(b)
	b = slices.Grow(b, size-have)[:size]
	n, err := io.ReadFull(r, b[have:])
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return b[:have+n], err
}

// validSum verifies the check sum at the end of b.
func validSum(b []byte) bool {
	body := b[:len(b)-sumLen]
	return binary.LittleEndian.Uint32(b[len(body):]) == crc32.Checksum(body, castagnoli())
}
