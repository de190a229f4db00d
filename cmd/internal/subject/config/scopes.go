package config

import (
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/tomldoc"
)

// Scopes is a table of the scopes of an engine's models, as its authors or documents declare them
// (docs/guides/model.md).
type Scopes struct {
	Path string
	List []DeclaredScope
}

// DeclaredScope is one [[scope]]: the calls of a function for which its model is meant to be right.
type DeclaredScope struct {
	Function            string
	Holds               string // a term of SMT-LIB over the arguments
	Source              string // the document that declares it; may be empty
	FunctionAt, HoldsAt Position
}

// Find returns the declared scope of a function, or nil.
func (s *Scopes) Find(function string) *DeclaredScope {
	if s == nil {
		return nil
	}
	for i := range s.List {
		if s.List[i].Function == function {
			return &s.List[i]
		}
	}
	return nil
}

// Fail returns an error at a place in the file, with exit code 2.
func (s *Scopes) Fail(at Position, format string, args ...any) error {
	return (&File{Path: s.Path}).Fail(at, format, args...)
}

// LoadScopes reads a table of scopes. It does not check functions and terms: only code that knows
// the engine's models can.
func LoadScopes(path string) (*Scopes, error) {
	data, full, err := content(path, "parallax help model.md says how one is written")
	if err != nil {
		return nil, err
	}
	s, problems := parseScopes(data, full, onDisk{})
	if len(problems) > 0 {
		return nil, exit.Usage("%s", problemText(path, problems))
	}
	s.Path = path
	return s, nil
}

func parseScopes(data []byte, path string, d tomldoc.Disk) (*Scopes, []tomldoc.Problem) {
	r, t, problems := begin(data, path, d)
	if problems != nil {
		return nil, problems
	}
	s := &Scopes{Path: path}
	tables := t.Tables("scope", "[[scope]]")
	if len(tables) == 0 && !t.IsTable("scope") {
		r.Reportf(t.ValuePosition("scope"), `there is no [[scope]]: each names a function, and the calls for which its model is meant to be right, like holds = "(bvult arg_0 #x00000080)"`)
	}
	for _, table := range tables {
		one := DeclaredScope{Function: table.Text("function"), Holds: table.Text("holds"), FunctionAt: table.ValuePosition("function"), HoldsAt: table.ValuePosition("holds")}
		one.Source = tomldoc.OneLine(table.Text("source"))
		if !table.Has("function") {
			r.Reportf(table.Position(), `function is missing: the one whose model the scope is of, like function = "toupper"`)
		}
		if !table.Has("holds") {
			r.Reportf(table.Position(), `holds is missing: a term that holds for the calls that the model is meant for; holds = "true" says that it is complete`)
		}
		if first := s.Find(one.Function); first != nil && one.Function != "" {
			r.Reportf(one.FunctionAt, "a second scope of %s: the first is in line %d", one.Function, first.FunctionAt.Line)
		}
		s.List = append(s.List, one)
		table.ReportUnknown()
	}
	t.ReportUnknown()
	if problems := r.Problems(); len(problems) > 0 {
		return nil, problems
	}
	return s, nil
}
