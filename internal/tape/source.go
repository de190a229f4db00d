package tape

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"unsafe"
)

// Limits of a source's records. Limit changes DefaultLimit.
const (
	DefaultLimit = 1 << 16 // choices
	maxDepth     = 1 << 10 // nested spans
	// choices or spans of a span that are searched for one of the same site
	searchLimit = 64
)

// ErrTooLong is the panic value of a draw beyond a limit: the generator draws without bound.
var ErrTooLong = errors.New("the generator draws without bound")

// Source draws choices. Call Random, Replay or Plain before use of the zero Source.
type Source struct {
	Out   Tape // drawn so far; on a loaded tape, only Tape fills it
	Fresh int  // drawn choices that are not in the replayed data
	Tries int  // calls of Retry that emptied a span
	// Noted is called before a choice is recorded, with its index. Nil means not called.
	Noted func(choice int)
	// Endless reports that a draw has panicked with ErrTooLong.
	Endless bool
	// Given reports that the replayed data was not random: a tape with choices, bytes, or a guide.
	// Such data may exceed the limit although the generator has a bound.
	Given bool

	limit    int
	state    uint64
	old      *Tape
	plain    []byte
	simplest bool // fresh choices are zero
	guide    *Guide
	around   uint64 // state of the choice that the guide makes
	frames   []frame
	known    [knownSites]knownSite
	follow   follower
}

// Guide makes the choices of a source while it draws.
type Guide struct {
	// Choose makes a choice, or reports false to leave it to chance. The state is a hash of the
	// preceding choices: see Guided.
	Choose func(site uint32, state, bound uint64) (value uint64, ok bool)
	// Chosen is called for every choice.
	Chosen func(site uint32, state, value uint64)
}

// knownSite caches a site that Site or In computed.
type knownSite struct {
	label        string
	around, site uint32
}

const knownSites = 256

// frame is an open span, and the replayed span for it.
type frame struct {
	span     int32           // of Out
	site     uint32          // of the span
	first    int32           // its first choice, if it began on a followed tape
	old      int32           // of the replayed tape; -1 means none
	end      int32           // of its choices
	next     [Channels]int32 // per channel: its next choice to replay
	child    int32           // next span within it to replay
	separate bool            // choices were skipped; until then, next[0] is for all channels
}

// Random starts a tape of fresh choices.
func (s *Source) Random(seed uint64) { s.begin(nil, nil, seed) }

// Replay starts a replay of a tape, with fresh choices where it has none. The source does not
// change the tape, and nor may the caller.
func (s *Source) Replay(t *Tape, seed uint64) { s.begin(t, nil, seed) }

// Simplest starts a replay of a tape, with the simplest choices where it has none. During
// minimization, random choices would make the tape larger.
func (s *Source) Simplest(t *Tape) {
	s.begin(t, nil, 0)
	s.simplest = true
}

// Play starts a replay of a tape, with the choices of its Rest where it has none.
func (s *Source) Play(t *Tape) {
	if t.Rest == 0 {
		s.Simplest(t)
		return
	}
	s.Replay(t, t.Rest)
}

// Plain starts a replay of bytes. Each choice takes as many bytes as its bound needs, and further
// choices are fresh.
func (s *Source) Plain(data []byte, seed uint64) { s.begin(nil, data, seed) }

// Guided lets a guide make all choices, except those that it leaves to chance. The state of a
// choice is that of RLCheck (Reddy et al., ICSE 2020, section 4.1). It covers the sites and values
// of the five preceding choices in its own span and the enclosing ones.
func (s *Source) Guided(g *Guide, seed uint64) {
	s.begin(nil, nil, seed)
	s.guide, s.Given = g, true
}

// Limit sets the maximum number of choices, from the next Random, Replay or Plain on. 0 means
// DefaultLimit.
func (s *Source) Limit(choices int) { s.limit = choices }

