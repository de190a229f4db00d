// Package feature owns what makes an input worth keeping: features, the domains they belong to, and the novelty
// set of each. The engine shows it every input's traces and observations; it answers which domains found something
// new. It also reads the counters that instrumented programs leave behind.
//
// Domains are a table with one row each (table.go), and a file each that says how features are computed. The engine, the worker's
// events, the campaign's folder, the status, the summary and the reports go through the table, so that a new domain is a row and a
// file.
//
// Joint domains are NEZHA's delta-diversity (Petsios et al., S&P 2017, section III-A): the tuple of path
// cardinalities (coarse), of path sets (fine) and of outputs. A path is counted in blocks here: the instrumented
// graph has no critical edge that two runs could take with the same blocks but for loops without a statement after
// them, so that block sets and edge sets tell runs apart alike.
//
// Invariant: with two programs and more, a domain that has Always is measured on every input, whether it guides or not, so that
// diversity can be compared between guidances.
package feature

import "parallax/internal/oracle"

// Joint is what one input did in all programs.
type Joint struct {
	Traces []Trace
	Obs    []oracle.Observation
	// Cells are those that a program of which no blocks are known shows by what it said (AppendCells), the structure first. There may
	// be none of a program, and of all.
	Cells [][]uint16
	// Apart is a hash of how the outputs of such programs differ, 0 if it is not known or they do not.
	Apart uint64
	// Validity is that of the input, and Unique says that its trace, of all programs together, was not seen before. The engine sets them
	// before it measures domains. An input that fails has no unique trace, nor has one of programs without blocks.
	Validity oracle.Validity
	Unique   bool
}

// Domain is a kind of novelty: a row of Table.
type Domain struct {
	// Name is what --guidance takes, and stands in the provenance of inputs.
	Name string
	// Text says in half a line what is new, for help.
	Text string
	// Number stands for the domain in events and in tuples.log, 0 to 255. It never changes its meaning. Unstored: the domain's
	// features are not announced, and measured anew from the corpus by each process.
	Number int
	// Key is the domain's name in JSON and in the status: "" for a domain that these do not show.
	Key string
	// Plural is what its features are called in the status, such as "coarse paths".
	Plural string
	// Counts says in reports what is counted.
	Counts string
	// Programs is how many programs a campaign must have for the domain to guide it; 0 is 1.
	Programs int
	// Always is how many programs a campaign must have for the domain to be measured even if it does not guide; 0: it is measured
	// only if it guides.
	Always int
	// Bounded says that the programs bound the number of features, as their blocks do: every new one is kept. A Pool decides
	// for domains that grow with the number of inputs.
	Bounded bool
	// Blockless says that the domain is of programs of which no blocks are known. It guides no campaign in which there is none.
	Blockless bool
	// Changed says that the domain is of a change that is known of a program. It guides no campaign in which there is none.
	Changed bool
	// Heirs says that the domain's features are cells (Joint.Cells), and that a much smaller input takes them over from the one that
	// was kept for them: see engine/heirs.go.
	Heirs bool
	// Needs is what must be recorded of the programs' runs.
	Needs Needs
	// Measure returns how the features of an input are computed; nil for the rows below.
	Measure func(Setting) Measure

	// Blocks marks the domain whose novelty is the coverage map: new blocks and hit-count buckets. The engine keeps that map.
	Blocks bool
	// Oracle marks the domain of discrepancies: it is measured where observations are compared, and does not guide.
	Oracle bool
	// Nothing marks the guidance by which nothing is new. It stands alone.
	Nothing bool
	// Adapts marks the guidance by which domains keep less that lately yielded little: see Novelty.Spare.
	Adapts bool
	// Union marks a guidance that stands for others, by their names.
	Union []string
	// Search is how a campaign of a generator or grammar goes under the guidance, beyond what is new. It guides no other campaign. Nil: as under any other.
	Search *Search
}

// Search is what a published way to search the inputs of a generator is, beside the domains by which it says what is new. Where its inputs come
// from is a source of inputs, which the engine chooses by the guidance's name (engine/compose.go).
type Search struct {
	Schedule   string // that it has unless the user wants another
	Accepted   bool   // only inputs that a program accepts are kept
	Structures bool   // and of these one for each structural signature (tape.Tape.Structure)
	Guides     bool   // the generator asks for its choices while it draws: it must be in the process of the engine
}

// Unstored is the number of domains whose features are not announced.
const Unstored = -1

// Needs is what a domain reads, beyond the blocks that were executed, their counts and the observations.
type Needs uint8

// What must be recorded.
const (
	Order Needs = 1 << iota // Trace.Order and Trace.First: the programs are built to record the order of first executions
	Sets                    // Trace.Set, which is left out for a single program otherwise
)

// Setting is what a domain may know of the campaign.
type Setting struct {
	Programs  int
	Blocks    int // counters a program can hit
	Reference int // the program that others are compared with
	// Segments appends a feature for each segment of an input's paths that a change impacts; nil: no change is known.
	Segments func(traces []Trace, out []uint64) []uint64
	// Layers are those in which observations are compared.
	Layers oracle.Layers
	// Costs says that what the first program costs is compared with what the second does.
	Costs bool
}

// Measure appends the features of an input, hashes that must be well mixed, to out. It is called for every input and allocates
// nothing but room in out.
type Measure func(j *Joint, out []uint64) []uint64

// Guides reports whether --guidance takes the domain.
func (d *Domain) Guides() bool { return !d.Oracle }

// Fits reports whether the domain can guide a campaign of so many programs.
func (d *Domain) Fits(programs int) bool { return programs >= d.Programs }

// Measured reports whether a campaign of so many programs measures the domain, which guides it or does not.
func (d *Domain) Measured(programs int, guides bool) bool {
	return (guides || d.Always > 0 && programs >= d.Always) && d.Fits(programs)
}

// tuple is the measure of a domain with one feature an input: the hash of a tuple with one entry a program.
func tuple(hash func(*Joint) uint64) func(Setting) Measure {
	return func(Setting) Measure {
		return func(j *Joint, out []uint64) []uint64 { return append(out, hash(j)) }
	}
}
