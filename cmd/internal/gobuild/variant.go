package gobuild

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A variant is compiled from the same files as the worker, by the same toolchain, with other flags
// for the instrumented packages. So a variant made with a worker of the same build ID and the same
// flags equals the go command's result. The go command, which checks each package again and takes
// at least a tenth of a second, is skipped then. A note next to the variant names its worker.

// workerFile is the name of the worker, below Out.
const workerFile = "worker"

func variantNote(binary string) string { return binary + ".note" }

// current reports whether a variant exists that equals the result of these arguments. It is unknown
// before the worker is built.
func (p *Plan) current(binary string, args []string) bool {
	if p.built.IsZero() {
		return false
	}
	noted, err := os.ReadFile(variantNote(binary))
	return err == nil && string(noted) == p.variantIdentity(binary, args) && len(noted) > 0
}

// fileTimeRounding exceeds the rounding of file times in today's file systems.
const fileTimeRounding = 20 * time.Millisecond

// noteVariant records the sources of a variant, unless a file was edited since the worker was
// built.
func (p *Plan) noteVariant(binary string, args []string) {
	if p.built.IsZero() || p.editedSince(p.built.Add(-fileTimeRounding)) {
		return
	}
	if made := p.variantIdentity(binary, args); made != "" {
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

// variantIdentity identifies the worker, the variant and its arguments. It is empty if one of the
// binaries has no build ID.
func (p *Plan) variantIdentity(binary string, args []string) string {
	worker, variant := buildID(filepath.Join(p.root.Out, workerFile)), buildID(binary)
	info, err := os.Stat(binary)
	if worker == "" || variant == "" || err != nil {
		return ""
	}
	return fmt.Sprintf("%s\n%s %d\n%q\n", worker, variant, info.Size(), args)
}

// buildID returns the go command's build ID of a binary: hashes of its inputs and of its content.
// It is empty if there is none, or one of the user's by -ldflags=-buildid.
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
