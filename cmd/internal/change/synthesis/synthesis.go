// Package synthesis makes harnesses from functions that two versions of a module have. It lists the
// functions that parallax diff can call in both, and finds the one that the user names. It returns
// the configuration of a campaign that runs the versions in lockstep, as programs "new" and "old".
// The command regress uses it if no FuzzXxx reaches a change.
//
// A function is callable if package signature can make its arguments. signature.AgreeVersions
// decides the arguments and the comparison of both versions, as in parallax diff with a function at
// two versions. The package compiles nothing and writes no files.
//
//	versions.go       listing the packages of the versions
//	choose.go         finding the function that the user names
//	automatic.go      choosing functions if the user names none
//	misfit.go         reasons why a function is not fuzzed
//	harness.go        suggested FuzzXxx for a function that cannot be called directly
//	configuration.go  from a function to a campaign
package synthesis

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/change/revision"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/signature"
)

// Request names the versions.
type Request struct {
	New, Old revision.Version
	// Module is the folder of the module in both versions, "." or with slashes. Empty means the
	// user's module. A published module needs none.
	Module   string
	Tags     string            // build tags, as for -tags
	Parallax string            // the parallax executable, for guard; may be empty
	Progress func(step string) // reports each long step; may be nil
}

// Function is an exported function or method that can be fuzzed in both versions.
type Function struct {
	// as the user names it, from the module's root: LoadBytes, jws.Parse,
	// encoding/yaml.(*T).Unmarshal
	Path       string
	Package    string // import path in the new version
	Name       string // as in block tables: LoadBytes, (*T).Unmarshal
	Parameters string // (data []byte, strict bool)
	Zero       bool   // a method called on the zero value of its type, without decoding into it
	Hidden     bool   // in an internal package
	Files      bool   // opens a file that a parameter names
	Text       bool   // takes a []byte or a string; others have few inputs
	Notes      []string

	old    string // import path in the old version
	folder string // of the package below the module; "." for the root
	target string // name of the target
	making signature.Making
}

// Full returns the function's full name in the new version, as in call graphs.
func (f *Function) Full() string { return f.Package + "." + f.Name }

// Pair holds two versions with their packages.
type Pair struct {
	request  Request
	new, old *side
}

// Open lists the packages of both versions.
func Open(ctx context.Context, r Request) (*Pair, error) {
	if r.Progress == nil {
		r.Progress = func(string) {}
	}
	p := &Pair{request: r}
	r.Progress("listing the functions of " + r.New.Short)
	var err error
	if p.new, err = open(ctx, &r, &r.New, nil); err != nil {
		return nil, err
	}
	r.Progress("listing the functions of " + r.Old.Short)
	if p.old, err = open(ctx, &r, &r.Old, p.new); err != nil {
		return nil, err
	}
	return p, nil
}

// Functions lists all functions that can be fuzzed, by package and name: functions before methods.
func (p *Pair) Functions() (list []*Function) {
	for _, folder := range p.new.folders {
		if _, why := p.new.uncallable(folder); why != "" {
			continue
		}
		for _, c := range p.new.exported(folder) {
			if f, misfit := p.both(folder, c); misfit == nil {
				list = append(list, f)
			}
		}
	}
	return list
}

