package wire

import (
	"encoding/binary"
	"math"

	"parallax/internal/oracle"
)

// Region names an instrumented package and its number of counters.
type Region struct {
	Package  string
	Counters int
}

// HelloMessage is a worker's first message.
type HelloMessage struct {
	Regions   []Region
	Programs  []string
	Shape     string
	Operators []string // names of the mutation operators, by number
	Values    bool     // accepted values are comparable
	Seeds     [][]byte // of the harness
	Problems  []string // of the harness, if they make a campaign useless
	Layers    uint64   // oracle.Layers that the harness wants compared; zero means no choice
	Notes     []string // of the harness, for the user
	Repairs   bool     // mutants are repaired
	Refused   string   // a request of the user that cannot be fulfilled, and the reason
	Sites     []string // of a test binary: tables of the calls that can be recorded
	Tapes     bool     // inputs are encoded tapes, from which a generator draws
	Guided    bool     // the generator's choices can be made while it draws
	Takes     string   // shape of the programs' inputs; empty for values, or if the generator is a program
	Before    []uint32 // blocks executed before the first input, ascending
}

// Append encodes the message.
func (m *HelloMessage) Append(b []byte) []byte {
	b = AppendUint(b, Version)
	b = AppendUint(b, uint64(len(m.Regions)))
	for _, r := range m.Regions {
		b = AppendBytes(b, r.Package)
		b = AppendUint(b, uint64(r.Counters))
	}
	b = appendStrings(b, m.Programs)
	b = AppendBytes(b, m.Shape)
	b = appendStrings(b, m.Operators)
	b = AppendBool(b, m.Values)
	b = appendList(b, m.Seeds)
	b = appendStrings(b, m.Problems)
	b = appendStrings(AppendUint(b, m.Layers), m.Notes)
	b = appendStrings(AppendBytes(AppendBool(b, m.Repairs), m.Refused), m.Sites)
	b = AppendBytes(AppendBool(AppendBool(b, m.Tapes), m.Guided), m.Takes)
	b = AppendUint(b, uint64(len(m.Before)))
	last := uint32(0)
	for _, id := range m.Before {
		b = AppendUint(b, uint64(id-last))
		last = id
	}
	return b
}

// Read decodes the message.
func (m *HelloMessage) Read(r *Reader) error {
	if r.Uint() != Version {
		r.fail()
		return r.Err()
	}
	for n := r.Int(1 << 20); n > 0 && r.Err() == nil; n-- {
		m.Regions = append(m.Regions, Region{Package: r.String(), Counters: r.Int(1 << 28)})
	}
	m.Programs = readStrings(r)
	m.Shape = r.String()
	m.Operators = readStrings(r)
	m.Values = r.Bool()
	m.Seeds = readList(r)
	m.Problems = readStrings(r)
	m.Layers, m.Notes = r.Uint(), readStrings(r)
	m.Repairs, m.Refused, m.Sites = r.Bool(), r.String(), readStrings(r)
	m.Tapes, m.Guided, m.Takes = r.Bool(), r.Bool(), r.String()
	last := uint64(0)
	for n := r.Int(1 << 28); n > 0 && r.Err() == nil; n-- {
		if last += r.Uint(); last > math.MaxUint32 {
			r.fail()
		}
		m.Before = append(m.Before, uint32(last))
	}
	return r.Err()
}

// Flags of a Run message.
const (
	WantDetail   = 1 << iota // outcomes in words, canonical values, stack traces
	WantHits                 // the executed blocks and, if the build records it, the order of their first executions
	WantText                 // Rendered is the value as text for comparison, and Error the message
	Plain                    // only the builds that are fuzzed, without sanitizers
	Settle                   // wait a little afterwards, as no program: a leaked goroutine may still crash
	WantDrawn                // Drawn, if the input is a tape
	ProgramInput             // the input is one of the programs in other processes, and not a tape that a generator draws from
	WantCounts               // with WantHits, the hit counts of the blocks

	SkipShift = 8 // bit SkipShift+p skips program p; its result is empty
)

// RunResult is the result of one program for the input of a Run message.
type RunResult struct {
	Outcome, Class, Value uint64
	Parts                 oracle.Parts
	Length, Set           uint64
	Allocated             uint64 // bytes, for Go programs whose cost is compared
	Took                  uint64 // nanoseconds, on average for the inputs executed together; a lockstep process measures it
	Hits                  []uint32
	Counts                []byte   // hit counts of the same blocks, at most 255; empty unless requested
	First                 []uint32 // the same blocks in the order of their first execution; empty unless the build records it

	Error, ErrorType, ErrorClass, Rendered string
	Truncated                              bool
	Panic, Stack                           string
	Output                                 string // log of a fuzz target
	Drawn                                  string // encoded drawn tape; empty if not requested, or without a generator
	Shown                                  string // drawn values for people, one line per draw
	Made                                   string // the generator's input in the flat form of the programs; empty if they get values
	Ignored                                bool   // the harness reports the disagreement as intended
	Failure                                bool   // the outcome crashed means t.Fatal and the like
	Ended                                  bool   // the program's process ended: Panic describes how, Stack has its output
}

