package smt

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Script is a parsed SMT-LIB script: its commands in order, with definitions inlined.
type Script struct {
	Logic    string // of set-logic, or empty
	Commands []Command
}

// CommandKind is the kind of a command.
type CommandKind uint8

// The kinds of commands. Definitions leave no command.
const (
	SetLogic      CommandKind = iota + 1 // Text
	SetOption                            // Text, from the keyword on
	SetInfo                              // Text, from the keyword on
	DeclareConst                         // Term
	DeclareFun                           // Func
	Assert                               // Term, and Name if it has one
	CheckSat                             //
	CheckAssuming                        // Terms
	// Text is the command; Terms holds the terms of get-value
	Get
	Push            // N
	Pop             // N
	Reset           //
	ResetAssertions //
	Echo            // Text
	Exit            //
)

// Command is a command of a script.
type Command struct {
	Kind CommandKind
	Position
	Text  string
	Name  string
	Term  *Term
	Terms []*Term
	Func  *Func
	N     int
}

// Dialect is the syntax of strings.
type Dialect uint8

// The dialects. All of them support the same names of functions.
const (
	// DetectDialect is Z3Str for scripts that use a function of Z3-str (as Concat), and SMTLIB for
	// others.
	DetectDialect Dialect = iota
	// SMTLIB has the escapes \u{...} and \uXXXX, and "" for a quote.
	SMTLIB
	// Z3Str adds the escapes of C, such as
	// , \x41, \101 and \".
	Z3Str
)

// ErrUnsupported is wrapped by errors about parts of SMT-LIB that this package does not support.
var ErrUnsupported = errors.New("unsupported theory")

// Options holds the limits and choices of parsing. Zeros mean the defaults.
type Options struct {
	Name     string // of the file, for errors
	Dialect  Dialect
	MaxBytes int // of the script: 64 MiB
	MaxDepth int // of parentheses: a million
}

const (
	defaultBytes = 64 << 20
	defaultDepth = 1_000_000
)

// ReadScript reads a script. The error is a *SyntaxError.
func ReadScript(ctx *Context, text string, o Options) (script *Script, err error) {
	p, err := newParser(ctx, text, o)
	if err != nil {
		return nil, err
	}
	defer p.recover(&err)
	return p.script(), nil
}

// ReadTerm parses a single term over named constants.
func ReadTerm(ctx *Context, text string, constants map[string]*Term, o Options) (t *Term, err error) {
	p, err := newParser(ctx, text, o)
	if err != nil {
		return nil, err
	}
	defer p.recover(&err)
	for name, c := range constants {
		p.scope[name] = symbol{term: c}
	}
	t = p.term()
	p.expect(endToken, "the end of the term")
	return t, nil
}

// Constants returns the constants that the script declares, in order, without duplicates.
func (s *Script) Constants() []*Term {
	var all []*Term
	seen := map[*Term]bool{}
	for _, c := range s.Commands {
		if c.Kind == DeclareConst && !seen[c.Term] {
			seen[c.Term] = true
			all = append(all, c.Term)
		}
	}
	return all
}

// Assertions returns the assertions that hold at the last check-sat or, without one, at the end.
func (s *Script) Assertions() []*Term {
	var active, at []*Term
	var marks []int
	asked := false
	for _, c := range s.Commands {
		switch c.Kind {
		case Assert:
			active = append(active, c.Term)
		case Push:
			for range c.N {
				marks = append(marks, len(active))
			}
		case Pop:
			if level := len(marks) - c.N; c.N > 0 && level >= 0 {
				active = active[:marks[level]:marks[level]]
				marks = marks[:level]
			}
		case Reset, ResetAssertions:
			active, marks = nil, nil
		case CheckSat, CheckAssuming:
			asked = true
			at = append(active[:len(active):len(active)], c.Terms...)
		}
	}
	if asked {
		return at
	}
	return active
}

// WriteTo writes the script as SMT-LIB 2.6.
func (s *Script) WriteTo(w io.Writer) (int64, error) {
	n, err := io.WriteString(w, s.String())
	return int64(n), err
}

// String returns the script as SMT-LIB 2.6.
func (s *Script) String() string {
	var b strings.Builder
	for _, c := range s.Commands {
		c.write(&b)
		b.WriteByte('\n')
	}
	return b.String()
}

// String returns the command as SMT-LIB 2.6.
func (c Command) String() string {
	var b strings.Builder
	c.write(&b)
	return b.String()
}

func (c Command) write(b *strings.Builder) {
	switch c.Kind {
	case SetLogic:
		b.WriteString("(set-logic ")
		writeSymbol(b, c.Text)
		b.WriteByte(')')
	case SetOption:
		fmt.Fprintf(b, "(set-option %s)", c.Text)
	case SetInfo:
		fmt.Fprintf(b, "(set-info %s)", c.Text)
	case DeclareConst:
		writeDeclaration(b, c.Term.name, nil, c.Term.sort)
	case DeclareFun:
		writeDeclaration(b, c.Func.Name, c.Func.Params, c.Func.Result)
	case Assert:
		b.WriteString("(assert ")
		if c.Name != "" {
			b.WriteString("(! ")
		}
		writeTerm(b, c.Term)
		if c.Name != "" {
			b.WriteString(" :named ")
			writeSymbol(b, c.Name)
			b.WriteByte(')')
		}
		b.WriteByte(')')
	case CheckSat:
		b.WriteString("(check-sat)")
	case CheckAssuming:
		b.WriteString("(check-sat-assuming (")
		writeTerms(b, c.Terms)
		b.WriteString("))")
	case Get:
		if c.Text == "get-value" {
			b.WriteString("(get-value (")
			writeTerms(b, c.Terms)
			b.WriteString("))")
			return
		}
		fmt.Fprintf(b, "(%s)", c.Text)
	case Push, Pop:
		fmt.Fprintf(b, "(%s %d)", map[CommandKind]string{Push: "push", Pop: "pop"}[c.Kind], c.N)
	case Reset:
		b.WriteString("(reset)")
	case ResetAssertions:
		b.WriteString("(reset-assertions)")
	case Echo:
		fmt.Fprintf(b, "(echo \"%s\")", strings.ReplaceAll(c.Text, `"`, `""`))
	case Exit:
		b.WriteString("(exit)")
	}
}

func writeTerms(b *strings.Builder, terms []*Term) {
	for i, t := range terms {
		if i > 0 {
			b.WriteByte(' ')
		}
		writeTerm(b, t)
	}
}

func writeDeclaration(b *strings.Builder, name string, params []*Sort, result *Sort) {
	b.WriteString("(declare-fun ")
	writeSymbol(b, name)
	b.WriteString(" (")
	for i, p := range params {
		if i > 0 {
			b.WriteByte(' ')
		}
		p.write(b)
	}
	b.WriteString(") ")
	result.write(b)
	b.WriteByte(')')
}