// both returns a function of the new version if the old one has it too, or a Misfit.
func (p *Pair) both(folder string, c signature.Assessment) (*Function, *Misfit) {
	name := p.written(folder, c.Declared())
	misfit := func(why, format string, args ...any) *Misfit {
		return &Misfit{Path: name, Full: full(c.Function), Why: why, err: exit.Usage(name+format, args...)}
	}
	if c.Problem != nil {
		return nil, p.unfit(name, c)
	}
	there := p.old.packages[folder]
	if there == nil {
		return nil, misfit(onlyNew, " is new: %s has no package %s; name a function that both versions have", p.request.Old.Short, p.old.importPath(folder))
	}
	if kind, why := p.old.uncallable(folder); why != "" {
		return nil, misfit(kind, ": in %s %s", p.request.Old.Short, why)
	}
	old, missing := p.old.index.Find(there, c.Func)
	if missing != "" {
		return nil, misfit(onlyNew, " is new: in %s %s; name a function that both versions have", p.request.Old.Short, missing)
	}
	// a parameter that only one version has, or that cannot be given values, gets none
	if c.Type.Variadic() || old.Type.Variadic() {
		if old.Problem != nil || !signature.SameShape(c.Shape, old.Shape) {
			c, old = c.Unspread(), old.Unspread()
		}
		if c.Problem != nil {
			return nil, p.unfit(name, c)
		}
	}
	for _, v := range []struct {
		c       *signature.Assessment
		version string
	}{{&c, p.request.New.Short}, {&old, p.request.Old.Short}} {
		v.c.Func.Written = name + " of " + v.version
	}
	if old.Problem != nil || !signature.SameShape(c.Shape, old.Shape) {
		return nil, misfit(otherSignature, " has another signature in the old version:\n\t%s  %s\n\t%s  %s\nwrite a FuzzXxx that calls both forms with the same input", p.request.New.Short, c.Signature(), p.request.Old.Short, old.Signature())
	}
	a, err := signature.AgreeVersions([]*signature.Function{c.Function, old.Function}, false, true)
	if err != nil {
		return nil, &Misfit{Path: name, Full: full(c.Function), Why: otherSignature, err: err}
	}
	f := &Function{
		Path: name, Package: c.Package.ImportPath, Hidden: hidden(c.Package.ImportPath), Name: c.Declared(), Parameters: parameters(c.Function),
		making: c.Making, Zero: c.Receiver != nil && !c.Variable && !(c.OfReceiver && c.Ending == signature.ErrorLast), Text: slices.ContainsFunc(c.Shape, signature.TextLike), Notes: a.Notes, old: old.Package.ImportPath, folder: folder,
	}
	if f.Zero {
		receiver, _, _ := strings.Cut(strings.TrimPrefix(f.Name, "(*"), ".")
		f.Notes = append(f.Notes, fmt.Sprintf("%s: it is called on a zero %s only", f.Path, strings.TrimSuffix(receiver, ")")))
	}
	if c.Type.Variadic() {
		last := c.Type.Params().At(c.Type.Params().Len() - 1)
		how := "is given nothing"
		if c.Spreads() {
			how = fmt.Sprintf("is given up to %d values", signature.MostSpread)
		}
		f.Notes = append(f.Notes, fmt.Sprintf("%s: the variadic parameter %s %s", f.Path, last.Name(), how))
	}
	f.target = f.Path
	if folder == "." {
		f.target = base(p.new.module) + "." + f.Name
	}
	return f, nil
}

// hidden reports whether a package is internal.
func hidden(importPath string) bool {
	_, is := gocommand.InternalRoot(importPath)
	return is
}

// base returns the last element of a module's path, without a major version.
func base(of string) string {
	prefix, _, ok := module.SplitPathVersion(of)
	if !ok {
		prefix = of
	}
	return path.Base(prefix)
}

// written returns a function's name as the user writes it.
func (p *Pair) written(folder, name string) string {
	if folder == "." {
		return name
	}
	return folder + "." + name
}

// parameters returns the declared parameters.
func parameters(c *signature.Function) string {
	text := strings.TrimPrefix(c.Signature(), "func")
	if c.Receiver != nil {
		_, text, _ = strings.Cut(text, ") "+c.Func.Name)
	}
	depth := 0
	for i, r := range text {
		switch r {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return text[:i+1]
			}
		}
	}
	return text
}

// uncallable returns why a harness cannot import a package, in short and in full, or "".
func (s *side) uncallable(folder string) (kind, why string) {
	p := s.packages[folder]
	switch _, hidden := gocommand.InternalRoot(p.ImportPath); {
	case p.Name == "main":
		return "in package main", p.ImportPath + " is a main package, which cannot be imported"
	case hidden && s.version.Module != "":
		return "internal to the module", p.ImportPath + " is internal to its module, and cannot be imported from outside: name an exported function that calls it"
	}
	return "", ""
}
