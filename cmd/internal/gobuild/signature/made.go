package signature

import (
	"go/types"
	"os"
	"slices"

	"parallax/internal/input"
)

// Making selects the arguments that a harness makes and that are no input of their own. If the user
// names functions to compare with each other, none is made, since the user decides how to make a
// reader. Versions of one function get the same argument in any case.
type Making uint8

// The arguments that are made.
const (
	MakeNone   Making = iota
	MakeAll           // readers of an input, writers, a pointer to where a value goes, a context, an instant
	MakeSpread        // these, and values of a variadic parameter
)

// Arg is how an argument of a call comes about.
type Arg struct {
	How   How
	Type  types.Type // of the parameter; of a variadic one, of its values
	Input int        // its place in the shape, where it is made of inputs: of a variadic parameter, that of the number of its values
}

// How says what an argument is.
type How uint8

// The ways.
const (
	Given   How = iota // the input itself
	Reads              // something that reads the input
	Writes             // something that is written to: what was written is a value
	Into               // a pointer to the zero value of a type, which is a value after the call
	Context            // a context that never ends
	Instant            // a time in UTC, by its nanoseconds since 1970
	Spread             // up to MostSpread values of a variadic parameter
	Drawn              // what a generator draws, as it is
	Decoded            // a value that is read from a text
)

// MostSpread is the largest number of values for a variadic parameter. As many inputs follow the
// one with the number.
const MostSpread = 2

// readers lists types that can read an input, by name, with the expression that makes one from
// bytes. In it, $in is the input, $bytes package bytes, and $pkg the package of the type.
var readers = map[string]string{
	"io.Reader":       "$bytes.NewReader($in)",
	"io.ReadSeeker":   "$bytes.NewReader($in)",
	"io.ReaderAt":     "$bytes.NewReader($in)",
	"io.ByteReader":   "$bytes.NewReader($in)",
	"io.ByteScanner":  "$bytes.NewReader($in)",
	"io.RuneReader":   "$bytes.NewReader($in)",
	"io.RuneScanner":  "$bytes.NewReader($in)",
	"*bytes.Reader":   "$bytes.NewReader($in)",
	"*bytes.Buffer":   "$bytes.NewBuffer($in)",
	"io.ReadCloser":   "$pkg.NopCloser($bytes.NewReader($in))",
	"*bufio.Reader":   "$pkg.NewReader($bytes.NewReader($in))",
	"*strings.Reader": "$pkg.NewReader(string($in))",
}

// writers are the types of what can be written to, with the package that has the type of the
// variable, and its name there.
var writers = map[string][2]string{
	"io.Writer":        {"bytes", "Buffer"},
	"io.ByteWriter":    {"bytes", "Buffer"},
	"io.StringWriter":  {"bytes", "Buffer"},
	"*strings.Builder": {"strings", "Builder"},
}

// destinations are names of a *bytes.Buffer that is written to and not read, such as that of
// json.Indent.
var destinations = map[string]bool{"dst": true, "dest": true, "out": true, "output": true, "w": true}

// typeName is a type with the whole path of its package.
func typeName(t types.Type) string {
	return types.TypeString(types.Unalias(t), func(p *types.Package) string { return p.Path() })
}

// Reader is the expression of what reads an input. Alias names packages.
func (a *Arg) Reader(in string, alias func(path string) string) string {
	name := typeName(a.Type)
	return os.Expand(readers[name], func(what string) string {
		switch what {
		case "bytes":
			return alias("bytes")
		case "pkg":
			return alias(packageOf(name))
		}
		return in
	})
}

// Writer is the type of the variable that an argument points to, which is written to: its package
// and its name there.
func (a *Arg) Writer() (path, name string) {
	if w, ok := writers[typeName(a.Type)]; ok {
		return w[0], w[1]
	}
	return "bytes", "Buffer"
}

// packageOf is the path of the package of a type of the standard library, by its name.
func packageOf(name string) string {
	for i := range name {
		if name[i] == '.' {
			if name[0] == '*' {
				return name[1:i]
			}
			return name[:i]
		}
	}
	return ""
}

// Elem returns the type that a destination argument points to.
func (a *Arg) Elem() types.Type { return types.Unalias(a.Type).(*types.Pointer).Elem() }

// made decides how an argument that is not an input is made. ok is false if it cannot be made.
func (c *Function) made(p *types.Var, index int) (a Arg, ok bool) {
	if c.Making == MakeNone {
		return Arg{}, false
	}
	a = Arg{Type: p.Type()}
	name := typeName(p.Type())
	switch _, writes := writers[name]; {
	case name == "context.Context":
		a.How = Context
	case name == "time.Time":
		a.How = Instant
	case writes, name == "*bytes.Buffer" && destinations[p.Name()]:
		a.How = Writes
	case readers[name] != "":
		a.How = Reads
	case index > 0 && c.Ending != BoolLast && c.decodes() && c.destination(p.Type()):
		a.How = Into
	default:
		return Arg{}, false
	}
	return a, true
}

// destination reports whether a type is a pointer to what the harness can make an empty one of.
func (c *Function) destination(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok || !c.Writable(p.Elem()) {
		return false
	}
	switch p.Elem().Underlying().(type) {
	case *types.Signature, *types.Chan:
		return false
	}
	return true
}

// spreadable reports whether values of a variadic parameter are of a kind that inputs have, and are
// made.
func (c *Function) spreadable(p *types.Var) bool {
	elem := types.Unalias(p.Type()).(*types.Slice).Elem() // which go/types has of a variadic parameter
	_, ok := KindOf(elem)
	named, is := types.Unalias(elem).(*types.Named)
	return c.Making == MakeSpread && ok && (!is || c.Nameable(named))
}

// spread adds the values of a variadic parameter, if they are made.
func (c *Function) spread(p *types.Var) {
	if !c.spreadable(p) {
		return
	}
	elem := types.Unalias(p.Type()).(*types.Slice).Elem()
	kind, _ := KindOf(elem)
	c.Args = append(c.Args, Arg{How: Spread, Type: elem, Input: len(c.Shape)})
	c.Shape = append(c.Shape, input.Uint8)
	for range MostSpread {
		c.Shape = append(c.Shape, kind)
	}
}

// madeValues are the types of the values that arguments are after the call, in the order of the
// arguments.
func (c *Function) madeValues() (list []types.Type) {
	for i := range c.Args {
		switch a := &c.Args[i]; a.How {
		case Writes:
			list = append(list, types.Typ[types.String])
		case Into:
			list = append(list, a.Elem())
		}
	}
	return list
}

// Spreads reports whether a variadic parameter is given values.
func (c *Function) Spreads() bool {
	return slices.ContainsFunc(c.Args, func(a Arg) bool { return a.How == Spread })
}

// Makes reports whether an argument is made of something else than one input.
func (c *Function) Makes() bool {
	return slices.ContainsFunc(c.Args, func(a Arg) bool { return a.How != Given && a.How != Instant })
}

// instants returns the places in Shape of the instants.
func (c *Function) instants() (list []int) {
	for _, a := range c.Args {
		if a.How == Instant {
			list = append(list, a.Input)
		}
	}
	return list
}
