package csource

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/instrument/clang"
	"parallax/cmd/internal/llvmir"
	"parallax/cmd/internal/llvmir/musl"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/original"
)

// Code is a source whose functions can be run. What is made of it is for one goroutine each.
type Code struct {
	Module *llvmir.Module
	files  []*llvmir.File
	model  bool
	roles  map[string]role // of functions that analysers have
}

// Load links what was compiled.
func (s *Sources) Load() (*Code, error) {
	c := &Code{model: s.Model, roles: map[string]role{}}
	for _, u := range s.Units {
		f, err := llvmir.Parse(u.File, u.IR)
		if err != nil {
			return nil, exit.Build("what clang%s makes of %s cannot be read: %w: LLVM 19's IR can, of clang-19", version(), u.File, err)
		}
		c.files = append(c.files, f)
	}
	var externals []string
	if s.Model {
		c.roles = roles(c.files, s.Unsupported)
		for name := range c.roles {
			externals = append(externals, name)
		}
	}
	var err error
	if c.Module, err = musl.Link(c.files, externals...); err != nil {
		return nil, exit.Build("the C files do not link: %s", strings.Replace(err.Error(), "@", "", 1))
	}
	return c, nil
}

// version is clang's, for messages.
func version() string {
	path, err := clang.Compiler()
	if err != nil {
		return ""
	}
	v, err := clang.Version(path)
	if err != nil {
		return ""
	}
	return " " + v
}

// Functions are the names of those that the files define, in their order, without those of headers.
func (c *Code) Functions() (names []string) {
	for _, file := range c.files {
		for _, f := range file.Functions {
			if (len(f.Blocks) > 0 || f.Unsupported != nil) && !strings.HasSuffix(f.Place.File, ".h") {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// names are the files', for messages.
func (c *Code) names() string {
	var names []string
	for _, f := range c.files {
		names = append(names, f.Name)
	}
	return strings.Join(names, " and ")
}

// find is the function of a name that the files define, be it one of its file alone.
func (c *Code) find(name string) (*llvmir.Function, error) {
	target := name
	for _, file := range c.files {
		if other, ok := file.Aliases[target]; ok && !slices.Contains(c.Functions(), target) {
			target = other
		}
	}
	var own []*llvmir.Function // of one file alone
	for _, file := range c.files {
		for _, f := range file.Functions {
			switch {
			case f.Name != target || len(f.Blocks) == 0 && f.Unsupported == nil:
			case f.Linkage == llvmir.Internal:
				own = append(own, f)
			default:
				return c.Module.Function(target), nil // of several weak ones the one that counts
			}
		}
	}
	switch {
	case len(own) == 1:
		return own[0], nil
	case len(own) > 1:
		return nil, exit.Usage("%s and %s both define a function %s", own[0].File.Name, own[1].File.Name, name)
	}
	defined := c.Functions()
	const shown = 20
	switch {
	case len(defined) == 0:
		return nil, exit.Usage("%s defines no function %s, and no other", c.names(), name)
	case len(defined) > shown:
		defined = append(defined[:shown], "and others")
	}
	return nil, exit.Usage("%s defines no function %s: it has %s", c.names(), name, strings.Join(defined, ", "))
}

// Original runs a function. Its name may be another one than the signature's.
func (c *Code) Original(s *call.Signature, function string) (*original.Original, error) {
	f, err := c.find(function)
	if err != nil {
		return nil, err
	}
	if err := c.Module.Refused(f); err != nil {
		return nil, exit.Build("%s", c.refused(f, err))
	}
	o, err := original.New(s, c.Module, f)
	var none *original.NoneError
	if errors.As(err, &none) {
		return nil, exit.Usage("%s of %s is not as the prototype says: %s", function, f.File.Name, none.Why)
	}
	return o, err
}

// refused says why a function cannot be run, in terms of its source.
func (c *Code) refused(f *llvmir.Function, err error) string {
	var r, inner *llvmir.Refusal
	for errors.As(err, &inner) { // the function that is to blame comes last
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

// What llvmir refuses of C, in C's words instead of LLVM's. $1 is a part of the message.
var inC = []struct {
	form *regexp.Regexp
	text string
}{
	{regexp.MustCompile(`\b(float|double|half|x86_fp80|fp128|[su]itofp|fpto[su]i|fpext|fptrunc|f(?:add|sub|mul|div|rem|neg|cmp))\b`), "computes with floating point ($1), which is not supported"},
	{regexp.MustCompile(`a call through the pointer`), "calls through a pointer to a function, which is not supported"},
	{regexp.MustCompile(`a call of (?:asm|module)\b`), "has assembly, which is not supported"},
	{regexp.MustCompile(`a variable number of arguments`), "has a variable number of arguments, which is not supported"},
	{regexp.MustCompile(`the address of the function @(\S+) is not supported`), "takes the address of $1, which is not supported of a function"},
}

// inWords is what goes behind "it" in a message.
func inWords(err error) string {
	var missing llvmir.Missing
	if errors.As(err, &missing) {
		return fmt.Sprintf("needs %s, which is defined neither there nor by musl %s", string(missing), musl.Version)
	}
	why := err.Error()
	for _, c := range inC {
		if m := c.form.FindStringSubmatchIndex(why); m != nil {
			return string(c.form.ExpandString(nil, c.text, why, m))
		}
	}
	return "has what is not supported: " + strings.ReplaceAll(why, "@", "")
}