// Append encodes the result.
func (m *RunResult) Append(b []byte) []byte {
	for _, v := range []uint64{m.Outcome, m.Class, m.Value, m.Length, m.Set, m.Allocated, m.Took, uint64(len(m.Hits))} {
		b = AppendUint(b, v)
	}
	last := uint32(0)
	for _, h := range m.Hits {
		b = AppendUint(b, uint64(h-last))
		last = h
	}
	b = AppendBytes(b, m.Counts)
	b = AppendUint(b, uint64(len(m.First)))
	for _, h := range m.First {
		b = AppendUint(b, uint64(h))
	}
	for _, s := range []string{m.Error, m.ErrorType, m.ErrorClass, m.Rendered, m.Panic, m.Stack, m.Output, m.Drawn, m.Shown, m.Made} {
		b = AppendBytes(b, s)
	}
	b = AppendBool(AppendBool(AppendBool(AppendBool(b, m.Truncated), m.Failure), m.Ignored), m.Ended)
	return appendParts(b, m.Value, &m.Parts)
}

// Read decodes the result.
func (m *RunResult) Read(r *Reader) error {
	for _, v := range []*uint64{&m.Outcome, &m.Class, &m.Value, &m.Length, &m.Set, &m.Allocated, &m.Took} {
		*v = r.Uint()
	}
	last := uint32(0)
	for n := r.Int(1 << 28); n > 0 && r.Err() == nil; n-- {
		last += uint32(r.Uint())
		m.Hits = append(m.Hits, last)
	}
	m.Counts = []byte(r.String())
	for n := r.Int(1 << 28); n > 0 && r.Err() == nil; n-- {
		m.First = append(m.First, uint32(r.Uint()))
	}
	for _, s := range []*string{&m.Error, &m.ErrorType, &m.ErrorClass, &m.Rendered, &m.Panic, &m.Stack, &m.Output, &m.Drawn, &m.Shown, &m.Made} {
		*s = r.String()
	}
	m.Truncated, m.Failure, m.Ignored, m.Ended = r.Bool(), r.Bool(), r.Bool(), r.Bool()
	m.Parts = r.parts(m.Value)
	return r.Err()
}

// ScreenMessage holds an input and the wanted results of each program.
type ScreenMessage struct {
	Flat   []byte
	Wanted []Wanted
}

// Wanted is a wanted outcome, and the class of a rejection. Loose means that the class does not
// matter. The outcome of a program that declined does not matter, either.
type Wanted struct {
	Outcome, Class uint64
	Loose          bool
}

// Append encodes the message.
func (m *ScreenMessage) Append(b []byte) []byte {
	b = AppendUint(AppendBytes(b, m.Flat), uint64(len(m.Wanted)))
	for _, w := range m.Wanted {
		b = AppendBool(AppendUint(AppendUint(b, w.Outcome), w.Class), w.Loose)
	}
	return b
}

// Read decodes the message. Its input aliases it.
func (m *ScreenMessage) Read(r *Reader) error {
	m.Flat = r.Bytes()
	for n := r.Int(1 << 16); n > 0 && r.Err() == nil; n-- {
		m.Wanted = append(m.Wanted, Wanted{r.Uint(), r.Uint(), r.Bool()})
	}
	return r.Err()
}

// ObserveMessage holds inputs for one program of a worker.
type ObserveMessage struct {
	Program int
	Text    bool // return accepted values and errors as text
	Flats   [][]byte
}

// Append encodes the message.
func (m *ObserveMessage) Append(b []byte) []byte {
	b = AppendBool(AppendUint(b, uint64(m.Program)), m.Text)
	return appendList(b, m.Flats)
}

// Read decodes the message. Its inputs alias it.
func (m *ObserveMessage) Read(r *Reader) error {
	m.Program, m.Text, m.Flats = r.Int(1<<16), r.Bool(), m.Flats[:0]
	for n := r.Int(1 << 20); n > 0 && r.Err() == nil; n-- {
		m.Flats = append(m.Flats, r.Bytes())
	}
	return r.Err()
}

