package gobuild

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// borrow puts what a sibling has built last in the binary's place, if it is newer. The go command goes by what is in a binary: it does not link one
// again that is as it would make it, and replaces any other. Where anything goes wrong, it links.
func (p *Plan) borrow(binary string) {
	if p.req.Siblings == "" {
		return
	}
	theirs := filepath.Join(p.req.Siblings, filepath.Base(binary))
	there, err := os.Stat(theirs)
	if err != nil {
		return
	}
	if mine, err := os.Stat(binary); err == nil && (os.SameFile(mine, there) || !there.ModTime().After(mine.ModTime())) {
		return
	}
	os.Remove(binary)
	os.Link(theirs, binary)
}

// lend gives siblings the binary. Several processes may do so at once.
func (p *Plan) lend(binary string) {
	if p.req.Siblings == "" || os.MkdirAll(p.req.Siblings, 0o755) != nil {
		return
	}
	theirs := filepath.Join(p.req.Siblings, filepath.Base(binary))
	between := theirs + "-" + strconv.FormatUint(rand.Uint64(), 36)
	if os.Link(binary, between) == nil {
		os.Rename(between, theirs)
		os.Remove(between) // which is still there if both are one file
	}
}
