// Package policy holds the options of a campaign that reach the engine, as pure data. The command
// line fills a Policy, the campaign's options embed it, the supervisor sends it to its workers, and
// the engine's configuration embeds it there. So a new option needs a field here and a flag in
// cmd/parallax, and a tag if campaign.json keeps it.
//
// The encoding follows the fields (wire.AppendStruct), so that a field needs no code for it. Worker
// and supervisor are always of one build.
package policy

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"parallax/internal/impact"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Policy configures an engine. A field with the tag stored is an option of campaign.json under that
// key, unless it is zero.
type Policy struct {
	Guidance  []string      // domains whose new features keep an input, see feature.Parse
	Reference string        `stored:"reference"` // program that guidance reference compares with; empty means the first
	PoolSize  int           `stored:"pool_size"` // features that a domain keeps unconditionally; zero means feature.DefaultPool, feature.Unbounded all
	Schedule  string        // choice of the next seed, see schedule.Find
	Mutators  string        // set of mutation operators, see mutate.Config
	Layers    oracle.Layers // layers in which observations are compared
	MaxBytes  int           // largest argument
	MaxTape   int           // largest encoded tape, if larger than MaxBytes
	Seed      uint64        // random seed
	NoTrim    bool          // inputs of a single program are not trimmed
	Without   string        `stored:"without"`        // Parts to leave out, separated by commas
	Published string        `stored:"published"`      // Details of BeDivFuzz's public code to follow, separated by commas
	Ordered   bool          `stored:"ordered_traces"` // the order of first executions also distinguishes traces
	Grammar   string        `stored:"grammar"`        // text of the grammar that makes inputs (package grammar); empty means none
}

// Parts lists the parts of the search for a generator's inputs that can be left out, to measure
// their effect. The search always mutates choices and parts of one input.
var Parts = []string{Fresh, Invalid, Operands, Shortest, Splice}

// The parts of the search.
const (
	Fresh    = "fresh"    // draw some inputs from nothing
	Invalid  = "invalid"  // mutate invalid inputs as often as their yield suggests
	Operands = "operands" // write compared operands into values
	Shortest = "shortest" // keep a much shorter input for the blocks that it executes
	Splice   = "splice"   // copy parts from other inputs
)

// Has reports whether a part is included.
func (p *Policy) Has(part string) bool { return !slices.Contains(strings.Split(p.Without, ","), part) }

// Details lists what BeDivFuzz's public code does in another way than the paper, for comparisons.
var Details = []string{ValidCoverage, Responsibilities}

// The details of BeDivFuzz's public code (hub-se/BeDivFuzz at cf455a3).
const (
	// ValidCoverage counts blocks and hit counts of accepted inputs only (jqf.ei.SAVE_ONLY_VALID).
	// In the paper, an input that is rejected counts too (Algorithm 1, line 18).
	ValidCoverage = "valid-coverage"
	// Responsibilities hands the new blocks of an input that is not kept to its parent, which
	// becomes favored (BeDivGuidance.java, handleResult).
	Responsibilities = "responsibilities"
)

// Follows reports whether the search follows a detail of the public code.
func (p *Policy) Follows(detail string) bool {
	return slices.Contains(strings.Split(p.Published, ","), detail)
}

// Stored returns the options that campaign.json keeps.
func (p *Policy) Stored() map[string]string {
	m := map[string]string{}
	v := reflect.ValueOf(p).Elem()
	for i := 0; i < v.NumField(); i++ {
		if key := v.Type().Field(i).Tag.Get("stored"); key != "" && !v.Field(i).IsZero() {
			m[key] = fmt.Sprint(v.Field(i))
		}
	}
	return m
}

// Setup holds the policy and the campaign's knowledge, which a worker receives before it fuzzes.
type Setup struct {
	Policy
	Stream           uint64        // random stream; differs between the processes of a campaign
	Changed          bool          // the programs differ from those that the corpus was collected with
	DeterminedDeaths int           // processes ended by determined inputs (source.Step)
	Deadly           [][]byte      // inputs that ended processes
	Dict             [][]byte      // tokens
	Marks            uint64        // inputs between two marks (wire.EventMark); zero means no marks
	Marked           uint64        // inputs of earlier processes since the last mark
	Impact           impact.Impact // change of one of the programs
	Shows            bool          // kept inputs are reported with their features (engine.InputSink)
	ShowsReplayed    bool          // and so are those of earlier processes
	BudgetNanos      uint64        // time of the run; zero means unknown
	BudgetInputs     uint64        // inputs of the run for this worker; zero means unknown
}

// Append encodes the message.
func (s *Setup) Append(b []byte) []byte { return wire.AppendStruct(b, s) }

// Read decodes the message.
func (s *Setup) Read(r *wire.Reader) error {
	wire.ReadStruct(r, s)
	return r.Err()
}
