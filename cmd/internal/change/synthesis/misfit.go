package synthesis

import (
	"go/types"
	"strings"

	"parallax/cmd/internal/gobuild/signature"
)

// Misfit is an exported function that cannot be fuzzed in both versions.
type Misfit struct {
	Path  string // as the user names it
	Full  string // as in call graphs
	Why   string // short reason, shared by similar functions
	Which string // the unsupported parameter, or ""
	Init  string // argument of `parallax init`, which can write a FuzzXxx for it, or ""

	err error // message for a user who names the function
}

// Reasons of misfits besides signature.Problem.
const (
	cannotMake     = "parallax cannot make an argument"
	onlyNew        = "only in the new version"
	otherSignature = "another signature in the old version"
)

// Misfits lists the exported functions of the new version that cannot be fuzzed in both versions.
func (p *Pair) Misfits() (list []*Misfit) {
	for _, folder := range p.new.folders {
		kind, why := p.new.uncallable(folder)
		for _, c := range p.new.exported(folder) {
			if why != "" {
				list = append(list, &Misfit{Path: p.written(folder, c.Declared()), Full: full(c.Function), Why: kind})
			} else if _, m := p.both(folder, c); m != nil {
				list = append(list, m)
			}
		}
	}
	return list
}

// Unexported returns a short reason why no exported function represents a changed unexported one,
// by the import path of its package.
func (p *Pair) Unexported(path string) string {
	for _, folder := range p.new.folders {
		if p.new.importPath(folder) == path {
			if kind, _ := p.new.uncallable(folder); kind != "" {
				return kind
			}
			return "not exported, and no exported function calls it"
		}
	}
	return "not in module " + p.new.module
}

// full returns the name of a function in call graphs. Generic functions have brackets.
func full(c *signature.Function) string {
	name := c.FullName()
	if t, ok := c.Receiver.(*types.Named); ok && t.TypeParams().Len() > 0 {
		at := len(c.Package.ImportPath) + 1
		return name[:at] + strings.Replace(name[at:], c.Func.Receiver, c.Func.Receiver+"[...]", 1)
	}
	if c.Type.TypeParams().Len() > 0 {
		name += "[...]"
	}
	return name
}
