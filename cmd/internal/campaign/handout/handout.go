// Package handout sends large sets of hashes to processes that start, while the loop of a campaign
// adds to the sets.
package handout

import "sync"

// Most is the largest number of hashes in one message.
const Most = 1 << 15

// Table is a set that a starting process receives page by page: feature.Set or diversity.Traces.
type Table interface {
	Page(at int, to []uint64) (page []uint64, next int)
	Moves() int
}

// Send sends the hashes of a table in messages of bounded size. The loop may add to the table in
// between, so each page is read under its lock. If hashes have moved, the pages start again.
// Starting processes thus need no copy, and may get a hash twice.
func Send(mu *sync.Mutex, t Table, level func() uint8, send func(level uint8, hashes []uint64) error) error {
	buf := make([]uint64, 0, Most)
	for at, moves := 0, -1; at >= 0; {
		mu.Lock()
		if now := t.Moves(); now != moves {
			at, moves = 0, now
		}
		l := level()
		page, next := t.Page(at, buf[:0])
		mu.Unlock()
		if at = next; len(page) == 0 {
			continue
		}
		if err := send(l, page); err != nil {
			return err
		}
	}
	return nil
}
