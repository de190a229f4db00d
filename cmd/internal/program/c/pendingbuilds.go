package c

import (
	"os"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/cbuild/clang"
)

// pendingBuilds tracks builds of a program that appear during the campaign. Other code makes them;
// this only checks for them.
type pendingBuilds struct {
	n         *Variants
	nextCheck time.Time
	checked   map[clang.Variant]time.Time // modification time of the last result seen per build
}

// checkInterval is the time between two checks.
const checkInterval = 200 * time.Millisecond

// available reports whether a build can run. A build that could not be made counts as missing.
func (l *pendingBuilds) available(v clang.Variant) bool {
	n := l.n
	if len(n.Later) > 0 {
		if now := time.Now(); now.After(l.nextCheck) {
			l.nextCheck = now.Add(checkInterval)
			l.poll()
		}
	}
	return !slices.Contains(n.Later, v) && n.variant(v) != ""
}

// poll records builds that have appeared, and gives up those that failed.
func (l *pendingBuilds) poll() {
	n := l.n
	var done []string
	if text, err := os.ReadFile(n.Done); err == nil { // read before the builds are checked
		done = strings.Split(string(text), "\n")
	}
	for _, v := range slices.Clone(n.Later) {
		final := slices.Contains(done[:max(len(done)-1, 0)], string(v)) // whole lines
		if !final {
			info, err := os.Stat(clang.Tried(n.variant(v)))
			if err != nil || info.ModTime().Equal(l.checked[v]) {
				continue
			}
			if l.checked == nil {
				l.checked = map[clang.Variant]time.Time{}
			}
			l.checked[v] = info.ModTime()
		}
		path := ""
		b, err := clang.Open(n.Path)
		switch {
		case err == nil && b.Later[v] == "":
			path = b.Variants[v]
		case !final:
			continue
		}
		n.Later = slices.DeleteFunc(n.Later, func(w clang.Variant) bool { return w == v })
		switch {
		case v == clang.CmpLog:
			if n.CmpLog = path; path != "" {
				n.Ordered, _ = clang.SameBlocks(n.Path, path)
			}
		default:
			n.Sanitize = path
		}
	}
}

func (n *Variants) variant(v clang.Variant) string {
	if v == clang.CmpLog {
		return n.CmpLog
	}
	return n.Sanitize
}

// Bounds on inputs that wait for the build with sanitizers.
const (
	mostWaiting  = 4096
	mostRecalled = 64 // per call
	waitingBytes = 16 << 20
)

// pendingInputs holds these inputs, and the ones being run again.
type pendingInputs struct {
	fresh, others [][]byte // with sets of blocks not seen lately, and all others
	bytes         int
	recalled      map[string]bool
}

// add reports whether it keeps an input. A fresh one replaces others.
func (w *pendingInputs) add(flat []byte, fresh bool) bool {
	full := func() bool {
		return len(w.fresh)+len(w.others) >= mostWaiting || w.bytes+len(flat) > waitingBytes
	}
	for fresh && full() && len(w.others) > 0 {
		w.bytes -= len(w.others[0])
		w.others[0], w.others = nil, w.others[1:]
	}
	if full() {
		return false
	}
	to := &w.others
	if fresh {
		to = &w.fresh
	}
	*to = append(*to, append([]byte{}, flat...))
	w.bytes += len(flat)
	return true
}

// next returns the next inputs to run again.
func (w *pendingInputs) next() (some [][]byte) {
	for _, from := range []*[][]byte{&w.fresh, &w.others} {
		n := min(len(*from), mostRecalled-len(some))
		some, *from = append(some, (*from)[:n]...), (*from)[n:]
	}
	w.recalled = map[string]bool{}
	for _, flat := range some {
		w.bytes -= len(flat)
		w.recalled[string(flat)] = true
	}
	return some
}

// Recall implements program.Recaller: inputs that ran before the build with sanitizers was there.
func (g *Executor) Recall() [][]byte {
	if len(g.waiting.fresh)+len(g.waiting.others) == 0 || !g.later.available(clang.Sanitize) {
		return nil
	}
	return g.waiting.next()
}
