// Package sample owns the state of a campaign at one moment: a line of stats.jsonl, and the Status
// that is shown. The campaign takes samples; the page, the status and `parallax bench` read them.
// The counts of domains follow feature.Table, so a new domain needs no code here.
//
// Invariant: keys of a line keep their names and their order. An earlier parallax ignores new keys.
package sample

import "encoding/json"

// Sample is the state of a campaign at one moment.
type Sample struct {
	Elapsed    float64   `json:"elapsed_seconds"` // of fuzzing
	CPU        float64   `json:"cpu_seconds"`     // of the fuzzing workers
	Inputs     uint64    `json:"inputs"`
	Executions uint64    `json:"executions"`
	Corpus     int       `json:"corpus"`   // inputs
	Diversity  Diversity `json:"@domains"` // its members are members of the line
	Unique     int       `json:"unique_discrepancies"`
	Discrepant uint64    `json:"discrepant_inputs"`
	Buckets    int       `json:"buckets"`
	Covered    []int     `json:"covered"` // blocks, by program
	Restarts   uint64    `json:"restarts"`

	*Change // nil if no change is known

	Behavior *Behavior `json:"behaviour,omitempty"` // of all programs together; missing if no blocks are known

	InputBytes uint64 `json:"input_bytes,omitempty"`    // of all inputs
	Entered    uint64 `json:"blocks_entered,omitempty"` // blocks that the programs entered on all inputs, with repetitions
}

// Change holds the executed part of a change.
type Change struct {
	Points   int       `json:"change_points"`
	Blocks   int       `json:"change_blocks"` // that hold a part of the change
	Impacted int       `json:"impacted_blocks"`
	Reached  []Reached `json:"reached,omitempty"` // since the previous line, in order
}

// Reached is a changed block that was executed for the first time.
type Reached struct {
	Block    int     `json:"block"` // its number among the changed blocks
	Location string  `json:"location"`
	Inputs   uint64  `json:"inputs"` // run before it
	CPU      float64 `json:"cpu_seconds"`
}

type plain Sample

// MarshalJSON writes a line.
func (s Sample) MarshalJSON() ([]byte, error) {
	data, err := json.Marshal(plain(s))
	return Inline(data), err
}

// UnmarshalJSON reads a line.
func (s *Sample) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, (*plain)(s)); err != nil {
		return err
	}
	var err error
	s.Diversity, err = CollectDiversity(data)
	return err
}
