package report

import (
	"fmt"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/finding/regress"
)

// Change counts how many change points, and how many of the blocks that they reach, were executed.
type Change struct {
	Points          int `json:"points"`
	Covered         int `json:"covered"`
	Impacted        int `json:"impacted"`
	ImpactedCovered int `json:"impacted_covered"`
	NotJudged       int `json:"not_judged,omitempty"` // of Covered, those with Reached.NotJudged

	Harnesses  []Harness    `json:"harnesses,omitempty"`   // all that are fuzzed for the change
	Reached    []Reached    `json:"reached,omitempty"`     // change points that were executed
	NotReached []NotReached `json:"not_reached,omitempty"` // and those that were not
	Functions  []Changed    `json:"functions,omitempty"`   // that hold change points

	Calls   int          `json:"calls,omitempty"`    // calls of the harness whose results are compared
	LeftOut []Unrepeated `json:"left_out,omitempty"` // calls that are not compared

	Blocks        int `json:"blocks"` // that hold change points
	BlocksCovered int `json:"blocks_covered"`
}

// Covered returns how many change points were executed. The summary may be nil.
func (s *Summary) Covered() int {
	if s == nil || s.Change == nil {
		return 0
	}
	return s.Change.Covered
}

// Dropped lists the places of the executed change points that were not judged, one for each.
func (c *Change) Dropped() (places []string) {
	for _, r := range c.Reached {
		if r.NotJudged {
			places = append(places, r.Location)
		}
	}
	return places
}

// Unrepeated is a call whose results differ from run to run.
type Unrepeated struct {
	Call     string   `json:"call"`     // with its file and line
	Programs []string `json:"programs"` // the versions in which they differ
}

// Harness is a test that is fuzzed for a change.
type Harness struct {
	Name    string `json:"name"`
	Budget  string `json:"budget,omitempty"` // its part, as --fuzztime takes it; none where there is no limit
	Reaches int    `json:"reaches"`          // change points, by the call graph
}

// Changed is a function that holds change points.
type Changed struct {
	Name     string   `json:"name"`     // without its package
	Location string   `json:"location"` // of its first change point
	Kinds    []string `json:"kinds"`    // of its change points
}

// Reached is a change point that was executed.
type Reached struct {
	Location string `json:"location"`
	Inputs   int    `json:"inputs"`          // of the corpus and of findings, that execute it
	Paths    int    `json:"paths"`           // distinct sets of blocks that these execute
	Start    bool   `json:"start,omitempty"` // it was executed before the first input, and not later

	NotJudged bool `json:"not_judged,omitempty"` // the target drops the results of all calls that reach it
}

// NotReached is a change point that was not.
type NotReached struct {
	Location string         `json:"location"`
	Nearest  string         `json:"nearest,omitempty"`  // the nearest block that was executed and from which it can be reached
	Distance int            `json:"distance,omitempty"` // in blocks from Nearest; a call counts as impact.CallDistance
	Reason   regress.Reason `json:"reason,omitempty"`
}

// why is the reason for people.
func (n *NotReached) why() string {
	switch text := n.Reason.Text(); {
	case n.Nearest != "" && n.Distance > 0:
		return fmt.Sprintf("executed nearest to it: %s, distance %d", escape.Text(n.Nearest), n.Distance)
	case n.Nearest != "":
		return "executed nearest to it: " + escape.Text(n.Nearest)
	case text != "":
		return text
	}
	return "nothing near it was executed"
}

// Why is the reason for people, in a table that has a column for Nearest.
func (n *NotReached) Why() string {
	if n.Nearest != "" {
		return ""
	}
	return n.Reason.Text()
}
