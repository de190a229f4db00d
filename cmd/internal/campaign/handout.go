package campaign

import "sync"

// chunk is the number of hashes in one message.
const chunk = 1 << 15

// table is what a process that starts is given page by page: feature.Set, diversity.Traces.
type table interface {
	Page(at int, to []uint64) (page []uint64, next int)
	Moves() int
}

// handOut sends what a table holds, in messages of bounded size. The loop may add to the table in between: each page is read under the
// lock under which it does, and when hashes have changed their places the pages begin anew. So no process that starts needs a copy, and
// one that is told a hash twice knows it once.
func handOut(mu *sync.Mutex, t table, level func() uint8, send func(level uint8, hashes []uint64) error) error {
	buf := make([]uint64, 0, chunk)
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
