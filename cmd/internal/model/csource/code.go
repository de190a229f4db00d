package csource

import (
	"errors"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/cbuild/clang"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/llvmir"
	"parallax/cmd/internal/model/llvmir/musl"
	"parallax/cmd/internal/model/original"
)

// Code is a linked source whose functions can be run. Each function made from it must stay on one
// goroutine.
type Code struct {
	Module *llvmir.Module
	files  []*llvmir.File
	roles  map[string]role // of analyzer functions
}

// Load links compiled sources.
func (s *Sources) Load() (*Code, error) {
	c := &Code{roles: map[string]role{}}
	for _, u := range s.Units {
		f, err := llvmir.Parse(u.File, u.IR)
		if err != nil {
			return nil, exit.Build("what clang%s makes of %s cannot be read: %w: LLVM 19's IR can, of clang-19", version(), u.File, err)
		}
		c.files = append(c.files, f)
	}
	var externals []string
	if s.Model {
		c.roles = roles(c.files, s.Speech)
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

// version returns clang's version for messages.
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

// Functions returns the names of the functions that the files define, in order, without those of
// headers.
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

// names returns the names of the files, for messages.
func (c *Code) names() string {
	var names []string
	for _, f := range c.files {
		names = append(names, f.Name)
	}
	return strings.Join(names, " and ")
}

// find returns the function of a name that the files define. It may be static.
func (c *Code) find(name string) (*llvmir.Function, error) {
	target := name
	for _, file := range c.files {
		if other, ok := file.Aliases[target]; ok && !slices.Contains(c.Functions(), target) {
			target = other
		}
	}
	var own []*llvmir.Function // static functions
	for _, file := range c.files {
		for _, f := range file.Functions {
			switch {
			case f.Name != target || len(f.Blocks) == 0 && f.Unsupported == nil:
			case f.Linkage == llvmir.Internal:
				own = append(own, f)
			default:
				// among several weak functions, the one that the linker chose
				return c.Module.Function(target), nil
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

// Original returns a function as an original. Its name may differ from the signature's.
func (c *Code) Original(s *call.Signature, function string) (*original.Original, error) {
	f, err := c.find(function)
	if err != nil {
		return nil, err
	}
	if err := c.Module.Refused(f); err != nil {
		return nil, exit.Build("%w", &RefusedError{function, original.Refusal(f, err)})
	}
	o, err := original.New(s, c.Module, f)
	var none *original.NoneError
	if errors.As(err, &none) {
		return nil, exit.Usage("%s of %s is not as the prototype says: %s", function, f.File.Name, none.Why)
	}
	return o, err
}

// RefusedError reports why a function cannot be run here, although the user made no mistake.
type RefusedError struct{ Function, Why string }

func (e *RefusedError) Error() string { return e.Why }
