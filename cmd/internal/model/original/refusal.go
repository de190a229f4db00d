package original

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/model/llvmir"
	"parallax/cmd/internal/model/llvmir/musl"
)

// Refusal returns why a function cannot be run, in terms of its source. err is that of
// Module.Refused.
func Refusal(f *llvmir.Function, err error) string {
	var r, inner *llvmir.Refusal
	for errors.As(err, &inner) { // the function with the cause comes last
		r, err = inner, inner.Why
	}
	if r == nil {
		return fmt.Sprintf("%s of %s cannot be run: %v", f.Name, f.File.Name, err)
	}
	why := inWords(err)
	if r.Function != f.Name {
		why = r.Function + ", which it calls, " + why
	} else {
		why = "it " + why
	}
	place := f.File.Name
	if r.Place.Line > 0 {
		place = r.Place.String()
	}
	return fmt.Sprintf("%s: %s cannot be run: %s", place, f.Name, why)
}

// inC translates refusals of llvmir into terms of C. $1 is a part of the message.
var inC = []struct {
	form func() *regexp.Regexp
	text string
}{
	{lazyregexp.New(`\b(float|double|half|x86_fp80|fp128|[su]itofp|fpto[su]i|fpext|fptrunc|f(?:add|sub|mul|div|rem|neg|cmp))\b`), "computes with floating point ($1), which is not supported"},
	{lazyregexp.New(`a call through the pointer`), "calls through a pointer to a function, which is not supported"},
	{lazyregexp.New(`a call of (?:asm|module)\b`), "has assembly, which is not supported"},
	{lazyregexp.New(`a variable number of arguments`), "has a variable number of arguments, which is not supported"},
	{lazyregexp.New(`the address of the function @(\S+) is not supported`), "takes the address of $1, which is not supported of a function"},
}

// inWords returns the part of the message after "it".
func inWords(err error) string {
	var missing llvmir.Missing
	if errors.As(err, &missing) {
		return fmt.Sprintf("needs %s, which is defined neither there nor by musl %s", string(missing), musl.Version)
	}
	why := err.Error()
	for _, c := range inC {
		if m := c.form().FindStringSubmatchIndex(why); m != nil {
			return string(c.form().ExpandString(nil, c.text, why, m))
		}
	}
	return "has what is not supported: " + strings.ReplaceAll(why, "@", "")
}
