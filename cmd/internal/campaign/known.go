package campaign

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"sync"

	"parallax/cmd/internal/finding/state"
	"parallax/internal/feature"
	"parallax/internal/wire"
)

// known is what the instances of a campaign share: the corpus, the coverage, the features of every domain, and the inputs that end
// a process. An instance that starts is given all of it.
type known struct {
	mu     *sync.Mutex       // held where the loop changes tuples, and where others read them
	inputs []held            // the corpus in the order of its finding
	have   map[string]bool   // what it holds
	sets   map[string]string // lists of held.new, each once in memory
	maps   feature.Map       // of all programs, one behind the other
	blocks int               // entries of one program's map
	tuples map[int]*feature.Set
	deadly [][]byte // the latest inputs that ended a process
}

// held is an input of the corpus as the loop knows it.
type held struct {
	flat []byte
	new  string // the domains in which it was new, as wire.Seeds has them
	from int    // the instance that found it, -1 for none
	bad  bool   // ended a worker when it was replayed
}

// newKnown knows nothing of so many programs with so many blocks each.
func newKnown(programs, blocks int) known {
	k := known{mu: &sync.Mutex{}, have: map[string]bool{}, maps: make(feature.Map, programs*blocks), blocks: blocks, tuples: map[int]*feature.Set{}}
	for _, d := range feature.Stored() {
		k.tuples[d.Number] = &feature.Set{}
	}
	return k
}

// hold takes an input of the corpus, which instance from has found because it was new in some domains.
func (k *known) hold(flat []byte, domains []string, from int) {
	if k.have[string(flat)] {
		return
	}
	k.have[string(flat)] = true
	k.inputs = append(k.inputs, held{flat: flat, new: k.domains(domains), from: from})
}

// domains lists the domains in which an input was new, in the form of wire.Seeds. Nearly all inputs have a list that an earlier one had.
func (k *known) domains(names []string) string {
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

// replayed are the inputs that a new process executes before it fuzzes.
func (k *known) replayed() (inputs []held) {
	for i := range k.inputs {
		if !k.inputs[i].bad {
			inputs = append(inputs, k.inputs[i])
		}
	}
	return inputs
}

// after are the inputs behind the first n that an instance has not found itself, as many as go into one message, and the number
// of inputs that it knows when it has them.
func (k *known) after(n, instance int) (flats [][]byte, upTo int) {
	size := 0
	for upTo = n; upTo < len(k.inputs) && size < batchBytes; upTo++ {
		if in := &k.inputs[upTo]; in.from != instance && !in.bad {
			flats = append(flats, in.flat)
			size += len(in.flat)
		}
	}
	return flats, upTo
}

// mapOf is the coverage of one program.
func (k *known) mapOf(program int) feature.Map {
	return k.maps[program*k.blocks : (program+1)*k.blocks]
}

// merge takes the coverage of an instance's process, unless a program has written over it.
func (k *known) merge(m *instance) {
	maps := slices.Clone(m.worker.mem.Maps()[:len(k.maps)])
	if m.worker.mem.Trusted() {
		k.maps.Merge(feature.Map(maps))
	}
}

// add takes a feature of a domain, given by its number, and reports whether it is new: see feature.Set.
func (k *known) add(domain int, hash uint64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	set := k.tuples[domain]
	return set != nil && set.Add(hash)
}

// restore takes a feature that an earlier invocation knew, of a sample of that level.
func (k *known) restore(domain, level uint8, hash uint64) {
	if set := k.tuples[int(domain)]; set != nil {
		set.Raise(level)
		set.Add(hash)
	}
}

// novel takes the features of a worker's event, and calls found with those that are new.
func (k *known) novel(payload []byte, found func(domain uint8, hash uint64)) {
	for ; len(payload) >= 9; payload = payload[9:] {
		if hash := binary.LittleEndian.Uint64(payload[1:]); k.add(int(payload[0]), hash) {
			found(payload[0], hash)
		}
	}
}

// features is how many features of a domain, given by its number, the campaign has seen: an estimate if weight is not 1.
func (k *known) features(domain int) int { return k.tuples[domain].Len() }

// weight is how many features one that is known stands for.
func (k *known) weight(domain int) int { return k.tuples[domain].Weight() }

// handOut sends the features of all domains to a process that starts.
func (k *known) handOut(send func(domain int, level uint8, hashes []uint64) error) error {
	for _, d := range feature.Stored() {
		set := k.tuples[d.Number]
		err := handOut(k.mu, set, set.Level, func(level uint8, hashes []uint64) error { return send(d.Number, level, hashes) })
		if err != nil {
			return err
		}
	}
	return nil
}

// held is the bytes of the features that are known.
func (k *known) held() (bytes int64) {
	for _, set := range k.tuples {
		bytes += 8 * int64(set.Held())
	}
	return bytes
}

// all is what the folder keeps of the features in place of those that were announced.
func (k *known) all() (list []state.Known) {
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

// maxDeadly is how many inputs that ended a process are sent to the next ones.
const maxDeadly = 256

// avoid notes an input that ended a process, so that the cmplog source of the next does not make it again.
func (k *known) avoid(flat []byte) {
	if slices.ContainsFunc(k.deadly, func(have []byte) bool { return bytes.Equal(have, flat) }) {
		return
	}
	if len(k.deadly) == maxDeadly {
		k.deadly = k.deadly[1:]
	}
	k.deadly = append(k.deadly, bytes.Clone(flat))
}
