package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/csource"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/record"
	"parallax/cmd/internal/model/smt"
)

// User is a model that a user wrote in SMT-LIB or C.
type User struct {
	Dir       string
	Signature *call.Signature

	SMT       string   // a file; empty for C
	Arguments []string // constants of the script for the arguments
	Result    string

	Files    []string // C files of the model
	Function string   // in Files; empty means the signature's
	Speech   csource.Speech

	Originals        []string // C files; empty means the C library's function
	OriginalFunction string
	Flags            []string
}

// Record reads or compiles the model and its original. The error is a *csource.SpeechError for an
// unknown name in the options. A model in a theory that parallax lacks gives a *Refused.
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
	if u.Signature.Result.Kind == "address" {
		r.Paths[0].Ret = "offset"
	}
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

// script returns the user's script with the constant names of package formula.
func (u *User) script() (string, error) {
	text, err := corpus.ReadFile(u.SMT)
	if err != nil {
		return "", exit.Usage("the model: %w", err)
	}
	ctx := smt.NewContext()
	script, err := smt.ReadScript(ctx, string(text), smt.Options{Name: u.SMT})
	if errors.Is(err, smt.ErrUnsupported) {
		return "", &Refused{u.Signature.Function, err}
	}
	if err != nil {
		return "", exit.Usage("%w", err)
	}
	for _, t := range smt.Visit(script.Assertions()...) {
		if t.Op() == smt.OpApply {
			return "", &Refused{u.Signature.Function, fmt.Errorf("%s: unsupported theory: functions that are declared only are not supported (%s): define it by (define-fun ...)", u.SMT, t.Func().Name)}
		}
	}
	by := map[*smt.Term]*smt.Term{}
	free := 0
	seen := map[string]bool{}
	for _, c := range script.Constants() {
		name, known := u.meaning(c.Name())
		if !known { // an intermediate constant
			name = fmt.Sprintf("free_%d", free)
			free++
		}
		seen[name] = true
		if n := formula.ParseName(name); n.Form == formula.ByteForm {
			seen[fmt.Sprintf("arg_%d", n.Arg)] = true
		}
		by[c] = ctx.Const(name, c.Sort())
		if err := u.fits(name, c.Sort()); err != nil {
			return "", exit.Usage("%s: the constant %s: %w", u.SMT, c.Name(), err)
		}
	}
	if u.Signature.Result.Kind != "void" && !seen["ret"] {
		return "", exit.Usage("%s has no constant for the result: name it ret, or name it in the configuration, like result = \"r\"", u.SMT)
	}
	if u.Signature.Result.Kind == "address" && !seen["ret_into"] {
		return "", exit.Usage("%s has no constant ret_into, of the sort (_ BitVec 8): the result points into argument ret_into - 1, and is null if ret_into and ret are 0", u.SMT)
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

// meaning translates a constant's name to that of package formula. It returns false for an
// intermediate constant.
func (u *User) meaning(name string) (string, bool) {
	if name == cmp.Or(u.Result, "ret") && (u.Result != "" || u.Signature.Result.Kind != "void") {
		return "ret", true
	}
	for i, argument := range u.Arguments {
		of := fmt.Sprintf("arg_%d", i)
		if name == argument {
			return of, true
		}
		if at, is := strings.CutPrefix(name, argument+"."); is && formula.ParseName(of+"."+at).Form == formula.ByteForm {
			return of + "." + at, true
		}
	}
	switch formula.ParseName(name).Form {
	case formula.UnnamedForm, formula.FreeForm, formula.ResultForm:
		return "", false
	case formula.ArgumentForm, formula.ByteForm: // the configuration names these
		return name, u.Arguments == nil
	}
	return name, true
}

// fits returns an error if a constant's sort does not match its name.
func (u *User) fits(name string, sort *smt.Sort) error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("it is of sort %s: %s", sort, fmt.Sprintf(format, args...))
	}
	n := formula.ParseName(name)
	var a *extract.Argument
	if n.Arg >= 0 && n.Arg < len(u.Signature.Arguments) {
		a = &u.Signature.Arguments[n.Arg]
	}
	switch {
	case n.Arg < 0:
	case n.Form == formula.ArgumentForm && a == nil:
		return fmt.Errorf("%s takes %d arguments", u.Signature.Function, len(u.Signature.Arguments))
	case n.Form != formula.ArgumentForm && (a == nil || a.Kind == "scalar"):
		return fmt.Errorf("%s has no pointer that is argument %d", u.Signature.Function, n.Arg)
	}
	switch result := u.Signature.Result; n.Form {
	case formula.ArgumentForm:
		switch {
		case a.Kind == "scalar" && a.Bits == 1:
			if sort != smt.BitVec(1) && sort != smt.Int && sort != smt.Bool {
				return wrong("a truth value is Bool, (_ BitVec 1) or Int")
			}
		case a.Kind == "scalar":
			if sort != smt.BitVec(a.Bits) && sort != smt.Int {
				return wrong("a number of %d bits is (_ BitVec %d) or Int", a.Bits, a.Bits)
			}
		case sort != smt.String:
			return wrong("name the bytes that it points to, %[1]s.0, %[1]s.1 and so on%[2]s", name, map[bool]string{true: ", or make it a String"}[formula.Text(a)])
		case a.Kind != "string":
			return fmt.Errorf("it is of sort String, which ends at the first zero, and %[1]s points to bytes that do not: name them, %[1]s.0, %[1]s.1 and so on", name)
		case !formula.Text(a):
			return fmt.Errorf("it is of sort String, whose characters are bytes here, and %[1]s points to elements of %[2]d bits: name their bytes, %[1]s.0, %[1]s.1 and so on", name, a.Bits)
		}
	case formula.ByteForm, formula.WrittenForm:
		switch {
		case sort != smt.BitVec(8) && sort != smt.Int:
			return wrong("a byte is (_ BitVec 8) or Int")
		case n.At < -a.Before || n.At >= a.Bytes+a.Behind:
			return fmt.Errorf("argument %d has bytes %d to %d, with the guard bytes", n.Arg, -a.Before, a.Bytes+a.Behind-1)
		}
	case formula.StoredForm:
		switch {
		case a.Kind != "pointer":
			return fmt.Errorf("what is stored there is no pointer: name its bytes, %s.0 and so on", name)
		case sort != smt.BitVec(64):
			return wrong("a pointer is (_ BitVec 64)")
		}
	case formula.StoredIntoForm:
		switch {
		case a.Kind != "pointer":
			return errors.New("what is stored there is no pointer")
		case sort != smt.BitVec(8):
			return wrong("the number of an argument is (_ BitVec 8)")
		}
	case formula.AddressForm, formula.FreshForm:
		if sort != smt.BitVec(64) {
			return wrong("an address is (_ BitVec 64), and 0 is a null pointer")
		}
	case formula.ResultForm:
		switch {
		case result.Kind == "address" && sort != smt.BitVec(64):
			return wrong("how far the result is from the start of what ret_into names is (_ BitVec 64)")
		case result.Kind == "scalar" && sort != smt.BitVec(result.Bits) && sort != smt.Int && sort != smt.Bool:
			return wrong("a number of %d bits is (_ BitVec %d) or Int", result.Bits, result.Bits)
		}
	case formula.ResultIntoForm:
		switch {
		case result.Kind != "address":
			return errors.New("the result is no address that points into something: leave ret_into out")
		case sort != smt.BitVec(8):
			return wrong("the number of an argument is (_ BitVec 8)")
		}
	}
	return nil
}
