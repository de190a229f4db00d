// Package dynamic checks models of functions that take values of a dynamic language: strings, bytes, integers. The model is code that an engine
// runs, and the original is the language itself; both are asked by package extract, a call at a time. The kind dynamic of programs runs them, and
// parallax model makes the campaign.
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

	"parallax/cmd/internal/extract"
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
	for _, p := range f.Parameters {
		if len(p.Kinds) == 0 {
			return fmt.Errorf("parameter %s of %s takes nothing", p.Name, f.Function)
		}
		for _, k := range p.Kinds {
			switch inner, list := strings.CutPrefix(k, "list:"); {
			case list && (inner == "str" || inner == "bytes"):
			case k == "str", k == "bytes", k == "int", k == "bool", k == "none", strings.HasPrefix(k, "="):
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

// Text is what the sides are compared by.
func Text(s extract.Said) string { return string(s.How) + " " + s.Value }

// Comparable reports whether something was said that can be compared. Otherwise its value says why not.
func Comparable(s extract.Said) bool { return s.How == extract.Returns || s.How == extract.Raises }
