package signature

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"

	"parallax/internal/input"
)

// Programs in processes of their own take texts. A Go function compared with them may take a
// struct, which is then read from JSON.

// ReadTexts derives what the function is given from a text: values that encoding/json reads from
// it. One parameter is the text's value, several are those of an array. The shape is that of a
// text.
func (c *Function) ReadTexts() *Problem {
	draws := Derivable([]*Function{c})
	if draws == nil {
		return &Problem{"it takes no struct", "whose fields parallax draws values for"}
	}
	for i, t := range draws {
		if why := unwritten(t, map[types.Type]bool{}); why != "" {
			return &Problem{fmt.Sprintf("parameter %d (%s)", i+1, c.Text(t)), why}
		}
	}
	if problem := c.ReadDrawn(draws); problem != nil {
		return problem
	}
	for i := range c.Args {
		c.Args[i].How = Decoded
	}
	c.Shape = input.Shape{input.Bytes}
	return nil
}

// FromText reports whether arguments are read from a text.
func (c *Function) FromText() bool { return len(c.Args) > 0 && c.Args[0].How == Decoded }

// Drawable are the types of the arguments that are read from a text.
func (c *Function) Drawable() (list []types.Type) {
	for i := range c.Args {
		list = append(list, c.Args[i].Type)
	}
	return list
}

// unwritten returns why encoding/json cannot write or read values of a type that can be drawn, or
// "".
func unwritten(t types.Type, seen map[types.Type]bool) string {
	t = types.Unalias(t)
	if seen[t] {
		return ""
	}
	seen[t] = true
	if own, why := ownText(t); own {
		return why
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsComplex != 0 {
			return "JSON has no complex numbers"
		}
	case *types.Pointer:
		return unwritten(u.Elem(), seen)
	case *types.Slice:
		return unwritten(u.Elem(), seen)
	case *types.Array:
		return unwritten(u.Elem(), seen)
	case *types.Map:
		basic, _ := u.Key().Underlying().(*types.Basic)
		own, why := ownText(u.Key())
		switch {
		case why != "":
			return why
		case !own && (basic == nil || basic.Info()&(types.IsString|types.IsInteger) == 0):
			return "JSON has no objects with keys of type " + types.TypeString(u.Key(), (*types.Package).Name)
		}
		return unwritten(u.Elem(), seen)
	case *types.Struct:
		for i := range u.NumFields() {
			f, tag := u.Field(i), reflect.StructTag(u.Tag(i))
			if !f.Exported() || strings.HasPrefix(tag.Get("gen"), "-") || tag.Get("json") == "-" {
				continue
			}
			if why := unwritten(f.Type(), seen); why != "" {
				return why
			}
		}
	}
	return ""
}

// ownText reports whether values of a type are written by methods of its own, and why they cannot
// be read then.
func ownText(t types.Type) (own bool, why string) {
	has := func(t types.Type, name string) bool {
		obj, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
		_, is := obj.(*types.Func)
		return is
	}
	for _, form := range []string{"JSON", "Text"} {
		if has(t, "Marshal"+form) {
			if p := types.NewPointer(t); !has(p, "Unmarshal"+form) && !has(t, "Unmarshal"+form) {
				why = fmt.Sprintf("%s has a method Marshal%s and no Unmarshal%s, so that it cannot be read from JSON", types.TypeString(t, (*types.Package).Name), form, form)
			}
			return true, why
		}
	}
	return false, ""
}
