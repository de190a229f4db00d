package state

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// Known summarizes the known features of a domain. It replaces their hashes, since a log that only
// grows has no bound.
type Known struct {
	Domain uint8
	Level  uint8    // number of leading zero bits of the hashes, if they are a sample (feature.Set)
	Stands uint64   // number of hashes of the log that these represent
	Hashes []uint64 // in the form of the domain
}

// append appends known blocks, at least one, to a log.
func (k *Known) append(log []byte) []byte {
	for hashes := k.Hashes; ; {
		n := min(len(hashes), maxBlock-1)
		log = appendBlock(log, k.Domain, append([]uint64{k.Stands}, hashes[:n]...))
		head := log[len(log)-blockHead-8*(n+1)-sumLen:]
		head[0], head[2] = knownMark, k.Level
		body := head[:len(head)-sumLen]
		binary.LittleEndian.PutUint32(head[len(body):], crc32.Checksum(body, castagnoli()))
		if hashes = hashes[n:]; len(hashes) == 0 {
			return log
		}
	}
}

// LogSize returns the length of the written log of tuples.
func (f *Folder) LogSize() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.tuples == nil {
		return 0
	}
	return f.tuples.out.size
}

// Compacted reports whether the log begins with known blocks.
func (f *Folder) Compacted() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tuples != nil && f.tuples.compacted
}

// Compact replaces the log by the known features of all domains. Call it after Flush.
func (f *Folder) Compact(all []Known) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.writable(); err != nil {
		return err
	}
	if f.tuples == nil || f.tuples.n > 0 {
		return fmt.Errorf("%s: tuples are compacted before Build or after Append", f.dir)
	}
	log := tuplesHeader(f.build)
	for i := range all {
		log = all[i].append(log)
	}
	if err := f.replaceLog(log); err != nil {
		return err
	}
	f.tuples.grown, f.tuples.compacted = false, true // the log is sorted
	return f.reopen(int64(len(log)))
}
