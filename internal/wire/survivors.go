package wire

// Survivors is where counters lie that are to outlive their process: the end of the room for coverage maps, whole pages of it. Behind them is, for each
// region of counters, where they begin; 0: they lie elsewhere. The worker fills it, and the supervisor reads it when the worker has ended. A
// program may have written anything there.
type Survivors struct {
	room  []byte
	base  int // of room in the file
	table int
	next  int // what is taken begins here
}

const survivorPage = 4096

// Survivors is the room for so many regions.
func (m *Memory) Survivors(regions int) *Survivors {
	room := m.Maps()
	table := len(room) - (8*regions+survivorPage-1)&^(survivorPage-1)
	return &Survivors{room: room, base: len(m.b) - len(room), table: table, next: table}
}

// Take returns n bytes, whole pages, and where they lie in the file; nil if there is no room.
func (s *Survivors) Take(n int) (to []byte, at int) {
	if s.next-n < len(s.room)/2 {
		return nil, 0
	}
	s.next -= n
	return s.room[s.next : s.next+n], s.base + s.next
}

// Put says where in the file the counters of a region begin.
func (s *Survivors) Put(region, at int) { putUint64(s.room[s.table+8*region:], uint64(at-s.base)) }

// Counters are those of a region, n of them; nil where they do not outlive their process.
func (s *Survivors) Counters(region, n int) []byte {
	if s.table < 0 {
		return nil
	}
	at := getUint64(s.room[s.table+8*region:])
	if at == 0 || at > uint64(s.table) || uint64(n) > uint64(s.table)-at {
		return nil
	}
	return s.room[at : at+uint64(n)]
}