// Kinds of events in the ring.
const (
	EventNovel       = byte(iota + 1) // features of one input seen for the first time: domain (1 byte), hash (8 bytes), ...
	EventKept                         // an input joins the corpus
	EventCandidate                    // an input may be a finding
	EventProvisional                  // an input would join the corpus and is being trimmed: EventKept follows, or the worker's end
	EventNote                         // a text for the user
	EventMark                         // the worker waits until the supervisor has read the memory
	EventTraces                       // traces of inputs: keys (diversity.Key) of 8 bytes each
	EventReached                      // first execution of changed blocks: inputs counted before (8 bytes), block (4 bytes), ...
	EventShown                        // an input that joins the corpus, and its features of 8 bytes each
)

// MaxReached bounds the blocks in one event. Any ring has room for it.
const MaxReached = 4096

// InputEvent is a kept input or a candidate.
type InputEvent struct {
	Inputs uint64 // inputs that the worker had counted before this one
	Flat   []byte
	Parent []byte // nil for a seed
	Ops    []byte // operator numbers
	New    []string
	// For a candidate: the programs whose failure is one, and the layers of the others'
	// disagreement that are.
	Failing, Layers uint64
	Fresh           bool // for a candidate: some aspect of it is the first of its kind
	Tuple           []Observed
	Steady          []uint64 // for a candidate: number of repeated inputs and, per program, those on which it behaved differently
}

// Observed is an encoded observation.
type Observed struct{ Outcome, Class, Value uint64 }

// Append encodes the event.
func (m *InputEvent) Append(b []byte) []byte {
	b = AppendUint(b, m.Inputs)
	b = AppendBytes(b, m.Flat)
	b = AppendBool(b, m.Parent != nil)
	b = AppendBytes(b, m.Parent)
	b = AppendBytes(b, m.Ops)
	b = appendStrings(b, m.New)
	b = AppendBool(AppendUint(AppendUint(b, m.Failing), m.Layers), m.Fresh)
	b = AppendUint(b, uint64(len(m.Tuple)))
	for _, o := range m.Tuple {
		b = AppendUint(AppendUint(AppendUint(b, o.Outcome), o.Class), o.Value)
	}
	b = AppendUint(b, uint64(len(m.Steady)))
	for _, n := range m.Steady {
		b = AppendUint(b, n)
	}
	return b
}

// Read decodes the event. Its slices alias the message.
func (m *InputEvent) Read(r *Reader) error {
	m.Inputs = r.Uint()
	m.Flat = r.Bytes()
	has := r.Bool()
	if m.Parent = r.Bytes(); !has {
		m.Parent = nil
	}
	m.Ops = r.Bytes()
	m.New = readStrings(r)
	m.Failing, m.Layers, m.Fresh = r.Uint(), r.Uint(), r.Bool()
	m.Tuple = nil
	for n := r.Int(1 << 16); n > 0 && r.Err() == nil; n-- {
		m.Tuple = append(m.Tuple, Observed{r.Uint(), r.Uint(), r.Uint()})
	}
	m.Steady = nil
	for n := r.Int(MaxPrograms + 1); n > 0 && r.Err() == nil; n-- {
		m.Steady = append(m.Steady, r.Uint())
	}
	return r.Err()
}

// Shown is an input with its features (EventShown).
type Shown struct {
	Flat     []byte
	Features []uint64
}

// Append encodes the event.
func (m *Shown) Append(b []byte) []byte {
	b = AppendBytes(b, m.Flat)
	b = AppendUint(b, uint64(len(m.Features)))
	for _, f := range m.Features {
		b = binary.LittleEndian.AppendUint64(b, f)
	}
	return b
}

// ReadShown decodes the event. An invalid one has no features. Its input aliases the message.
func ReadShown(payload []byte) (m Shown) {
	r := NewReader(payload)
	m.Flat = r.Bytes()
	for n := r.Int(len(payload)); n > 0 && r.Err() == nil; n-- {
		if b := r.raw(8); b != nil {
			m.Features = append(m.Features, binary.LittleEndian.Uint64(b))
		}
	}
	if r.Err() != nil {
		m.Features = nil
	}
	return m
}

func appendStrings(b []byte, list []string) []byte {
	b = AppendUint(b, uint64(len(list)))
	for _, s := range list {
		b = AppendBytes(b, s)
	}
	return b
}

func appendList(b []byte, list [][]byte) []byte {
	b = AppendUint(b, uint64(len(list)))
	for _, e := range list {
		b = AppendBytes(b, e)
	}
	return b
}

// readList reads a list of copies.
func readList(r *Reader) [][]byte {
	var list [][]byte
	for n := r.Int(1 << 20); n > 0 && r.Err() == nil; n-- {
		list = append(list, append([]byte{}, r.Bytes()...))
	}
	return list
}

func readStrings(r *Reader) []string {
	var list []string
	for n := r.Int(1 << 20); n > 0 && r.Err() == nil; n-- {
		list = append(list, r.String())
	}
	return list
}
