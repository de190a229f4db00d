package wire

// Survivors holds counters that outlive their process: whole pages at the end of the memory for
// coverage maps. A table behind them has the start of each region's counters. Zero means that the
// region is elsewhere. The worker fills it, and the supervisor reads it when the worker has ended.
// A program may have written anything there.
type Survivors struct {
	room  []byte
	base  int // offset of room in the file
	table int
	next  int // start of the last allocation
}

const survivorPage = 4096

// Survivors returns the memory for that many regions.
func (m *Memory) Survivors(regions int) *Survivors {
	room := m.Maps()
	table := len(room) - (8*regions+survivorPage-1)&^(survivorPage-1)
	return &Survivors{room: room, base: len(m.b) - len(room), table: table, next: table}
}

// Alloc returns n bytes, whole pages, and their offset in the file. It returns nil if there is no
// room.
func (s *Survivors) Alloc(n int) (to []byte, at int) {
	if s.next-n < len(s.room)/2 {
		return nil, 0
	}
	s.next -= n
	return s.room[s.next : s.next+n], s.base + s.next
}

// Put records the offset in the file of a region's counters.
func (s *Survivors) Put(region, at int) { putUint64(s.room[s.table+8*region:], uint64(at-s.base)) }

// Counters returns the n counters of a region, or nil if they do not outlive their process.
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
