package c

import (
	"os"
	"slices"
	"time"

	"parallax/cmd/internal/instrument/clang"
)

// later knows which builds of a program have appeared. Whoever prepared the program has them made; here it is only looked whether they are there.
type later struct {
	n      *Variants
	next   time.Time
	looked map[clang.Variant]time.Time // when what was looked at had been written
}

// lookInterval is how often it is looked whether a build has appeared.
const lookInterval = 200 * time.Millisecond

// there tells whether a build can be run. One that could not be made is none any more.
func (l *later) there(v clang.Variant) bool {
	n := l.n
	if len(n.Later) > 0 {
		if now := time.Now(); now.After(l.next) {
			l.next = now.Add(lookInterval)
			l.look()
		}
	}
	return !slices.Contains(n.Later, v) && n.variant(v) != ""
}

// look takes the builds that have appeared.
func (l *later) look() {
	n := l.n
	for _, v := range slices.Clone(n.Later) {
		info, err := os.Stat(clang.Tried(n.variant(v)))
		if err != nil || info.ModTime().Equal(l.looked[v]) {
			continue
		}
		if l.looked == nil {
			l.looked = map[clang.Variant]time.Time{}
		}
		l.looked[v] = info.ModTime()
		b, err := clang.Open(n.Path)
		if err != nil || b.Later[v] != "" {
			continue
		}
		n.Later = slices.DeleteFunc(n.Later, func(w clang.Variant) bool { return w == v })
		switch {
		case v == clang.CmpLog:
			if n.CmpLog = b.Variants[v]; n.CmpLog != "" {
				n.Ordered, _ = clang.SameBlocks(n.Path, n.CmpLog)
			}
		default:
			n.Sanitize = b.Variants[v]
		}
	}
}

func (n *Variants) variant(v clang.Variant) string {
	if v == clang.CmpLog {
		return n.CmpLog
	}
	return n.Sanitize
}

// Inputs that the build with sanitizers should have run, kept until it is there.
const (
	mostWaiting  = 4096
	mostRecalled = 64 // at a time
	waitingBytes = 16 << 20
)

// waiting are these inputs, and those of them that are being run again.
type waiting struct {
	flats    [][]byte
	bytes    int
	recalled map[string]bool
}

func (w *waiting) add(flat []byte) {
	if len(w.flats) < mostWaiting && w.bytes+len(flat) <= waitingBytes {
		w.flats, w.bytes = append(w.flats, append([]byte{}, flat...)), w.bytes+len(flat)
	}
}

// Recall implements program.Recaller: inputs that the build with sanitizers has not seen because it was not there.
func (g *Executor) Recall() [][]byte {
	if len(g.waiting.flats) == 0 || !g.later.there(clang.Sanitize) {
		return nil
	}
	w := &g.waiting
	some := w.flats[:min(len(w.flats), mostRecalled)]
	w.flats = w.flats[len(some):]
	w.recalled = map[string]bool{}
	for _, flat := range some {
		w.recalled[string(flat)] = true
	}
	return some
}
