package golang

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// Site is a call into the module.
type Site struct {
	// Hash of the place in the tests, equal for other versions of the callee. 0 means that nothing
	// of the call is recorded.
	Number uint64
	File   string // base name
	Line   int
	Func   string // that holds it
	Name   string // of the callee, for users
	// FuzzXxx that may reach it, and exported helpers, whose names have a leading dot
	Roots []string

	Callee string // import path, a dot, and the name, as in call graphs; empty for a method of an interface
	Speaks bool   // a result, or text that it writes, shows what the callee did
	Fails  bool   // an error that it returns, or an argument that it may change, shows it too
	// One of its arguments is a writer whose text the test discards. Errors do not show that text.
	Discards bool
	On       string   // type of the receiver, if it is the module's
	Takes    []string // types of the module among the receiver and the parameters
	Makes    []string // and among the results
}

// CallTable lists the calls into the module in the tests of a package.
type CallTable struct {
	Sites []Site
	// Types holds the structs that results may contain, by name as in yaml.Node: each of their
	// fields with its type.
	Types map[string]map[string]string
	Why   string // the reason why nothing is recorded, or empty
}

// writeTable writes the table of the package: a line for each site, type and reason. Package
// fuzzfunc reads the sites.
func (f *callFinder) writeTable(why error) string {
	var b strings.Builder
	if why != nil {
		fmt.Fprintf(&b, "N\t%s\n", plainLine(why.Error()))
		return b.String()
	}
	held := map[string]map[string]string{}
	for _, s := range f.sites {
		letter := "S"
		if s.Number == 0 {
			letter = "D"
		}
		fmt.Fprintf(&b, "%s\t%x\t%s\t%d\t%s\t%s\t%s\t%s\t%v %v %v\t%s\t%s\t%s\n", letter, s.Number, plainLine(s.File), s.Line, s.Func, s.Name, strings.Join(s.Roots, " "),
			s.Callee, s.Speaks, s.Fails, s.Discards, s.On, strings.Join(s.Takes, " "), strings.Join(s.Makes, " "))
		if s.Number == 0 {
			continue
		}
		for _, t := range s.results {
			holds(held, map[types.Type]bool{}, t)
		}
		for _, o := range s.outs {
			holds(held, map[types.Type]bool{}, f.info.TypeOf(o.expr))
		}
	}
	names := make([]string, 0, len(held))
	for name := range held {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&b, "T\t%s", name)
		fields := make([]string, 0, len(held[name]))
		for field, typ := range held[name] {
			fields = append(fields, field+" "+typ)
		}
		slices.Sort(fields)
		for _, field := range fields {
			b.WriteString("\t" + plainLine(field))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// plainLine replaces characters that end a column of a table.
func plainLine(s string) string {
	return strings.NewReplacer("\n", " ", "\t", " ", "\r", " ").Replace(s)
}

// maxHeld limits the collected struct types. Those of a syntax tree are some hundreds.
const maxHeld = 2000

// holds collects the structs that values of a type may contain, as far as types determine them.
func holds(held map[string]map[string]string, seen map[types.Type]bool, t types.Type) {
	t = types.Unalias(t)
	if seen[t] || len(held) > maxHeld {
		return
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		holds(held, seen, u.Elem())
	case *types.Slice:
		holds(held, seen, u.Elem())
	case *types.Array:
		holds(held, seen, u.Elem())
	case *types.Map:
		holds(held, seen, u.Key())
		holds(held, seen, u.Elem())
	case *types.Struct:
		fields := map[string]string{}
		for i := range u.NumFields() {
			v := u.Field(i)
			fields[v.Name()] = types.TypeString(v.Type(), (*types.Package).Name)
		}
		if named, ok := t.(*types.Named); ok && named.Obj().Pkg() != nil && named.TypeArgs().Len() == 0 {
			held[named.Obj().Pkg().Name()+"."+named.Obj().Name()] = fields
		}
		for i := range u.NumFields() {
			holds(held, seen, u.Field(i).Type())
		}
	}
}

// ParseCalls reads a table that a test binary brings.
func ParseCalls(text string) (*CallTable, error) {
	t := &CallTable{Types: map[string]map[string]string{}}
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case (f[0] == "S" || f[0] == "D") && len(f) == 12:
			n, err := strconv.ParseUint(f[1], 16, 64)
			at, e := strconv.Atoi(f[3])
			if err != nil || e != nil {
				return nil, fmt.Errorf("reading the table of recorded calls: %q", line)
			}
			is := append(strings.Fields(f[8]), "", "", "")
			t.Sites = append(t.Sites, Site{Number: n, File: f[2], Line: at, Func: f[4], Name: f[5], Roots: strings.Fields(f[6]),
				Callee: f[7], Speaks: is[0] == "true", Fails: is[1] == "true", Discards: is[2] == "true", On: f[9], Takes: strings.Fields(f[10]), Makes: strings.Fields(f[11])})
		case f[0] == "T" && len(f) >= 2:
			fields := map[string]string{}
			for _, field := range f[2:] {
				name, typ, _ := strings.Cut(field, " ")
				fields[name] = typ
			}
			t.Types[f[1]] = fields
		case f[0] == "N" && len(f) == 2:
			t.Why = f[1]
		default:
			return nil, fmt.Errorf("reading the table of recorded calls: %q", line)
		}
	}
	return t, nil
}
