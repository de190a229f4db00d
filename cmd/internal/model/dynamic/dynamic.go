// Package dynamic checks models of functions that take values of a dynamic language: strings, bytes, integers. The model is code that an engine
// runs, and the original is the language itself; both are asked by package extract, a call at a time. Or the model is a formula, and package language
// computes it and asks the original. The kind dynamic of programs runs them, and parallax model makes the campaign.
//
// An input is a call: any bytes are the values of the arguments (decode.go). There are no blocks of the original to tell paths by. In their place are
// outcome cells (cell.go): how the call ends, with a value of which type or which exception, for arguments of which classes. A cell is in scope by
// agreement, as paths of C functions are (package scope, which decides).
package dynamic

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"parallax/cmd/internal/model/extract"
	"parallax/internal/atomicfile"
)

// Function is what is kept of a function in the folder of its campaign.
type Function struct {
	Engine     string              `json:"engine"`
	Version    string              `json:"version"`
	Function   string              `json:"function"`
	Form       string              `json:"form"`     // how source calls it: {0} and {1} are arguments, {...} the others
	Elements   int                 `json:"elements"` // of a string or list, at most
	Parameters []extract.Parameter `json:"parameters"`

	Scope  string `json:"scope,omitempty"`  // what is declared of an engine's model: see Declare; "": nothing
	Source string `json:"source,omitempty"` // where that is said
	// Compare is how results of an engine's model are compared: exact, which is "", or Set.
	Compare string `json:"compare,omitempty"`

	Language string   `json:"language,omitempty"` // of the original, where the model is a formula; "": the engine's own
	Formula  *Formula `json:"formula,omitempty"`
}

// Formula is a model that is a script of SMT-LIB, whose constants are the parameters, by their names, and the result.
type Formula struct {
	Name    string `json:"name"` // of the file
	Script  string `json:"script"`
	Result  string `json:"result"`            // the constant
	False   string `json:"false,omitempty"`   // a term: what the formula has for false, where the result is of another sort
	Compare string `json:"compare,omitempty"` // results: exact, which is "", sign or truth
	Scope   string `json:"scope,omitempty"`   // a term over the parameters: the calls that the model is meant for
}

// Read reads the file of a function.
func Read(path string) (*Function, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f := &Function{}
	if err := json.Unmarshal(data, f); err != nil {
		return nil, fmt.Errorf("%s says no function: %w", path, err)
	}
	if f.Function == "" || f.Form == "" || len(f.Parameters) == 0 || f.Elements < 1 {
		return nil, fmt.Errorf("%s says no function: function, form, elements or parameters are missing", path)
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// New is the function of an engine's answer.
func New(engine, version string, a *extract.Answer, elements int) (*Function, error) {
	f := &Function{Engine: engine, Version: version, Function: a.Function, Form: a.Form, Elements: elements, Parameters: a.Parameters}
	return f, f.check()
}

// check says what is wrong with the parameters.
func (f *Function) check() error {
	if _, known := tongues[f.Language]; !known {
		return fmt.Errorf("%s is a function of %q, which is no language that is known here", f.Function, f.Language)
	}
	if f.Compare != "" && f.Compare != "exact" && f.Compare != Set {
		return fmt.Errorf("results of %s are compared by %q, which is no comparison of values", f.Function, f.Compare)
	}
	for _, p := range f.Parameters {
		if len(p.Kinds) == 0 {
			return fmt.Errorf("parameter %s of %s takes nothing", p.Name, f.Function)
		}
		for _, k := range p.Kinds {
			switch inner, list := strings.CutPrefix(k, "list:"); {
			case list && (inner == "str" || inner == "bytes"):
			case k == "str", k == "bytes", k == "int", k == "float", k == "bool", k == "none", strings.HasPrefix(k, "="):
			default:
				return fmt.Errorf("parameter %s of %s takes %q, which is no kind of value", p.Name, f.Function, k)
			}
		}
	}
	return nil
}

// Write writes the file.
func (f *Function) Write(path string) error {
	data, err := json.MarshalIndent(f, "", "\t")
	if err != nil {
		return err
	}
	return atomicfile.Write(atomicfile.OS, path, append(data, '\n'))
}

// Asker runs calls: an *extract.Engine.
type Asker interface {
	Calls(ctx context.Context, function string, side extract.Side, list []json.RawMessage) ([]extract.Said, error)
}

// Pather is an Asker whose model is known to take one of several paths for a call.
type Pather interface {
	Path(c Call) string // in words; "": it is not known
}

// Declarer is an Asker whose model is declared to be meant for some calls.
type Declarer interface {
	Declared() string   // the declaration; "": there is none
	Meant(c Call) error // nil: it is; why not
}

// Confirmer is an Asker that looks at a deviation by other means than a second run.
type Confirmer interface {
	// Confirm says who confirms it and how, or why not. An error says that nobody could tell.
	Confirm(ctx context.Context, c Call, right, said extract.Said) (how, why string, err error)
}

// PathOf is the path that a model takes for a call, as far as it is known.
func PathOf(a Asker, c Call) string {
	if p, ok := a.(Pather); ok {
		return p.Path(c)
	}
	return ""
}

// Meant says why a model is declared not to be meant for a call; nil: it is, or nothing is declared. A declaration that cannot be computed for the
// call is a *scope.EvaluationError.
func Meant(a Asker, c Call) error {
	if d, ok := a.(Declarer); ok && d.Declared() != "" {
		return d.Meant(c)
	}
	return nil
}

// Text is what the sides are compared by.
func Text(s extract.Said) string { return string(s.How) + " " + s.Value }

// Comparable reports whether something was said that can be compared. Otherwise its value says why not.
func Comparable(s extract.Said) bool { return s.How == extract.Returns || s.How == extract.Raises }
