package state

import (
	"encoding/json"
	"fmt"
)

// Clock is the time that a campaign has taken over its folder's whole life. It has its own file,
// clock.json: times differ between runs of one campaign, while coverage.bin repeats.
type Clock struct {
	ElapsedMS uint64 `json:"elapsed_ms"` // of fuzzing, without building
	CPUMS     uint64 `json:"cpu_ms"`     // of the fuzzing workers
}

// ClockFile is the content of clock.json.
type ClockFile struct {
	Version int `json:"version"`
	Clock
}

// ClockVersion is the format of clock.json.
const ClockVersion = 1

func (c Clock) encode() []byte {
	data, err := json.Marshal(ClockFile{ClockVersion, c})
	if err != nil {
		panic(err) // integers always marshal
	}
	return append(data, '\n')
}

// loadClock reads the clock. A missing file means zero.
func (f *Folder) loadClock(s *Snapshot, problems []string) ([]string, error) {
	s.Clock = Clock{}
	data, err := f.read(f.path(clockFile))
	if err != nil || data == nil {
		return problems, err
	}
	clock, err := parseClock(data)
	if err != nil {
		return append(problems, f.keepBroken(clockFile, err, "the time starts at zero")), nil
	}
	s.Clock = clock
	return problems, nil
}

// parseClock reads clock.json and skips unknown keys.
func parseClock(data []byte) (Clock, error) {
	var c ClockFile
	if err := json.Unmarshal(data, &c); err != nil {
		return Clock{}, err
	}
	if c.Version < 1 || c.Version > ClockVersion {
		return Clock{}, fmt.Errorf("format %d, this parallax reads %d", c.Version, ClockVersion)
	}
	return c.Clock, nil
}
