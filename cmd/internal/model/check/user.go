package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/extract"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/csource"
	"parallax/cmd/internal/model/record"
	"parallax/cmd/internal/smt"
	"parallax/internal/corpus"
)

// User is a model that a user has written: SMT-LIB or C.
type User struct {
	Dir       string
	Signature *call.Signature

	SMT       string   // file, or
	Arguments []string // names of its constants
	Result    string

	Files    []string // of C
	Function string   // in these; "": the signature's
	Speech   csource.Speech

	Originals        []string // C files; none: the C library's function
	OriginalFunction string
	Flags            []string
}

// Record reads or compiles the model and its original. A name by which the model does not speak is a *csource.SpeechError.
func (u *User) Record(ctx context.Context) (*record.Record, error) {
	code := &record.Code{}
	var err error
	if len(u.Originals) > 0 {
		if code.Original, err = u.part(ctx, u.Originals, u.OriginalFunction, false); err != nil {
			return nil, err
		}
	}
	if u.SMT == "" {
		if code.Model, err = u.part(ctx, u.Files, u.Function, true); err != nil {
			return nil, err
		}
		return record.New(u.Signature, code), nil
	}
	if code.Original == nil {
		code = nil
	}
	r := record.New(u.Signature, code)
	script, err := u.script()
	if err != nil {
		return nil, err
	}
	r.Paths = []extract.Path{{SMT: script, Ret: "scalar"}}
	return r, nil
}

func (u *User) part(ctx context.Context, files []string, function string, model bool) (*csource.Part, error) {
	if function == "" {
		function = u.Signature.Function
	}
	source := csource.Source{Dir: u.Dir, Files: files, Flags: u.Flags, Model: model}
	if model {
		source.Speech = u.Speech
	}
	sources, err := csource.Compile(ctx, source)
	if err != nil {
		return nil, err
	}
	if err := sources.Check(); err != nil {
		return nil, err
	}
	return &csource.Part{Sources: sources, Function: function}, nil
}

// script is the user's, with the names that package formula knows.
func (u *User) script() (string, error) {
	text, err := corpus.ReadFile(u.SMT)
	if err != nil {
		return "", exit.Usage("the model: %w", err)
	}
	ctx := smt.NewContext()
	script, err := smt.ReadScript(ctx, string(text), smt.Options{Name: u.SMT})
	if err != nil {
		return "", exit.Usage("%w", err)
	}
	names := map[string]string{}
	for i, name := range u.Arguments {
		names[name] = fmt.Sprintf("arg_%d", i)
	}
	names[cmp.Or(u.Result, "ret")] = "ret"
	by := map[*smt.Term]*smt.Term{}
	free := 0
	seen := map[string]bool{}
	for _, c := range script.Constants() {
		name, known := names[c.Name()]
		if !known && u.Arguments == nil && (strings.HasPrefix(c.Name(), "arg_") || strings.HasPrefix(c.Name(), "ret") || strings.HasPrefix(c.Name(), "out_") || strings.HasPrefix(c.Name(), "addr_")) {
			name, known = c.Name(), true
		}
		if !known { // a step on the way
			name = fmt.Sprintf("free_%d", free)
			free++
		}
		seen[name] = true
		by[c] = ctx.Const(name, c.Sort())
		if err := u.fits(name, c.Sort()); err != nil {
			return "", exit.Usage("%s: the constant %s: %w", u.SMT, c.Name(), err)
		}
	}
	if u.Signature.Result.Kind != "void" && !seen["ret"] {
		return "", exit.Usage("%s has no constant for the result: name it ret, or name it in the configuration, like result = \"r\"", u.SMT)
	}
	for i, name := range u.Arguments {
		if !seen[fmt.Sprintf("arg_%d", i)] {
			return "", exit.Usage("%s declares no constant %s, which arguments names", u.SMT, name)
		}
	}
	assertions, err := ctx.Substitute(by, script.Assertions()...)
	if err != nil {
		return "", err
	}
	logic := script.Logic
	if logic == "" {
		logic = "ALL"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "(set-logic %s)\n", logic)
	for _, c := range smt.ConstantsOf(assertions...) {
		fmt.Fprintf(&b, "(declare-const %s %s)\n", c.Name(), c.Sort())
	}
	for _, a := range assertions {
		fmt.Fprintf(&b, "(assert %s)\n", a)
	}
	return b.String(), nil
}

// fits says why a constant cannot be what its name says.
func (u *User) fits(name string, sort *smt.Sort) error {
	number := func(bits int) error {
		if sort != smt.BitVec(bits) && sort != smt.Int && sort != smt.Bool {
			return fmt.Errorf("it is of sort %s: a number of %d bits is (_ BitVec %d) or Int", sort, bits, bits)
		}
		return nil
	}
	var i int
	if _, err := fmt.Sscanf(name, "addr_%d", &i); err == nil {
		switch {
		case i >= len(u.Signature.Arguments) || u.Signature.Arguments[i].Kind == "scalar":
			return fmt.Errorf("%s has no pointer that is argument %d", u.Signature.Function, i)
		case sort != smt.BitVec(64):
			return fmt.Errorf("it is of sort %s: an address is (_ BitVec 64), and 0 is a null pointer", sort)
		}
		return nil
	}
	switch _, err := fmt.Sscanf(name, "arg_%d", &i); {
	case name == "ret" && u.Signature.Result.Kind == "scalar":
		return number(u.Signature.Result.Bits)
	case name == "ret" && u.Signature.Result.Kind == "address":
		return errors.New("the result is an address: models of such functions are those of engines")
	case err != nil || strings.Contains(name, "."):
		return nil
	case i >= len(u.Signature.Arguments):
		return fmt.Errorf("%s takes %d arguments", u.Signature.Function, len(u.Signature.Arguments))
	case u.Signature.Arguments[i].Kind == "scalar":
		return number(u.Signature.Arguments[i].Bits)
	case sort != smt.String:
		return fmt.Errorf("it is of sort %s: what an argument points to is a String, or its bytes %s.0, %s.1 and so on", sort, name, name)
	}
	return nil
}
