package schedule

import (
	"fmt"

	"parallax/internal/adapt"
	"parallax/internal/impact"
)

// Row is a schedule of the table.
type Row struct {
	Name  string // what --schedule takes
	Text  string // half a line for help
	Needs Needs
	New   func(Environment) Schedule // without seeds
}

// Needs is what a schedule wants to know beyond the blocks that inputs execute.
type Needs uint8

// What must be known.
const (
	Clock  Needs = 1 << iota // Seed.Nanos and Environment.Now: campaigns do not repeat exactly
	Sets                     // feature.Trace.Set of all inputs, which is left out for a single program otherwise
	Yields                   // Environment.Arms, which are told what inputs showed
	Impact                   // Environment.Impact: there must be a change that is known
)

// Environment is what a schedule may know of the campaign when it is created.
type Environment struct {
	Programs int
	Blocks   int // counters a program can hit
	// Weights says how much each block of each program matters, 0 to 1: to be near to a change, for example. Nil: all matter alike.
	Weights [][]float64
	Domains []string    // that guide, by their names
	Arms    *adapt.Arms // of the schedule, without any: it adds its own. Nil unless the schedule needs Yields
	// Impact is what is known of a change of one of the programs; nil: of none.
	Impact *impact.Index
	// Now is the clock, in nanoseconds; nil unless the schedule needs the Clock.
	Now func() int64
}

// Table is all schedules, in the order in which they are listed.
var Table = []*Row{
	&uniformRow,
	&stratifiedRow,
	&adaptiveRow,
	&cheapRow,
	&rarityRow,
	&zestRow,
	&aflRow,
	&aflNoClockRow,
	&aflCulledRow,
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

// Names lists the schedules that a campaign can have in which a change is known, or none.
func Names(changed bool) []string {
	var names []string
	for _, r := range Table {
		if changed || r.Needs&Impact == 0 {
			names = append(names, r.Name)
		}
	}
	return names
}

// UnknownError is the error for a name that no schedule has. The names that may be chosen instead are for whoever knows of the campaign to add.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string { return fmt.Sprintf("unknown schedule %q", e.Name) }

// Find returns the row of a name or alias. No name is uniform.
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
