package gobuild

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// copyFromSibling replaces the binary by a sibling's latest, if that is newer. The go command keeps
// a binary that equals its own result, and replaces any other. On any error the go command links.
func (p *Plan) copyFromSibling(binary string) {
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

// shareWithSiblings gives siblings the binary. Several processes may do so at once.
func (p *Plan) shareWithSiblings(binary string) {
	if p.req.Siblings == "" || os.MkdirAll(p.req.Siblings, 0o755) != nil {
		return
	}
	theirs := filepath.Join(p.req.Siblings, filepath.Base(binary))
	between := theirs + "-" + strconv.FormatUint(rand.Uint64(), 36)
	if os.Link(binary, between) == nil {
		os.Rename(between, theirs)
		os.Remove(between) // it still exists if both are one file
	}
}
