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
	Keys []string // of [[program]], in addition to those of all kinds
	Mark string   // the key that selects this kind in a [[program]] without kind; empty means none
	// Instead explains, for keys of other kinds, what this kind has in their place.
	Instead map[string]string

	// Parse reads the keys of the kind in a [[program]], and reports mistakes. Keys common to all
	// kinds were read before; the kind may change their values.
	Parse func(t *tomldoc.Table, c *Common) Settings
	// Open opens a program in the lockstep process. settings is the JSON of a Prepared. ctx ends
	// the program.
	Open func(ctx context.Context, o Opening, settings json.RawMessage) (Executor, error)

	// Unsteady explains the usual cause of candidates that do not repeat, for targets with a
	// program of this kind. Empty means no special cause.
	Unsteady string
	// Folders returns the build folders of a program, for the sources that findings show. Nil means
	// unknown.
	Folders func(path string) []string
}

// Table lists the kinds, in the order of the documents.
type Table []Kind

// Find returns the kind of that name, or nil.
func (t Table) Find(name string) *Kind {
	for i := range t {
		if t[i].Name == name {
			return &t[i]
		}
	}
	return nil
}

// Names returns the names of all kinds.
func (t Table) Names() []string {
	var names []string
	for i := range t {
		names = append(names, t[i].Name)
	}
	return names
}

// Common holds the settings that programs of all kinds have.
type Common struct {
	Name   string
	Dir    string            // absolute; by default the folder of the file
	Limits limits.Limits     // its own, or those of [limits]
	Env    map[string]string // in addition to [environment]
}

// Settings is a program in parallax.toml, without its Common part.
type Settings interface {
	// Runs returns the path, function or address that runs. It is the default name.
	Runs() string
	// Traits returns properties known before the program runs.
	Traits() Traits
	// Prepare finds the program and says how to run it. The user can fix its errors.
	Prepare(c *Common, p *Preparation) (Prepared, error)
}

// Meaningful is implemented by settings on the reading of answers. Changing them changes the
// findings of the same runs, and so makes another campaign.
type Meaningful interface {
	// Meaning returns a text for each such setting, empty for defaults.
	Meaning() map[string]string
}

// Traits are properties of a program that running and triage need.
type Traits struct {
	Processes  bool // it starts processes that may read the time
	NoCoverage bool // it has no coverage
	// an input takes a process or a request: about ten milliseconds instead of one
	CostlyInputs    bool
	ProcessPerInput bool // it has one process per input, or none that ends
	Typed           bool // its values have types, and are compared with values of the same types
	// it counts executed blocks exactly, so that versions can be compared by path length
	Lengths bool

	Layout *minimize.Layout // layout of inputs that are not text; known after Prepare
}

// Preparation is the context of a program's Prepare.
type Preparation struct {
	Tool  string   // the parallax executable, for sandboxes
	Dir   string   // parent of working folders
	Env   []string // the whole environment of the program
	Order bool     // guidance needs the order in which blocks are first executed
	// Clocked says that the campaign need not repeat, so that the choice of inputs to inspect may
	// depend on time.
	Clocked bool
	Note    func(notes string) // adds a note for the user

	// Own returns the path of a file that the target's processes share, and that ends with the
	// target. Nil means that there is none.
	Own func(name string) string

	// Prepare makes builds at once, and reports it with Say, unless Beside defers them to the
	// campaign: see Unfinished. Ctx ends Prepare.
	Beside bool
	Ctx    context.Context
	Say    func(string)
}

// Prepared is a program that can be opened. Kind.Open gets its JSON.
type Prepared interface {
	// Shown returns the command line or address. It is empty for functions, which have names.
	Shown() string
	// Line returns the same as a user would type it.
	Line() string
}

// Opening holds the parameters of Kind.Open besides the settings.
type Opening struct {
	Name     string
	Limits   limits.Limits
	MaxInput int  // bytes of the longest input
	Text     bool // values and messages are compared as texts
	// Ordered requests the order in which blocks are first executed, from programs that can record
	// it. Their blocks must be the same as before: Counters, by file.
	Ordered  bool
	Counters []int
}

// Opener returns a Kind.Open for a function that opens a program by a configuration in JSON.
func Opener[C any, E Executor](open func(context.Context, C) (E, error)) func(context.Context, Opening, json.RawMessage) (Executor, error) {
	return func(ctx context.Context, _ Opening, settings json.RawMessage) (Executor, error) {
		var c C
		if err := json.Unmarshal(settings, &c); err != nil {
			return nil, err
		}
		e, err := open(ctx, c)
		if err != nil {
			return nil, err // a nil pointer is not a nil Executor
		}
		return e, nil
	}
}
