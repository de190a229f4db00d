package gobuild

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A variant is compiled from the same files as the worker, by the same toolchain, with other flags for the instrumented packages. So it is as the
// go command would make it if it was made beside a worker with the same build ID, by the same flags: the go command, which would look at each
// package again and takes a tenth of a second at least, is not asked. A note beside the variant says what it was made beside.

// workerFile is the name of the worker, below Out.
const workerFile = "worker"

func variantNote(binary string) string { return binary + ".note" }

// current reports whether a variant is there as it would be made by these arguments. Before the worker itself is built, nobody knows.
func (p *Plan) current(binary string, args []string) bool {
	if p.built.IsZero() {
		return false
	}
	noted, err := os.ReadFile(variantNote(binary))
	return err == nil && string(noted) == p.madeOf(binary, args) && len(noted) > 0
}

// coarse is more than file systems of today round the times of files by.
const coarse = 20 * time.Millisecond

// noteVariant notes what a variant was made of, unless a file was edited since the worker was built.
func (p *Plan) noteVariant(binary string, args []string) {
	if p.built.IsZero() || p.editedSince(p.built.Add(-coarse)) {
		return
	}
	if made := p.madeOf(binary, args); made != "" {
		os.WriteFile(variantNote(binary), []byte(made), 0o644) // without it, the variant is built again
	}
}

// editedSince reports whether an instrumented file was written at a time or later.
func (p *Plan) editedSince(when time.Time) bool {
	for _, q := range p.Packages {
		if q.Standard {
			continue
		}
		for _, name := range q.Files {
			if info, err := os.Stat(name); err != nil || !info.ModTime().Before(when) {
				return true
			}
		}
	}
	return false
}

// madeOf identifies the worker, the variant and how it is made; empty if the go command has not said what is in one of the binaries.
func (p *Plan) madeOf(binary string, args []string) string {
	worker, variant := buildID(filepath.Join(p.root.Out, workerFile)), buildID(binary)
	info, err := os.Stat(binary)
	if worker == "" || variant == "" || err != nil {
		return ""
	}
	return fmt.Sprintf("%s\n%s %d\n%q\n", worker, variant, info.Size(), args)
}

// buildID is what the go command writes into a binary: hashes of what it is made of, and of what is in it. It is empty where there is none, or the
// user's own, by -ldflags=-buildid.
func buildID(binary string) string {
	f, err := elf.Open(binary)
	if err != nil {
		return ""
	}
	defer f.Close()
	section := f.Section(".note.go.buildid")
	if section == nil {
		return ""
	}
	data, err := section.Data()
	const header = 16 // three lengths and the name, "Go"
	if err != nil || len(data) < header {
		return ""
	}
	id := strings.TrimRight(string(data[header:]), "\x00")
	if parts := strings.Split(id, "/"); len(parts) != 4 || len(parts[0]) < 20 || len(parts[3]) < 20 {
		return ""
	}
	return id
}
