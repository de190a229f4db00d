package check

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/model/confirm"
	"parallax/cmd/internal/model/scope"
	"parallax/internal/atomicfile"
)

// notes holds what confirming adds to findings, by call. A later run does not confirm findings
// again, so a file keeps the notes.
type notes struct {
	file string
	by   map[string]finding.Note
}

// readNotes reads the notes in a folder. A file that cannot be read has none: the findings count
// without their notes.
func readNotes(dir string) *notes {
	n := &notes{file: filepath.Join(dir, state.NotesFile), by: map[string]finding.Note{}}
	if data, err := os.ReadFile(n.file); err != nil || json.Unmarshal(data, &n.by) != nil {
		n.by = map[string]finding.Note{}
	}
	return n
}

// add keeps a note on a finding, unless it is empty.
func (n *notes) add(call string, note finding.Note) error {
	if note == (finding.Note{}) || n.by[call] == note {
		return nil
	}
	n.by[call] = note
	data, err := json.MarshalIndent(n.by, "", "\t")
	if err != nil {
		return err
	}
	return atomicfile.Write(atomicfile.OS, n.file, append(data, '\n'))
}

// note returns what a verdict and the path of its call say of a finding.
func note(p *scope.Path, v *confirm.Verdict) finding.Note {
	var parts []string
	n := finding.Note{Suspect: p != nil && p.Suspect}
	if n.Suspect {
		parts = append(parts, p.Why)
	}
	if v.Remark != "" {
		parts = append(parts, v.Remark)
	}
	n.Remark = strings.Join(parts, "; ")
	return n
}
