package state

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"slices"
)

// Names of counters that a campaign keeps over its whole life. Other names may be added.
const (
	Inputs      = "inputs"     // inputs run
	Executions  = "executions" // runs of programs on them
	Restarts    = "restarts"   // of workers
	Discrepant  = "discrepant" // inputs on which programs disagreed
	Flaky       = "flaky"      // candidates that did not repeat
	Refused     = "refused:"   // prefix for candidates that reproduced and are no findings, by kind
	yieldPrefix = "yield/"     // prefix for operators: inputs that they added to the corpus
)

// Yield returns the name of an operator's counter.
func Yield(operator string) string { return yieldPrefix + operator }

// Snapshot is the content of coverage.bin, and the clock, which has its own file.
type Snapshot struct {
	BuildID  string            // of the programs that Seen describes
	Seen     map[string][]byte // by program: a byte per counter, its seen hit-count classes
	Counters map[string]uint64
	Branches map[string][]byte // by program, "" for all together: a diversity.Record of their branches
	Flaky    []byte            // JSON: candidates that did not reproduce
	Clock    Clock
}

// coverage.bin has the format
//
//	magic "PLXCOVER", version (4 bytes), records, check sum (4 bytes, CRC-32C of everything before it)
//
// with all integers little-endian. A record has the format
//
//	tag (1), length of name (2), length of data (4), name, data
//
// Readers skip records with unknown tags, so that later versions can add some. The file is written
// at once, in an order that depends only on its content.
const (
	snapshotMagic   = "PLXCOVER"
	snapshotVersion = 1

	tagBuild   = 1 // data: build id
	tagSeen    = 2 // name: program, data: its bytes
	tagCounter = 3 // name: counter, data: 8 bytes
	tagBranch  = 4 // name: program, data: a record of its branches
	tagFlaky   = 5 // data: candidates that did not reproduce

	snapshotHead = len(snapshotMagic) + 4
	recordHead   = 1 + 2 + 4
	sumLen       = 4
)

func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// Save replaces coverage.bin, and then the clock. After Build, the build id may be empty.
func (f *Folder) Save(s Snapshot) error {
	if s.BuildID == "" {
		f.mu.Lock()
		s.BuildID = f.build
		f.mu.Unlock()
	}
	data, err := s.encode()
	if err != nil {
		return fmt.Errorf("%s: %w", f.path(coverageFile), err)
	}
	if err := f.write(f.path(coverageFile), data); err != nil {
		return err
	}
	return f.write(f.path(clockFile), s.Clock.encode())
}

// Load returns the last saved snapshot. A missing file means an empty one, a damaged file an empty
// one and a problem. Seen and Branches are empty after DropMeasured, and if they belong to another
// build than that of Build: their positions mean nothing there. The counters hold for the folder's
// whole life.
func (f *Folder) Load() (s Snapshot, problems []string, err error) {
	data, err := f.read(f.path(coverageFile))
	if err != nil {
		return Snapshot{}, nil, err
	}
	if data != nil {
		if s, err = parseSnapshot(data); err != nil {
			problems = append(problems, f.keepBroken(coverageFile, err, "counters start at zero and coverage is measured again"))
			s = Snapshot{}
		}
	}
	if problems, err = f.loadClock(&s, problems); err != nil {
		return Snapshot{}, problems, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.build != "" && f.build != s.BuildID || f.dropMeasured {
		s.Seen, s.Branches = nil, nil
	}
	return s, problems, nil
}

func (s Snapshot) encode() ([]byte, error) {
	b := append(make([]byte, 0, 4096), snapshotMagic...)
	b = binary.LittleEndian.AppendUint32(b, snapshotVersion)
	var err error
	record := func(tag byte, name string, data []byte) {
		if len(name) > math.MaxUint16 || len(data) > math.MaxUint32 {
			err = fmt.Errorf("record %d %.40q of %d bytes is too long", tag, name, len(data))
			return
		}
		b = append(b, tag)
		b = binary.LittleEndian.AppendUint16(b, uint16(len(name)))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(data)))
		b = append(b, name...)
		b = append(b, data...)
	}
	record(tagBuild, "", []byte(s.BuildID))
	for _, name := range slices.Sorted(maps.Keys(s.Seen)) {
		record(tagSeen, name, s.Seen[name])
	}
	for _, name := range slices.Sorted(maps.Keys(s.Counters)) {
		record(tagCounter, name, binary.LittleEndian.AppendUint64(nil, s.Counters[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Branches)) {
		record(tagBranch, name, s.Branches[name])
	}
	if len(s.Flaky) > 0 {
		record(tagFlaky, "", s.Flaky)
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli())), err
}

var errDamaged = errors.New("damaged")

func parseSnapshot(data []byte) (Snapshot, error) {
	if len(data) < snapshotHead+sumLen || string(data[:len(snapshotMagic)]) != snapshotMagic {
		return Snapshot{}, errDamaged
	}
	body := data[:len(data)-sumLen]
	if binary.LittleEndian.Uint32(data[len(body):]) != crc32.Checksum(body, castagnoli()) {
		return Snapshot{}, errDamaged
	}
	s := Snapshot{Seen: map[string][]byte{}, Counters: map[string]uint64{}, Branches: map[string][]byte{}}
	for rest := body[snapshotHead:]; len(rest) > 0; {
		if len(rest) < recordHead {
			return Snapshot{}, errDamaged
		}
		tag := rest[0]
		nameLen := int(binary.LittleEndian.Uint16(rest[1:]))
		dataLen := int(binary.LittleEndian.Uint32(rest[3:]))
		rest = rest[recordHead:]
		if len(rest)-nameLen < dataLen {
			return Snapshot{}, errDamaged
		}
		name, data := string(rest[:nameLen]), rest[nameLen:nameLen+dataLen]
		rest = rest[nameLen+dataLen:]
		switch tag {
		case tagBuild:
			s.BuildID = string(data)
		case tagSeen:
			s.Seen[name] = data
		case tagBranch:
			s.Branches[name] = data
		case tagFlaky:
			s.Flaky = data
		case tagCounter:
			if len(data) != 8 {
				return Snapshot{}, errDamaged
			}
			s.Counters[name] = binary.LittleEndian.Uint64(data)
		}
	}
	return s, nil
}
