package campaign

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"sync"

	"parallax/cmd/internal/campaign/handout"
	"parallax/cmd/internal/finding/state"
	"parallax/internal/feature"
	"parallax/internal/wire"
)

// knowledge is the state that the instances of a campaign share, and that new instances get.
type knowledge struct {
	mu     *sync.Mutex       // guards tuples where the loop changes them and others read them
	inputs []held            // the corpus, oldest first
	have   map[string]bool   // the inputs of the corpus
	sets   map[string]string // interned values of held.new
	maps   feature.Map       // of all programs, one after the other
	blocks int               // entries per program in maps
	tuples map[int]*feature.Set
	deadly [][]byte // the latest inputs that ended a process

	changed bool // the programs differ from those of the last run
}

// held is an input of the corpus in memory.
type held struct {
	flat []byte
	new  string // the domains in which it was new, in the form of wire.Seeds
	from int    // the instance that found it; -1 means none
	bad  bool   // it ended a worker during a replay
}

// newKnowledge returns the knowledge about a number of programs with the same number of blocks.
func newKnowledge(programs, blocks int) knowledge {
	k := knowledge{mu: &sync.Mutex{}, have: map[string]bool{}, maps: make(feature.Map, programs*blocks), blocks: blocks, tuples: map[int]*feature.Set{}}
	for _, d := range feature.Stored() {
		k.tuples[d.Number] = &feature.Set{}
	}
	return k
}

// addInput adds an input of the corpus, new in some domains. from is the instance that found it.
func (k *knowledge) addInput(flat []byte, domains []string, from int) {
	if k.have[string(flat)] {
		return
	}
	k.have[string(flat)] = true
	k.inputs = append(k.inputs, held{flat: flat, new: k.domains(domains), from: from})
}

// domains lists domains in the form of wire.Seeds. Nearly all inputs share an earlier list.
func (k *knowledge) domains(names []string) string {
	all := ""
	for _, d := range feature.Table {
		if slices.Contains(names, d.Name) {
			all += wire.DomainSeparator + d.Name
		}
	}
	all = strings.TrimPrefix(all, wire.DomainSeparator)
	if k.sets == nil {
		k.sets = map[string]string{}
	}
	if have, ok := k.sets[all]; ok {
		return have
	}
	k.sets[all] = all
	return all
}

// replayed returns the inputs that a new process executes before it fuzzes.
func (k *knowledge) replayed() (inputs []held) {
	for i := range k.inputs {
		if !k.inputs[i].bad {
			inputs = append(inputs, k.inputs[i])
		}
	}
	return inputs
}

// inputsAfter returns inputs for an instance that has the first n: those in one message that it did
// not find itself. upTo is the number of inputs that it has afterwards.
func (k *knowledge) inputsAfter(n, instance int) (flats [][]byte, upTo int) {
	size := 0
	for upTo = n; upTo < len(k.inputs) && size < batchBytes; upTo++ {
		if in := &k.inputs[upTo]; in.from != instance && !in.bad {
			flats = append(flats, in.flat)
			size += len(in.flat)
		}
	}
	return flats, upTo
}

// mapOf returns the coverage of one program.
func (k *knowledge) mapOf(program int) feature.Map {
	return k.maps[program*k.blocks : (program+1)*k.blocks]
}

// merge adds the coverage of an instance's process, unless a program has overwritten the memory.
func (k *knowledge) merge(m *instance) {
	maps := slices.Clone(m.worker.mem.Maps()[:len(k.maps)])
	if m.worker.mem.Trusted() {
		k.maps.Merge(feature.Map(maps))
	}
}

// add adds a feature of a domain by its number and reports whether it is new: see feature.Set.
func (k *knowledge) add(domain int, hash uint64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	set := k.tuples[domain]
	return set != nil && set.Add(hash)
}

// restore adds a feature of an earlier invocation, from a sample of the level.
func (k *knowledge) restore(domain, level uint8, hash uint64) {
	if set := k.tuples[int(domain)]; set != nil {
		set.Raise(level)
		set.Add(hash)
	}
}

// novel adds the features of a worker's event and calls found with the new ones.
func (k *knowledge) novel(payload []byte, found func(domain uint8, hash uint64)) {
	for ; len(payload) >= 9; payload = payload[9:] {
		if hash := binary.LittleEndian.Uint64(payload[1:]); k.add(int(payload[0]), hash) {
			found(payload[0], hash)
		}
	}
}

// features returns the number of seen features of a domain, an estimate if weight is not 1.
func (k *knowledge) features(domain int) int { return k.tuples[domain].Len() }

// weight returns the number of features that each known one represents.
func (k *knowledge) weight(domain int) int { return k.tuples[domain].Weight() }

// handOut sends the features of all domains to a starting process.
func (k *knowledge) handOut(send func(domain int, level uint8, hashes []uint64) error) error {
	for _, d := range feature.Stored() {
		set := k.tuples[d.Number]
		err := handout.Send(k.mu, set, set.Level, func(level uint8, hashes []uint64) error { return send(d.Number, level, hashes) })
		if err != nil {
			return err
		}
	}
	return nil
}

// heldBytes returns the size of the known features.
func (k *knowledge) heldBytes() (bytes int64) {
	for _, set := range k.tuples {
		bytes += 8 * int64(set.Held())
	}
	return bytes
}

// all returns the features that replace the announced ones in the folder.
func (k *knowledge) all() (list []state.Known) {
	for _, d := range feature.Stored() {
		set := k.tuples[d.Number]
		one := state.Known{Domain: uint8(d.Number), Level: set.Level(), Hashes: make([]uint64, 0, set.Held())}
		set.All(func(h uint64) { one.Hashes = append(one.Hashes, h) })
		if len(one.Hashes) > 0 {
			slices.Sort(one.Hashes)
			list = append(list, one)
		}
	}
	return list
}

// maxDeadly bounds the deadly inputs that new processes get.
const maxDeadly = 256

// avoid records an input that ended a process, so that cmplog does not make it again.
func (k *knowledge) avoid(flat []byte) {
	if slices.ContainsFunc(k.deadly, func(have []byte) bool { return bytes.Equal(have, flat) }) {
		return
	}
	if len(k.deadly) == maxDeadly {
		k.deadly = k.deadly[1:]
	}
	k.deadly = append(k.deadly, bytes.Clone(flat))
}
