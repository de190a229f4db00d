package program

import (
	"context"
	"encoding/json"

	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/base/minimize"
	"parallax/cmd/internal/base/tomldoc"
)

// Kind is a kind of program, a row of the table in package kinds.
type Kind struct {
	Name string   // in parallax.toml, in JSON and in texts
	Keys []string // of [[program]], beside those of all kinds
	Mark string   // the key by which a [[program]] that names no kind is taken for one of this; "": none
	// Instead says what this kind has in the place of keys that only others have, where that helps.
	Instead map[string]string

	// Parse takes the keys of the kind out of a [[program]], and tells what is wrong with them. What is common to all kinds was read
	// before; the kind may change it.
	Parse func(t *tomldoc.Table, c *Common) Settings
	// Open opens a program, in the process that runs all programs in lockstep. settings is the JSON of a Prepared. ctx ends what runs.
	Open func(ctx context.Context, o Opening, settings json.RawMessage) (Executor, error)

	// Unsteady says what candidates that do not show again mostly mean where a program of this kind is among the target's; "": nothing special.
	Unsteady string
	// Folders are where what runs was built, for the sources that findings show; nil: it is not known.
	Folders func(path string) []string
}

// Table is the kinds, in the order of the documents.
type Table []Kind

// Find returns a kind, nil if there is none of that name.
func (t Table) Find(name string) *Kind {
	for i := range t {
		if t[i].Name == name {
			return &t[i]
		}
	}
	return nil
}

// Names are those of all kinds.
func (t Table) Names() []string {
	var names []string
	for i := range t {
		names = append(names, t[i].Name)
	}
	return names
}

// Common is what programs of all kinds have in parallax.toml.
type Common struct {
	Name   string
	Dir    string            // absolute; not given: the folder of the file
	Limits limits.Limits     // its own or those of [limits]
	Env    map[string]string // beside [environment]
}

// Settings are what parallax.toml says of a program, beside what is Common.
type Settings interface {
	// Runs is what it runs, for its name where the file gives none: a path, a function, an address.
	Runs() string
	// Traits are what is known of it before it runs.
	Traits() Traits
	// Prepare finds what runs, and says how. Its errors are the user's to put right.
	Prepare(c *Common, p *Preparation) (Prepared, error)
}

// Meaningful is implemented by settings that say how answers are read: what they change makes other findings of the same runs, and
// another campaign.
type Meaningful interface {
	// Meaning has a text for each thing that the settings say, empty for defaults.
	Meaning() map[string]string
}

// Traits are what running and triage need to know of a program.
type Traits struct {
	Processes       bool // it starts processes that may ask for the time
	NoCoverage      bool // it is not known where in the source what it executes stands
	CostlyInputs    bool // an input takes a process or a request: some ten milliseconds instead of one
	ProcessPerInput bool // it has a process for each input, or none that ends
	Typed           bool // its values have types, and are compared as such with values of the same types
	Lengths         bool // how many blocks a run executes is counted exactly, so that versions can be compared by it

	Layout *minimize.Layout // how an input is read, if it is no text; known once the program is prepared
}

// Preparation is what the target has for a program.
type Preparation struct {
	Tool  string   // the parallax executable, for sandboxes
	Dir   string   // where working folders are made
	Env   []string // all of the program's environment
	Order bool     // what makes inputs worth keeping needs the order in which blocks are first executed
	// Clocked: the campaign need not repeat, so that which inputs are looked at more closely may depend on the time that it takes.
	Clocked bool
	Note    func(notes string) // tells the user something

	// Own is a path for a file that processes of the target share, which ends with it; nil: there is none to be had.
	Own func(name string) string

	// Builds that are made when they are needed are made at once, and Say tells of it, unless they are to be made Beside the campaign: see
	// Unfinished. Ctx ends that.
	Beside bool
	Ctx    context.Context
	Say    func(string)
}

// Prepared is a program that can be opened. Its JSON is what Kind.Open gets.
type Prepared interface {
	// Shown is what runs: a command line, an address; empty for functions, which have names.
	Shown() string
	// Line is the same as it would be typed.
	Line() string
}

// Opening is what a program is told when it is opened, beside its settings.
type Opening struct {
	Name     string
	Limits   limits.Limits
	MaxInput int  // bytes of the longest input
	Text     bool // values and messages are compared as texts
	// Ordered asks for the order in which blocks are first executed, of programs that can tell. Their blocks have to be those of before:
	// Counters, by file.
	Ordered  bool
	Counters []int
}

// Opener makes Kind.Open of what opens a program by a configuration that JSON holds, and needs to know no more.
func Opener[C any, E Executor](open func(context.Context, C) (E, error)) func(context.Context, Opening, json.RawMessage) (Executor, error) {
	return func(ctx context.Context, _ Opening, settings json.RawMessage) (Executor, error) {
		var c C
		if err := json.Unmarshal(settings, &c); err != nil {
			return nil, err
		}
		e, err := open(ctx, c)
		if err != nil {
			return nil, err // a nil pointer is no nil Executor
		}
		return e, nil
	}
}
