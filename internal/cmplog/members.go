package cmplog

import "bytes"

// Members are pairs of a key and a value in text, in JSON or as lines such as "key: value". A
// program that decodes text into a structure looks keys up, and compares missing values as empty
// text or 0. The wanted value is therefore put in place of a value, or together with a key that the
// program knows.

const (
	maxMembers = 24
	maxWishes  = 16  // missing values per call
	maxKeys    = 32  // lookups per call
	maxPairs   = 256 // offers per call that change key and value
)

// member is a pair in a view.
type member struct {
	view           int32
	key, keyEnd    int32 // without quotes
	value, valueTo int32 // with quotes
	json           bool
}

// wish is a constant that was compared with an empty or zero operand.
type wish struct {
	site int32
	hash uint64
	fill offer // for a value; its place is open
}

// lookedUp is a key of the input, or a part of it, and a key of the map.
type lookedUp struct {
	op   *Comparison
	site int32
	x, y string
}

// keyed is a lookup and the member with its key.
type keyed struct {
	lookedUp
	member
}

// findMembers returns the members of the input.
func (s *Solver) findMembers() []member {
	if s.membersKnown {
		return s.members
	}
	s.membersKnown, s.members = true, s.members[:0]
	for i := range s.hay.views {
		v := &s.hay.views[i]
		if v.fixed || v.len() == 0 {
			continue
		}
		text := s.hay.text[v.start:v.end]
		before := len(s.members)
		s.jsonMembers(int32(i), text)
		if len(s.members) == before {
			s.lineMembers(int32(i), text)
		}
	}
	return s.members
}

func (s *Solver) jsonMembers(view int32, text []byte) {
	for i := 0; i < len(text) && len(s.members) < maxMembers; {
		q := bytes.IndexByte(text[i:], '"')
		if q < 0 {
			return
		}
		i += q + 1
		end, _ := closing(text, i)
		if end < 0 {
			continue
		}
		at := skip(text, end+1, space)
		if at < len(text) && text[at] == ':' {
			at = skip(text, at+1, space)
			s.members = append(s.members, member{
				view: view, key: int32(i), keyEnd: int32(end), value: int32(at), valueTo: int32(valueEnd(text, at)), json: true,
			})
		}
		i = end + 1
	}
}

// skip returns the offset of the first byte from i on that is not of a class.
func skip(text []byte, i int, class uint8) int {
	for i < len(text) && byteClass[text[i]]&class != 0 {
		i++
	}
	return i
}

// valueEnd returns the end of a JSON value that begins at i.
func valueEnd(text []byte, i int) int {
	depth := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case '"':
			end, _ := closing(text, i+1)
			if end < 0 {
				return i
			}
			i = end
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i
			}
		case ',', '\n':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}

func (s *Solver) lineMembers(view int32, text []byte) {
	for i := 0; i < len(text) && len(s.members) < maxMembers; {
		end := i
		for end < len(text) && text[end] != '\n' && text[end] != '&' && text[end] != ';' {
			end++
		}
		key := skip(text[:end], i, space)
		keyEnd := key
		for keyEnd < end && (isWord(text[keyEnd]) || text[keyEnd] == '-' || text[keyEnd] == '.') {
			keyEnd++
		}
		at := skip(text[:end], keyEnd, space)
		if keyEnd > key && at < end && (text[at] == ':' || text[at] == '=') {
			at = skip(text[:end], at+1, space)
			to := end
			for to > at && byteClass[text[to-1]]&space != 0 {
				to--
			}
			s.members = append(s.members, member{view: view, key: int32(key), keyEnd: int32(keyEnd), value: int32(at), valueTo: int32(to)})
		}
		i = end + 1
	}
}

// wishFor appends a wish if the task's operand is a constant.
func (s *Solver) wishFor(t *task, fill offer, hash uint64) []wish {
	if !t.constant || len(s.wishes) == maxWishes {
		return s.wishes
	}
	return append(s.wishes, wish{t.site, mix(t.op.Site, hash), fill})
}

// replaceValues offers to replace the value of every member.
func (s *Solver) replaceValues(t *task, fill offer, cost int) {
	for _, m := range s.findMembers() {
		o := m.filled(fill)
		s.put(t, o, cost)
		if !m.json && fill.form == asText {
			o.wrap = inQuotes
			s.put(t, o, cost+1)
		}
	}
}

// filled returns the offer o for the place of the member's value.
func (m member) filled(o offer) offer {
	o.view, o.from, o.to = m.view, m.value, m.valueTo
	if m.json && o.form == asText {
		o.wrap = inQuotes
	}
	return o
}

// shapes holds a value of each JSON kind, for keys whose value is unknown.
var shapes = [...]string{`""`, `{"k":0}`, `[0]`, `true`, `0`}

// pairs offers every key of a map together with every missing value. The pair replaces the member
// whose key was looked up or, in JSON, is a new member.
func (s *Solver) pairs() {
	if len(s.lookups) == 0 || len(s.findMembers()) == 0 {
		return
	}
	s.found = s.found[:0]
	for _, l := range s.lookups {
		for _, m := range s.members {
			if s.keyIs(m, l.x) && len(s.found) < maxKeys && !s.hasMember(m.view, l.y) {
				s.found = append(s.found, keyed{l, m})
			}
		}
	}
	wishes := s.wishes
	for i, text := range shapes {
		wishes = append(wishes, wish{-1, uint64(i), offer{text: text}})
	}
	left := maxPairs
	for _, w := range wishes {
		for _, f := range s.found[:min(len(s.found), left)] {
			if w.site >= 0 || f.json {
				left--
				s.pair(f.member, w, f.lookedUp)
			}
		}
	}
}

// keyIs reports whether a member's undecoded key equals a text.
func (s *Solver) keyIs(m member, key string) bool {
	return int(m.keyEnd-m.key) == len(key) && string(s.hay.text[s.hay.views[m.view].start:][m.key:m.keyEnd]) == key
}

// hasMember reports whether a view has a member with a key.
func (s *Solver) hasMember(view int32, key string) bool {
	for _, m := range s.members {
		if m.view == view && s.keyIs(m, key) {
			return true
		}
	}
	return false
}

func (s *Solver) pair(m member, w wish, l lookedUp) {
	t := task{op: l.op, site: l.site, room: 2}
	if !s.open(&t, keyPair, mixText(w.hash, l.y)) {
		return
	}
	cost := 3
	if !m.json {
		cost = 5 // the text may have no members at all
	}
	fill := m.filled(w.fill)
	if w.site < 0 {
		cost, fill.wrap = 5, bare
	} else {
		t.site = w.site
	}
	s.fills = append(s.fills, fill)
	o := offer{view: m.view, from: m.key, to: m.keyEnd, text: l.y, with: int32(len(s.fills))}
	if m.json {
		o.wrap = escaped
	}
	s.put(&t, o, cost)
	if m.json {
		o.wrap, o.from, o.to = inMember, m.key-1, m.key-1
		s.put(&t, o, cost)
	}
}
