// Package dynamic checks models of functions on values of a dynamic language: strings, bytes,
// integers. Usually the model is code that an engine runs, and the original is the language itself.
// Package extract asks the engine about both, call by call. Or the model is a formula. Then package
// language computes it and runs the original. The kind dynamic runs these programs, and parallax
// model prepares the campaign.
//
// An input is a call: any bytes decode to values of the arguments (decode.go). The original has no
// blocks that distinguish paths. Outcome cells take their place (cell.go). A cell consists of the
// type of the result or the exception, and the classes of the arguments. Agreement decides whether
// a cell is in scope, like a path of a C function (package scope).
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

// Function is a function's record in the folder of its campaign.
type Function struct {
	Engine   string `json:"engine"`
	Version  string `json:"version"`
	Function string `json:"function"`
	// source of a call: {0} and {1} are arguments, {...} the others
	Form       string              `json:"form"`
	Elements   int                 `json:"elements"` // maximum elements of a string or list
	Parameters []extract.Parameter `json:"parameters"`

	// declared scope of an engine's model, see Declare; empty means none
	Scope  string `json:"scope,omitempty"`
	Source string `json:"source,omitempty"` // where the scope is declared
	// Compare selects how results of an engine's model are compared. Empty means exact; the other
	// value is Set.
	Compare string `json:"compare,omitempty"`

	// of the original, if the model is a formula; empty means the engine's own
	Language string   `json:"language,omitempty"`
	Formula  *Formula `json:"formula,omitempty"`
}

// Formula is a model as a script of SMT-LIB. Its constants are the parameters, by name, and the
// result.
type Formula struct {
	Name   string `json:"name"` // of the file
	Script string `json:"script"`
	Result string `json:"result"` // constant of the result
	// a term that represents false, if the result has another sort
	False string `json:"false,omitempty"`
	// comparison of results: exact (or empty), sign or truth
	Compare string `json:"compare,omitempty"`
	// a term over the parameters: the calls that the model is meant for
	Scope string `json:"scope,omitempty"`
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

// New returns the function of an engine's answer.
func New(engine, version string, a *extract.Answer, elements int) (*Function, error) {
	f := &Function{Engine: engine, Version: version, Function: a.Function, Form: a.Form, Elements: elements, Parameters: a.Parameters}
	return f, f.check()
}

// check returns an error for invalid options or parameters.
func (f *Function) check() error {
	if _, known := syntaxes[f.Language]; !known {
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

// Asker runs calls, such as an *extract.Engine.
type Asker interface {
	Calls(ctx context.Context, function string, side extract.Side, list []json.RawMessage) ([]extract.Said, error)
}

// Pather is an Asker that knows the model's path for a call.
type Pather interface {
	Path(c Call) string // as text; "" if unknown
}

// Declarer is an Asker whose model has a declared scope.
type Declarer interface {
	Declared() string   // the declaration, or "" for none
	Meant(c Call) error // why the call is not in scope, or nil
}

// Confirmer is an Asker that can check a deviation by other means than a second run.
type Confirmer interface {
	// Confirm returns how a deviation was confirmed, or why it was refuted. An error means that no
	// answer was possible.
	Confirm(ctx context.Context, c Call, right, said extract.Said) (how, why string, err error)
}

// PathOf returns the model's path for a call, if it is known.
func PathOf(a Asker, c Call) string {
	if p, ok := a.(Pather); ok {
		return p.Path(c)
	}
	return ""
}

// Meant returns why a call is outside of the declared scope. It returns nil if the call is in scope
// or nothing is declared. The error is a *scope.EvaluationError if the declaration cannot be
// computed for the call.
func Meant(a Asker, c Call) error {
	if d, ok := a.(Declarer); ok && d.Declared() != "" {
		return d.Meant(c)
	}
	return nil
}

// Text renders the part of an outcome that is compared.
func Text(s extract.Said) string { return string(s.How) + " " + s.Value }

// Comparable reports whether an outcome can be compared. Otherwise its value has the reason.
func Comparable(s extract.Said) bool { return s.How == extract.Returns || s.How == extract.Raises }
