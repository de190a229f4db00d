// Package record reads what is kept of a function's model between the processes of a campaign: the extraction, as an engine's adapter answered.
package record

import (
	"encoding/json"
	"fmt"
	"os"

	"parallax/cmd/internal/extract"
	"parallax/internal/atomicfile"
)

// Read reads an extraction.
func Read(path string) (*extract.Answer, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	a := &extract.Answer{}
	if err := json.Unmarshal(data, a); err != nil {
		return nil, fmt.Errorf("%s is no extraction: %w", path, err)
	}
	if a.Function == "" || a.Result == nil {
		return nil, fmt.Errorf("%s is no extraction: it names no function, or no result of it", path)
	}
	return a, nil
}

// Write writes an extraction, without the time that it took.
func Write(path string, a *extract.Answer) error {
	kept := *a
	kept.ID, kept.Seconds, kept.CPU = 0, 0, 0
	data, err := json.MarshalIndent(kept, "", "\t")
	if err != nil {
		return err
	}
	return atomicfile.Write(atomicfile.OS, path, append(data, '\n'))
}
