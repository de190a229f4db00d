package exchange

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/nats-io/nats.go"

	"parallax/cmd/internal/finding/event"
)

// An announced input carries the features that were new to the corpus of its announcer. A member of
// the same build that knows all of them does not execute the input, and stores it as one that
// showed nothing new. So a joiner executes the corpus of one member, and not the union of all.
//
// An announcer is believed only after enough of its claims were checked: the input is executed in
// spite of its claim, and is not kept. Later claims are sampled. If too many are wrong, the inputs
// of the announcer that were skipped are executed after all. The announcer's name is not
// authenticated. So a bad member can announce in the name of a believed one, and delay the coverage
// of any input.
const (
	showsHeader  = "Px-Shows" // features, in base64
	mostClaimed  = 512        // features of one announcement
	mostHeld     = 4 << 20    // claimed features of all inputs that wait
	mostChecks   = 1 << 12    // checks whose result may still come
	firstChecks  = 8          // checks before claims are believed
	oneIn        = 16         // believed claims per check
	wrongShare   = 4          // one wrong claim in so many checks is believed to be an accident
	skipsAtOnce  = 256        // per call of Take, since the campaign waits for it
	mostSuspects = 1 << 12    // members with a record
)

// features is a member's knowledge of features.
type features struct {
	owner   map[uint64]string   // features of the corpus; an input that shows each
	fresh   map[string][]uint64 // of inputs of the corpus: features that none before it showed
	claimed map[string][]uint64 // of inputs that wait: their claims
	held    int                 // features in claimed
	checks  map[string]check    // inputs that are executed in spite of their claims
	records map[string]record   // by member
}

// check is the check of a claim.
type check struct {
	from string
	over bool // it was executed
}

// record counts checks of a member's claims.
type record struct{ checked, wrong int }

// good reports whether claims are believed.
func (r record) good() bool { return r.checked >= firstChecks && r.wrong*wrongShare <= r.checked }

func newFeatures() features {
	return features{
		owner: map[uint64]string{}, fresh: map[string][]uint64{}, claimed: map[string][]uint64{}, checks: map[string]check{},
		records: map[string]record{},
	}
}

// shown records the features of an input of the corpus.
func (m *Member) shown(e event.Shown) {
	hash := hashOf(m.about.Shape.Encode(e.Flat))
	m.mu.Lock()
	defer m.mu.Unlock()
	var fresh []uint64
	for _, f := range e.Features {
		if _, known := m.features.owner[f]; !known {
			fresh = append(fresh, f)
		}
		m.features.owner[f] = hash // later inputs show more than early ones
	}
	if len(fresh) > 0 && len(fresh) <= mostClaimed {
		m.features.fresh[hash] = fresh
	}
}

// setShows adds the features of an input of the corpus to its announcement. The caller holds mu.
func (m *Member) setShows(header nats.Header, hash string) {
	list := m.features.fresh[hash]
	if len(list) == 0 {
		return
	}
	var b []byte
	for _, f := range list {
		b = binary.LittleEndian.AppendUint64(b, f)
	}
	header.Set(showsHeader, base64.StdEncoding.EncodeToString(b))
}

// shows returns the features that an announcement claims. There are none for other builds.
func (m *Member) shows(header nats.Header) (list []uint64) {
	text := header.Get(showsHeader)
	if text == "" || header.Get(buildHeader) != m.about.Build || len(text) > base64.StdEncoding.EncodedLen(8*mostClaimed) {
		return nil
	}
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(b)%8 != 0 {
		return nil
	}
	for ; len(b) > 0; b = b[8:] {
		list = append(list, binary.LittleEndian.Uint64(b))
	}
	return list
}

// covers reports whether the corpus shows all features of a claim. The caller holds mu.
func (f *features) covers(claim []uint64) bool {
	return len(claim) > 0 && !slices.ContainsFunc(claim, func(c uint64) bool { _, known := f.owner[c]; return !known })
}

// decision says what happens to an input with a claim.
type decision int

const (
	execute decision = iota
	skip             // it is not executed
	verify           // it is executed, to check its claim
)

// decide decides about an input that is received, or that is about to be executed. The caller holds
// mu.
func (f *features) decide(from string, claim []uint64) decision {
	switch {
	case !f.covers(claim):
		return execute
	case f.records[from].good() && rand.N(oneIn) > 0:
		return skip
	}
	return verify
}

// watch begins the check of a claim. The caller holds mu.
func (f *features) watch(hash, from string) {
	if len(f.checks) >= mostChecks {
		clear(f.checks)
	}
	f.checks[hash] = check{from: from}
}

// hold keeps the claim of an input until it is executed. The caller holds mu.
func (f *features) hold(hash string, claim []uint64) {
	if f.held+len(claim) <= mostHeld {
		f.claimed[hash] = claim
		f.held += len(claim)
	}
}

// release returns the claim of an input that waited. The caller holds mu.
func (f *features) release(hash string) []uint64 {
	claim := f.claimed[hash]
	f.held -= len(claim)
	delete(f.claimed, hash)
	return claim
}

// executed counts the check of an input that was executed. The caller holds mu.
func (f *features) executed(hash string) {
	if c, ok := f.checks[hash]; ok && !c.over {
		f.checks[hash] = check{from: c.from, over: true}
		f.count(c.from, record{checked: 1})
	}
}

// kept counts a wrong claim, if the input was checked. It returns the announcer if its claims are
// no longer believed. The caller holds mu.
func (f *features) kept(hash string) (suspect string) {
	c, ok := f.checks[hash]
	if !ok {
		return ""
	}
	delete(f.checks, hash)
	was := f.records[c.from].good()
	n := record{wrong: 1}
	if !c.over { // executed does not follow
		n.checked = 1
	}
	f.count(c.from, n)
	if was && !f.records[c.from].good() {
		return c.from
	}
	return ""
}

func (f *features) count(from string, n record) {
	if len(f.records) >= mostSuspects {
		clear(f.records) // they have to earn trust again
	}
	r := f.records[from]
	f.records[from] = record{checked: r.checked + n.checked, wrong: r.wrong + n.wrong}
}

// distrust has the inputs of a member executed that were skipped. The caller holds mu.
func (m *Member) distrust(from string) error {
	n := 0
	for _, hash := range slices.Sorted(maps.Keys(m.shelf.at)) {
		if at := m.shelf.at[hash]; at.place != seen || at.from != from {
			continue
		}
		if err := m.shelf.move(hash, inputs); err != nil {
			return err
		}
		m.waiting = append(m.waiting, hash)
		n++
	}
	m.about.Log(fmt.Sprintf("claims of %s are wrong: %d of its inputs are executed", from, n))
	return nil
}
