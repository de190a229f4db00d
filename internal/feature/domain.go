// Package feature decides which inputs are worth keeping. It has features, the domains they belong
// to, and each domain's set of seen features. The engine passes it every input's traces and
// observations. It returns the domains with new features. It also reads the counters of
// instrumented programs.
//
// A feature is a 64-bit hash of one property of an input's run. A domain is a kind of feature: how
// features are computed and when a new one keeps an input. Table has one row per domain, and a file
// per domain computes its features. The engine, the worker's events, the campaign folder, the
// status, the summary and the reports all use the table. So a new domain is a row and a file.
//
// Joint domains are NEZHA's delta-diversity (Petsios et al., S&P 2017, section III-A): the tuple of
// path cardinalities (coarse), of path sets (fine) and of outputs. Paths are counted in blocks. Two
// runs with the same blocks can differ only in loops without a statement after them, since the
// instrumented graph has no other critical edges. So block sets and edge sets distinguish runs
// alike.
//
// Invariant: with two programs and more, a domain with Always is measured on every input, whether
// or not it guides. So diversity can be compared between guidances.
package feature

import "parallax/internal/oracle"

// Joint holds one input's results in all programs.
type Joint struct {
	Traces []Trace
	Obs    []oracle.Observation
	// Cells holds, per program without blocks, the cells of its output (AppendCells), the structure
	// first. It may be empty, for one program or for all.
	Cells [][]uint16
	// OutputDiff hashes how the outputs of such programs differ. Zero means that they do not, or
	// that it is unknown.
	OutputDiff uint64
	// Validity is the input's validity. Unique reports whether no earlier input had its trace of
	// all programs together. The engine sets both before it measures domains. An input that fails
	// has no unique trace, and neither has an input of programs without blocks.
	Validity oracle.Validity
	Unique   bool
}

// Domain is a kind of novelty: a row of Table.
type Domain struct {
	// Name is the value of --guidance, and appears in the provenance of inputs.
	Name string
	// Text describes the domain's novelty in half a line, for help.
	Text string
	// Number identifies the domain in events and in tuples.log, from 0 to 255. It never changes its
	// meaning. Unstored means that features are not announced, and that each process measures them
	// again from the corpus.
	Number int
	// Key is the domain's name in JSON and in the status. Empty means that these do not show it.
	Key string
	// Plural names its features in the status, such as "coarse paths".
	Plural string
	// Counts describes the counted features in reports.
	Counts string
	// Programs is the least number of programs that the domain can guide. Zero means 1.
	Programs int
	// Always is the least number of programs at which the domain is measured even if it does not
	// guide. Zero means that it is measured only if it guides.
	Always int
	// Bounded reports that the programs bound the number of features, as their blocks do. Then
	// every new feature keeps an input. For other domains a Pool decides.
	Bounded bool
	// Blockless reports that the domain is for programs without blocks. It guides no other
	// campaign.
	Blockless bool
	// Changed reports that the domain is for a known change of a program. It guides no other
	// campaign.
	Changed bool
	// CellOwners reports that the features are cells (Joint.Cells). A much smaller input then takes
	// a cell from its owner: see engine/cellowners.go.
	CellOwners bool
	// Needs lists what must be recorded of the programs' runs.
	Needs Needs
	// Measure returns the function that computes an input's features. It is nil for rows with a
	// field below.
	Measure func(Setting) Measure

	// Blocks marks the domains whose novelty is the coverage map: new blocks and hit-count buckets,
	// or blocks alone. The engine keeps that map.
	Blocks bool
	// Oracle marks the domain of discrepancies. It is measured where observations are compared, and
	// does not guide.
	Oracle bool
	// KeepsOnlySeeds marks the guidance in which nothing is new. It cannot be combined with others.
	KeepsOnlySeeds bool
	// Adapts marks the guidance that keeps less for domains that recently yielded little: see
	// Novelty.KeepFraction.
	Adapts bool
	// Union lists the guidances that this one combines, by name.
	Union []string
	// Search describes the guidance's search of a generator's or grammar's inputs. Such a guidance
	// guides no other campaign. Nil means the usual search.
	Search *Search
}

// Search describes a published search of a generator's inputs, besides the domains that define its
// novelty. The engine chooses its source of inputs by the guidance's name (engine/compose.go).
type Search struct {
	Schedule   string // default schedule
	Accepted   bool   // keep only inputs that a program accepts
	Structures bool   // and only one per structural signature (tape.Tape.Structure)
	Guides     bool   // the generator asks for its choices while it draws, so that it must be in the engine's process
}

// Unstored is the number of domains whose features are not announced.
const Unstored = -1

// Needs lists what a domain reads besides the executed blocks, their counts and the observations.
type Needs uint8

// Records that a domain may need.
const (
	Order Needs = 1 << iota // Trace.Order and Trace.First: the programs are built to record the order of first executions
	Sets                    // Trace.Set, which is otherwise left out for a single program
)

// Setting describes the campaign to a domain.
type Setting struct {
	Programs  int
	Blocks    int // counters of one program
	Reference int // program that the others are compared with
	// Segments appends a feature for each impacted segment of an input's paths. Nil means that no
	// change is known.
	Segments func(traces []Trace, out []uint64) []uint64
	// Layers are the layers in which observations are compared.
	Layers oracle.Layers
	// Costs reports that the costs of the first two programs are compared.
	Costs bool
}

// Measure appends the features of an input to out. Features are well-mixed hashes. It is called for
// every input and allocates only room in out.
type Measure func(j *Joint, out []uint64) []uint64

// Guides reports whether --guidance accepts the domain.
func (d *Domain) Guides() bool { return !d.Oracle }

// Fits reports whether the domain can guide a campaign of so many programs.
func (d *Domain) Fits(programs int) bool { return programs >= d.Programs }

// Measured reports whether a campaign of so many programs measures the domain.
func (d *Domain) Measured(programs int, guides bool) bool {
	return (guides || d.Always > 0 && programs >= d.Always) && d.Fits(programs)
}

// tuple returns the measure of a domain with one feature per input: the hash of a tuple with one
// entry per program.
func tuple(hash func(*Joint) uint64) func(Setting) Measure {
	return func(Setting) Measure {
		return func(j *Joint, out []uint64) []uint64 { return append(out, hash(j)) }
	}
}
