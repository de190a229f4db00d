package synthesis

import (
	"go/types"
	"strings"

	"parallax/cmd/internal/gobuild/signature"
)

// Misfit is an exported function that is not fuzzed in both versions.
type Misfit struct {
	Path  string // as the user names it
	Full  string // as call graphs have it
	Why   string // in a few words, the same for all of a kind
	Which string // the parameter to blame; ""

	err error // the message for a user who names the function
}

// Reasons of misfits that are no signature.Problem.
const (
	cannotMake     = "parallax cannot make an argument"
	onlyNew        = "only in the new version"
	otherSignature = "another signature in the old version"
)

// Misfits lists the exported functions of the new version that are not fuzzed in both versions.
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

// Unexported says in a few words why no exported function stands for a changed one that is not exported, by the import path of its package.
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

// full is the name of a function as call graphs have it: that of a generic one has brackets.
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
