package schedule

import (
	"fmt"

	"parallax/internal/adapt"
	"parallax/internal/impact"
)

// Row describes a schedule of the table.
type Row struct {
	Name  string // value of --schedule
	Text  string // half a line for help
	Needs Needs
	New   func(Environment) Schedule // returns a schedule without seeds
}

// Needs lists the information that a schedule needs besides the executed blocks.
type Needs uint8

// Information that a schedule may need.
const (
	Clock  Needs = 1 << iota // Seed.Nanos and Environment.Now: campaigns do not repeat exactly
	Sets                     // feature.Trace.Set of all inputs, which is otherwise left out for a single program
	Yields                   // Environment.Arms, with the results of inputs
	Impact                   // Environment.Impact: a change must be known
)

// Environment describes the campaign to a new schedule.
type Environment struct {
	Programs int
	Blocks   int // counters of one program
	// Weights holds the importance of each program's blocks, 0 to 1, such as their nearness to a
	// change. Nil means that all are equal.
	Weights [][]float64
	Domains []string    // names of the guiding domains
	Arms    *adapt.Arms // arms of the schedule; it adds its own; nil unless it needs Yields
	// Impact describes a change of one of the programs. Nil means that none is known.
	Impact *impact.Index
	Budget Budget
	// HandsOver has schedule zest hand the blocks of inputs that are not kept to their parents.
	// ValidOnly has it count the blocks of accepted inputs only. See responsibilities.
	HandsOver, ValidOnly bool
	// Now is the clock, in nanoseconds. It is nil unless the schedule needs the Clock.
	Now func() int64
}

// Budget limits the run of a worker's process. Zero means unknown.
type Budget struct {
	Nanos  uint64
	Inputs uint64
}

// Table lists all schedules in display order.
var Table = []*Row{
	&uniformRow,
	&stratifiedRow,
	&adaptiveRow,
	&cheapRow,
	&rarityRow,
	&zestRow,
	&aflRow,
	&aflNoClockRow,
	&sediffRow,
	&sediffNFRow,
	&checkedRow,
	&exploreRow,
	&exploitRow,
	&coeRow,
	&fastRow,
	&linRow,
	&quadRow,
	&fastNoClockRow,
	&aflgoRow,
	&aflgoNoClockRow,
	&churnRow,
	&deltaRow,
	&deltaVisitsRow,
	&delta05Row,
	&delta5Row,
	&delta10Row,
	&pointsRow,
}

// Names returns the schedules for a campaign with or without a known change.
func Names(changed bool) []string {
	var names []string
	for _, r := range Table {
		if changed || r.Needs&Impact == 0 {
			names = append(names, r.Name)
		}
	}
	return names
}

// UnknownError reports an unknown schedule. Callers that know the campaign add the valid names.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string { return fmt.Sprintf("unknown schedule %q", e.Name) }

// Find returns the row with a name. Empty means uniform.
func Find(name string) (*Row, error) {
	if name == "" {
		return &uniformRow, nil
	}
	for _, r := range Table {
		if r.Name == name {
			return r, nil
		}
	}
	return nil, &UnknownError{Name: name}
}
