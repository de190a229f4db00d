// Package policy is what a campaign's options say to the engine: pure data. The command line fills a Policy in, the campaign's options
// embed it, the supervisor sends it to its workers as it is, and the engine's configuration embeds it there. So an option is a field
// here, with a tag if campaign.json keeps it, and a flag in cmd/parallax.
//
// The encoding follows the fields (wire.AppendStruct), so that a field needs no line in it. Worker and supervisor are of one build.
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

// Policy is how an engine works. A field with the tag stored is an option of campaign.json under that key, unless it is zero.
type Policy struct {
	Guidance  []string      // domains that make an input worth keeping, see feature.Parse
	Reference string        `stored:"reference"` // the program that guidance reference compares with; "": the first
	PoolSize  int           `stored:"free"`      // new features that each domain keeps before it becomes choosy; 0: feature.DefaultPool
	Schedule  string        // which seed is mutated next, see schedule.Find
	Mutators  string        // set of mutation operators, see mutate.Config
	Layers    oracle.Layers // in which observations are compared
	MaxBytes  int           // that an argument may have
	MaxTape   int           // that an encoded tape may have, if that is more
	Seed      uint64        // of randomness
	NoTrim    bool          // inputs of a single program are kept as they are found
	Without   string        `stored:"without"`        // Parts that are left out, with commas between
	Ordered   bool          `stored:"ordered_traces"` // traces are told apart by the order of first executions, too
	Grammar   string        `stored:"grammar"`        // its text, of which inputs are made (package grammar); "": they are not
}

// Parts are what our own search of a generator's inputs is made of, beside mutating choices and parts of one input. Each can be left out, so that what it is
// good for can be measured.
var Parts = []string{Fresh, Invalid, Operands, Shortest, Splice}

// The parts.
const (
	Fresh    = "fresh"    // some inputs are drawn from nothing
	Invalid  = "invalid"  // how often inputs that no program accepts are mutated follows from what that yields
	Operands = "operands" // what the programs compare is written into values
	Shortest = "shortest" // a much shorter input is kept for the blocks that it executes
	Splice   = "splice"   // parts come from other inputs
)

// Has reports whether a part is not left out.
func (p *Policy) Has(part string) bool { return !slices.Contains(strings.Split(p.Without, ","), part) }

// Stored are the options that campaign.json keeps.
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

// Setup is what a worker is told before it fuzzes: the policy, and what the campaign knows.
type Setup struct {
	Policy
	Stream           uint64        // of random numbers; differs between the processes of a campaign
	Changed          bool          // the programs are not those that the corpus was kept with
	DeterminedDeaths int           // processes that determined inputs (source.Step) have ended
	Deadly           [][]byte      // inputs that ended processes
	Dict             [][]byte      // tokens
	Marks            uint64        // inputs from one mark (wire.EventMark) to the next, 0 for none
	Marked           uint64        // inputs that earlier processes have counted since the last mark
	Impact           impact.Impact // what is known of a change of one of the programs
}

// Append encodes the message.
func (s *Setup) Append(b []byte) []byte { return wire.AppendStruct(b, s) }

// Read decodes the message.
func (s *Setup) Read(r *wire.Reader) error {
	wire.ReadStruct(r, s)
	return r.Err()
}
