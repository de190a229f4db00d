package signature

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/funcname"
)

// AgreeVersions is Agree for functions that run in processes of their own: versions of a module, or
// toolchains, side by side. Types are the same if they are identical except for versions. Structs
// are the same if their names and package paths are, and their common fields. Text means that
// values are compared as texts, whatever their types. Outside means that values are compared as
// users of their packages see them. Unexported fields outside the standard library are then no part
// of a type.
func AgreeVersions(calls []*Function, text, outside bool) (*Agreement, error) {
	written := func(c *Function) string { return c.Func.Written }
	a, err := alike(calls, written)
	if err != nil {
		return nil, err
	}
	if text {
		a.Values = true
		return a, nil
	}
	v := versions{outside: outside, ignored: map[string]bool{}, seen: map[[2]types.Type]*bool{}}
	some, differ := differing(calls, func(x, y types.Type) bool { return comparableTypes(x, y) || v.same(x, y) })
	a.Values = some && !differ
	if some && differ {
		a.note("values are not compared, since their types differ (%s): only whether an input is accepted counts", listValues(calls, written))
	}
	if without := func(c *Function) bool { return c.Ending != NoVerdict }; some && differ && !slices.ContainsFunc(calls, without) {
		return nil, exit.Usage("there is nothing to compare: no function returns an error or a bool, and %s", strings.TrimPrefix(a.Notes[len(a.Notes)-1], "values are not compared, since "))
	}
	for f := range v.ignored {
		a.Ignored = append(a.Ignored, f)
	}
	slices.Sort(a.Ignored)
	if a.Values && len(a.Ignored) > 0 {
		a.note("fields that differ between the versions are not compared: %s", strings.Join(a.Ignored, ", "))
	}
	return a, nil
}

// versions compares types of two loads of the same packages, perhaps at two versions.
type versions struct {
	outside bool
	ignored map[string]bool         // fields that only one side has, or has with another type
	seen    map[[2]types.Type]*bool // what came of a pair; true while it is being compared
}

// same reports whether two types are versions of one type.
func (v *versions) same(a, b types.Type) bool {
	pair := [2]types.Type{types.Unalias(a), types.Unalias(b)}
	if known := v.seen[pair]; known != nil {
		return *known
	}
	is := true
	v.seen[pair] = &is
	is = v.compare(pair[0], pair[1])
	return is
}

func (v *versions) compare(a, b types.Type) bool {
	x, named := a.(*types.Named)
	y, other := b.(*types.Named)
	switch {
	case named != other:
		return false
	case named:
		return v.named(x, y)
	}
	switch a := a.(type) {
	case *types.Basic:
		b, ok := b.(*types.Basic)
		return ok && a.Kind() == b.Kind()
	case *types.Pointer:
		b, ok := b.(*types.Pointer)
		return ok && v.same(a.Elem(), b.Elem())
	case *types.Slice:
		b, ok := b.(*types.Slice)
		return ok && v.same(a.Elem(), b.Elem())
	case *types.Array:
		b, ok := b.(*types.Array)
		return ok && a.Len() == b.Len() && v.same(a.Elem(), b.Elem())
	case *types.Map:
		b, ok := b.(*types.Map)
		return ok && v.same(a.Key(), b.Key()) && v.same(a.Elem(), b.Elem())
	case *types.Struct:
		b, ok := b.(*types.Struct)
		return ok && v.fields("struct", a, b)
	case *types.Interface:
		_, ok := b.(*types.Interface)
		return ok // what is in it is compared by what it is
	case *types.Chan, *types.Signature:
		return fmt.Sprintf("%T", a) == fmt.Sprintf("%T", b)
	}
	return false
}

func (v *versions) named(a, b *types.Named) bool {
	if a.Obj().Name() != b.Obj().Name() || !samePackage(a.Obj().Pkg(), b.Obj().Pkg()) {
		return false
	}
	x, y := a.TypeArgs(), b.TypeArgs()
	if x.Len() != y.Len() {
		return false
	}
	for i := 0; i < x.Len(); i++ {
		if !v.same(x.At(i), y.At(i)) {
			return false
		}
	}
	s, ok := a.Underlying().(*types.Struct)
	t, both := b.Underlying().(*types.Struct)
	if ok != both {
		return false
	}
	if !ok {
		return v.same(a.Underlying(), b.Underlying())
	}
	name := a.Obj().Name()
	if p := a.Obj().Pkg(); p != nil {
		name = p.Name() + "." + name
	}
	return v.fields(name, s, t)
}

// fields compares structs by their common fields. Fields of different types are not common.
func (v *versions) fields(name string, a, b *types.Struct) bool {
	common, shown := 0, 0
	for i := 0; i < a.NumFields(); i++ {
		f := a.Field(i)
		if v.hides(f) {
			continue
		}
		shown++
		k := index(b, f.Name())
		if k >= 0 && v.same(f.Type(), b.Field(k).Type()) {
			common++
			continue
		}
		v.ignored[name+"."+f.Name()] = true
	}
	for i := 0; i < b.NumFields(); i++ {
		f := b.Field(i)
		if v.hides(f) {
			continue
		}
		shown++
		if index(a, f.Name()) < 0 {
			v.ignored[name+"."+f.Name()] = true
		}
	}
	return common > 0 || shown == 0
}

// hides reports whether a field is nothing to users of its package. Import paths outside the
// standard library begin with a domain.
func (v *versions) hides(f *types.Var) bool {
	if !v.outside || f.Exported() || f.Pkg() == nil {
		return false
	}
	first, _, _ := strings.Cut(f.Pkg().Path(), "/")
	return strings.Contains(first, ".")
}

func index(s *types.Struct, name string) int {
	for i := 0; i < s.NumFields(); i++ {
		if s.Field(i).Name() == name {
			return i
		}
	}
	return -1
}

// samePackage reports whether two packages are one but for the major version in their path.
func samePackage(a, b *types.Package) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Path() == b.Path() || a.Name() == b.Name() && unversioned(a.Path()) == unversioned(b.Path())
}

// unversioned is a path without its major version: the element v2 of github.com/x/y/v2/z, or the
// suffix of gopkg.in/yaml.v3.
func unversioned(path string) string {
	parts := strings.Split(path, "/")
	out := parts[:0]
	for i, p := range parts {
		if i > 0 && funcname.IsMajor(p) {
			continue
		}
		if k := strings.LastIndex(p, ".v"); parts[0] == "gopkg.in" && k > 0 && funcname.IsMajor(p[k+1:]) {
			p = p[:k]
		}
		out = append(out, p)
	}
	return strings.Join(out, "/")
}
