package finding

import (
	"cmp"
	"maps"
	"slices"

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

// Together returns how many change points of one change several targets execute together, and the
// places that no target executes. It sets the fields Points, Covered, NotJudged, Reached and
// NotReached, without numbers of inputs. It returns nil if fewer than two targets know of a change,
// or if their change points differ.
//
// Targets name change points by their places. If a place has several points, Together counts the
// most that one target executed.
func Together(list []*Summary) *Change {
	type place struct {
		covered, start int // start: of covered
		judged         int // of covered
		not            NotReached
	}
	places := map[string]*place{}
	var points map[string]int // by place
	var order []string
	known := 0
	for _, s := range list {
		if s == nil || s.Change == nil || s.Change.Points == 0 {
			continue
		}
		own, count := map[string]*place{}, map[string]int{}
		at := func(location string) *place {
			if own[location] == nil {
				own[location] = &place{}
			}
			count[location]++
			return own[location]
		}
		for _, r := range s.Change.Reached {
			p := at(r.Location)
			p.covered++
			if !r.NotJudged {
				p.judged++
			}
			if r.Start {
				p.start++
			}
		}
		for _, n := range s.Change.NotReached {
			p := at(n.Location)
			p.not = nearer(p.not, n)
		}
		if known++; known == 1 {
			places, points, order = own, count, slices.Sorted(maps.Keys(own))
			continue
		}
		if !maps.Equal(points, count) {
			return nil
		}
		for location, p := range own {
			all := places[location]
			if p.covered > all.covered || p.covered == all.covered && p.start < all.start {
				all.covered, all.start = p.covered, p.start
			}
			all.judged = max(all.judged, p.judged)
			all.not = nearer(all.not, p.not)
		}
	}
	if known < 2 {
		return nil
	}
	c := &Change{}
	for _, location := range order {
		p := places[location]
		c.Points += points[location]
		c.Covered, c.NotJudged = c.Covered+p.covered, c.NotJudged+p.covered-p.judged
		for i := range p.covered {
			c.Reached = append(c.Reached, Reached{Location: location, Start: i < p.start, NotJudged: i >= p.judged})
		}
		for range points[location] - p.covered {
			c.NotReached = append(c.NotReached, p.not)
		}
	}
	slices.SortStableFunc(c.NotReached, func(a, b NotReached) int { // those that an input came near to are first
		return cmp.Compare(min(1, len(b.Nearest)), min(1, len(a.Nearest)))
	})
	return c
}

// nearer returns the result of the target that came nearer to a place. The zero NotReached knows
// nothing.
func nearer(a, b NotReached) NotReached {
	rank := func(n *NotReached) int {
		if n.Nearest != "" {
			return -1
		}
		at := slices.Index(regress.Reasons, n.Reason)
		if at < 0 {
			at = len(regress.Reasons)
		}
		return at
	}
	switch {
	case a.Location == "":
		return b
	case b.Location == "":
		return a
	case cmp.Or(cmp.Compare(rank(&a), rank(&b)), cmp.Compare(a.Distance, b.Distance)) > 0:
		return b
	}
	return a
}