func (s *Source) begin(old *Tape, plain []byte, seed uint64) {
	if old != nil && len(old.Spans) == 0 {
		old = nil
	}
	s.Out.Reset()
	s.Fresh, s.Tries, s.Endless, s.state, s.old, s.plain, s.simplest, s.guide = 0, 0, false, seed, old, plain, false, nil
	s.follow.ops, s.follow.at, s.follow.skipped = nil, 0, skipped{}
	s.Given = old != nil && len(old.Choices) > 0 || len(plain) > 0
	root := frame{old: -1}
	if old != nil {
		root = frame{child: 1, end: old.Spans[0].End}
	}
	s.frames = append(s.frames[:0], root)
}

// Uint64 returns a random number, the source of fresh choices.
func (s *Source) Uint64() uint64 {
	s.state += 0x9e3779b97f4a7c15
	z := s.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// UpTo returns a uniform random number from 0 to bound.
func (s *Source) UpTo(bound uint64) uint64 {
	if bound == math.MaxUint64 {
		return s.Uint64()
	}
	n, low := bits.Mul64(s.Uint64(), bound+1)
	if low < bound+1 {
		for least := -(bound + 1) % (bound + 1); low < least; {
			n, low = bits.Mul64(s.Uint64(), bound+1)
		}
	}
	return n
}

// Begin begins a span within the current one.
func (s *Source) Begin(site uint32) {
	if f := &s.follow; len(f.ops) > 0 {
		if at := f.at; at+5 <= len(f.ops) && f.ops[at] == opBegin && binary.LittleEndian.Uint32(f.ops[at+1:]) == site && len(s.frames) <= maxDepth {
			to := s.frame()
			to.span, to.site, to.first = f.spans, site, int32(f.choices)
			f.at, f.spans = at+5, f.spans+1
			return
		}
		s.leave()
	}
	if len(s.frames) > maxDepth || len(s.Out.Spans) >= s.most() {
		s.Endless = true
		panic(fmt.Errorf("%w: spans nest %d deep, and there are %d", ErrTooLong, len(s.frames), len(s.Out.Spans)))
	}
	f := s.frame()
	at := &s.frames[len(s.frames)-2]
	n, first := int32(len(s.Out.Spans)), int32(len(s.Out.Choices))
	span := s.Out.span()
	span.Site, span.Parent, span.First, span.End, span.After = site, at.span, first, first, n+1
	f.span, f.site, f.old = n, site, s.span(at, site)
	if f.old < 0 {
		return
	}
	old := &s.old.Spans[f.old]
	f.child, f.next[0], f.end, f.separate = f.old+1, old.First, old.End, false
	switch {
	case at.separate:
	case at.next[0] == old.First:
		at.next[0] = old.End
	default:
		at.part()
	}
}

// frame opens a frame. The caller must set its fields.
func (s *Source) frame() *frame {
	open := len(s.frames)
	if open < cap(s.frames) {
		s.frames = s.frames[:open+1]
	} else {
		s.frames = append(s.frames, frame{})
	}
	return &s.frames[open]
}

// part separates the replay of the channels.
func (f *frame) part() {
	if !f.separate {
		f.separate, f.next[1] = true, f.next[0]
	}
}

// span finds the next span of a site within the replayed one, and advances behind it.
func (s *Source) span(at *frame, site uint32) int32 {
	if at.old < 0 {
		return -1
	}
	end := s.old.Spans[at.old].After
	for i, n := at.child, 0; i < end && n < searchLimit; n++ {
		if s.old.Spans[i].Site == site {
			at.child = s.old.Spans[i].After
			return i
		}
		i = s.old.Spans[i].After
	}
	return -1
}

// Retry empties the current span for another draw, which replays nothing. It returns false if
// another draw would be the same.
func (s *Source) Retry() bool {
	if len(s.follow.ops) > 0 {
		s.leave()
	}
	at := &s.frames[len(s.frames)-1]
	if at.span == 0 || s.simplest && at.old < 0 {
		return false
	}
	at.old = -1
	s.Tries++
	s.Out.Choices, s.Out.Spans = s.Out.Choices[:s.Out.Spans[at.span].First], s.Out.Spans[:at.span+1]
	s.follow.skipped.cut(len(s.Out.Choices), len(s.Out.Spans))
	return true
}

// End ends the current span. Tape ends the outermost one.
func (s *Source) End() {
	last := len(s.frames) - 1
	if last == 0 {
		panic("tape: a span ends that has not begun")
	}
	if f := &s.follow; len(f.ops) > 0 {
		if f.at < len(f.ops) && f.ops[f.at] == opEnd {
			f.at++
			s.frames = s.frames[:last]
			return
		}
		s.leave()
	}
	span := &s.Out.Spans[s.frames[last].span]
	span.End, span.After = int32(len(s.Out.Choices)), int32(len(s.Out.Spans))
	s.frames = s.frames[:last]
}

// EndTo ends spans until the number of open ones is depth, after a panic in a generator.
func (s *Source) EndTo(depth int) {
	for len(s.frames) > depth {
		s.End()
	}
}

// Drawn returns the number of drawn choices.
func (s *Source) Drawn() int {
	if len(s.follow.ops) > 0 {
		return s.follow.choices
	}
	return len(s.Out.Choices)
}

// Spans returns the number of begun spans, including the outermost.
func (s *Source) Spans() int {
	if len(s.follow.ops) > 0 {
		return int(s.follow.spans)
	}
	return len(s.Out.Spans)
}

// Depth returns the number of open spans, including the outermost.
func (s *Source) Depth() int { return len(s.frames) }

// Tape ends the outermost span and returns the drawn tape, which is valid until the next use of the
// source.
func (s *Source) Tape() *Tape {
	if len(s.follow.ops) > 0 {
		s.leave()
	}
	s.EndTo(1)
	s.fill()
	s.Out.Spans[0].End, s.Out.Spans[0].After = int32(len(s.Out.Choices)), int32(len(s.Out.Spans))
	return &s.Out
}

// Around returns the site of the current span.
func (s *Source) Around() uint32 { return s.frames[len(s.frames)-1].site }

// Site returns the site of a label within the current span.
func (s *Source) Site(label string) uint32 { return s.In(s.Around(), label) }

// In caches Site. Generators repeat few labels, which mostly are constants of the program. A cache
// lookup is cheaper than computing the site.
func (s *Source) In(around uint32, label string) uint32 {
	// Strings are immutable, so that the same bytes in memory are the same label
	// (unsafe.StringData). The cache entry keeps them alive.
	at := unsafe.StringData(label)
	slot := (uint32(uintptr(unsafe.Pointer(at)))*0x9e3779b1 ^ around*0x85ebca6b) >> 24 % knownSites
	k := &s.known[slot]
	if k.around == around && unsafe.StringData(k.label) == at && len(k.label) == len(label) && k.site != 0 {
		return k.site
	}
	// A second place per label keeps two frequent ones from displacing each other.
	second := &s.known[slot^1]
	if second.around == around && unsafe.StringData(second.label) == at && len(second.label) == len(label) && second.site != 0 {
		return second.site
	}
	*second = *k
	*k = knownSite{label, around, Site(around, label)}
	return k.site
}

// Draw draws a choice from 0 to bound. A fresh one is uniform.
func (s *Source) Draw(site uint32, c Channel, bound uint64) uint64 {
	if v, ok := s.Followed(site, c, bound); ok {
		return v
	}
	v, ok := s.Recall(site, c, bound)
	if !ok {
		v = s.UpTo(bound)
	}
	s.Record(site, c, bound, v)
	return v
}

// Followed is the fast path of Recall and Record on a followed tape: the next choice has this site,
// channel and bound, and stays. If it reports false, it has no effect.
func (s *Source) Followed(site uint32, c Channel, bound uint64) (value uint64, ok bool) {
	f := &s.follow
	if i := f.at + 1; i < len(f.ops) {
		if k := int(f.ops[i-1]) - opChoice; uint(k) < uint(len(f.kinds)) {
			value = uint64(f.ops[i])
			if known := &f.kinds[k]; known.key == keyOf(site, c) && known.bound == bound && value <= bound && value < 0x80 {
				f.at, f.choices = i+1, f.choices+1
				return value, true
			}
		}
	}
	return 0, false
}

// Recall returns the replayed choice at a site, within the bound. It reports false if there is
// none; the caller then makes one with Uint64 and UpTo. Record must follow in both cases.
func (s *Source) Recall(site uint32, c Channel, bound uint64) (value uint64, ok bool) {
	if len(s.follow.ops) > 0 {
		if v, ok, on := s.follow.recall(site, c, bound); on {
			if !ok {
				s.Fresh++
				ok = s.simplest
			}
			return v, ok
		}
		s.leave()
	}
	if s.guide != nil {
		s.Fresh++
		s.around = s.context()
		return s.guide.Choose(site, s.around, bound)
	}
	if s.old == nil {
		return s.fromPlain(bound)
	}
	at := &s.frames[len(s.frames)-1]
	if at.old < 0 {
		s.Fresh++
		return 0, s.simplest
	}
	if !at.separate {
		if i := at.next[0]; i < at.end {
			if choice := &s.old.Choices[i]; choice.Span == at.old && choice.Site == site && choice.Channel == c {
				at.next[0] = i + 1
				return s.recalled(choice, bound)
			}
		}
		at.part()
	}
	spans := s.old.Spans
	for i, n := at.next[c], 0; i < at.end && n < searchLimit; {
		choice := &s.old.Choices[i]
		if choice.Span != at.old { // of an inner span: continue behind it
			inner := choice.Span
			for spans[inner].Parent != at.old {
				inner = spans[inner].Parent
			}
			i = spans[inner].End
			continue
		}
		if choice.Channel == c {
			if choice.Site == site {
				at.next[c] = i + 1
				return s.recalled(choice, bound)
			}
			n++
		}
		i++
	}
	s.Fresh++
	return 0, s.simplest
}

// recalled returns the value of a replayed choice, if it is not redrawn.
func (s *Source) recalled(choice *Choice, bound uint64) (value uint64, ok bool) {
	if choice.Redraw {
		s.Fresh++
		return 0, s.simplest
	}
	return within(choice.Value, bound), true
}

// within reduces a value to the bound.
func within(value, bound uint64) uint64 {
	if value > bound {
		value %= bound + 1
	}
	return value
}

// context hashes the last choices in the current span and the enclosing ones. Open spans are sorted
// by begin. The last one that began before a choice's own span therefore encloses it.
func (s *Source) context() uint64 {
	const last = 5
	h, open := offset, len(s.frames)-1
	for i, n := len(s.Out.Choices)-1, 0; i >= 0 && n < last; {
		c := &s.Out.Choices[i]
		for s.frames[open].span > c.Span {
			open--
		}
		if s.frames[open].span == c.Span {
			h = mix(mix(h, uint64(c.Site)), c.Value)
			i, n = i-1, n+1
			continue
		}
		ended := c.Span
		for s.Out.Spans[ended].Parent != s.frames[open].span {
			ended = s.Out.Spans[ended].Parent
		}
		i = int(s.Out.Spans[ended].First) - 1
	}
	return h
}

func (s *Source) fromPlain(bound uint64) (value uint64, ok bool) {
	if len(s.plain) == 0 {
		s.Fresh++
		return 0, false
	}
	n := min(len(s.plain), max(1, (bits.Len64(bound)+7)/8))
	for i := 0; i < n; i++ {
		value |= uint64(s.plain[i]) << (8 * i)
	}
	s.plain = s.plain[n:]
	return within(value, bound), true
}

// Record appends a choice.
func (s *Source) Record(site uint32, c Channel, bound, value uint64) {
	if len(s.follow.ops) > 0 {
		s.follow.record(bound, value)
		return
	}
	if len(s.Out.Choices) >= s.most() {
		s.Endless = true
		panic(fmt.Errorf("%w: more than %d choices", ErrTooLong, s.most()))
	}
	if s.Noted != nil {
		s.Noted(len(s.Out.Choices))
	}
	if s.guide != nil {
		s.guide.Chosen(site, s.around, value)
	}
	to := s.Out.choice()
	to.Site, to.Span, to.Channel, to.Redraw, to.Bound, to.Value = site, s.frames[len(s.frames)-1].span, c, false, bound, value
}

func (s *Source) most() int {
	if s.limit > 0 {
		return s.limit
	}
	return DefaultLimit
}

// Replays reports whether a tape is replayed.
func (s *Source) Replays() bool { return s.old != nil || len(s.follow.ops) > 0 }
