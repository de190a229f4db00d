// Package sample owns how far a campaign is at one moment: a line of stats.jsonl, and the Status that is shown. The campaign takes samples;
// the page, the status and `parallax bench` read them. The counts of domains follow feature.Table, so that a new domain has its column without a line here.
//
// Invariant: keys of a line keep their names and their order; what a later parallax adds is passed over by an earlier one.
package sample

import "encoding/json"

// Sample is a campaign at one moment of its folder's life.
type Sample struct {
	Elapsed    float64   `json:"elapsed_seconds"` // of fuzzing
	CPU        float64   `json:"cpu_seconds"`     // of the fuzzing workers
	Inputs     uint64    `json:"inputs"`
	Executions uint64    `json:"executions"`
	Corpus     int       `json:"corpus"`   // inputs
	Diversity  Diversity `json:"@domains"` // each a member of the line
	Unique     int       `json:"unique_discrepancies"`
	Discrepant uint64    `json:"discrepant_inputs"`
	Buckets    int       `json:"buckets"`
	Covered    []int     `json:"covered"` // blocks, by program
	Restarts   uint64    `json:"restarts"`

	*Change // nil: none is known

	Behavior *Behavior `json:"behaviour,omitempty"` // of all programs together; nil: no blocks are known

	InputBytes uint64 `json:"input_bytes,omitempty"`    // of all inputs
	Entered    uint64 `json:"blocks_entered,omitempty"` // by the programs on all inputs, repetitions counted
}

// Change is what was executed of a change by then.
type Change struct {
	Points   int       `json:"change_points"`
	Blocks   int       `json:"change_blocks"` // that hold a part of it
	Impacted int       `json:"impacted_blocks"`
	Reached  []Reached `json:"reached,omitempty"` // since the line before, in order
}

// Reached is a block with a change that was executed for the first time.
type Reached struct {
	Block    int     `json:"block"` // its number among the blocks with a change
	Location string  `json:"location"`
	Inputs   uint64  `json:"inputs"` // before that one
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
