package newtest

import (
	"fmt"
	"go/types"
	"strings"

	"parallax/cmd/internal/gobuild/signature"
	"parallax/internal/input"
)

// implementation returns an expression for a function with the same arguments and results. This is
// its name, or for a method a function that calls it on a new value.
func (w *writer) implementation(c *signature.Function) string {
	pkg := w.Alias(c.Package.ImportPath)
	switch {
	case c.Variable:
		return pkg + "." + c.Func.Receiver + "." + c.Func.Name
	case c.Receiver == nil:
		return pkg + "." + c.Func.Name
	}
	params, args := w.params(c)
	if c.Decodes {
		params, args = append(params, "v any"), append(args, "v")
	}
	var results, vars []string
	for i := 0; i < c.Type.Results().Len(); i++ {
		results = append(results, w.result(c, c.Type.Results().At(i).Type()))
		vars = append(vars, fmt.Sprintf("r%d", i+1))
	}
	if n := len(vars); n > 0 && c.Ending == signature.BoolLast {
		vars[n-1] = "ok"
	} else if n > 0 && c.Ending != signature.NoVerdict {
		vars[n-1] = "err"
	}
	call := fmt.Sprintf("x.%s(%s)", c.Func.Name, strings.Join(args, ", "))
	asError := c.Ending == signature.PointerError && results[len(results)-1] == "error" // there, a nil pointer in the interface would not equal nil
	if !c.OfReceiver && !asError && len(vars) > 0 {
		return fmt.Sprintf("func(%s) (%s) {\nreturn new(%s.%s).%s(%s)\n}", strings.Join(params, ", "), strings.Join(results, ", "),
			pkg, c.Func.Receiver, c.Func.Name, strings.Join(args, ", "))
	}
	if len(vars) > 0 {
		call = strings.Join(vars, ", ") + " := " + call
	}
	if c.OfReceiver {
		// The receiver is the value. It is compared by its pointer if all sides permit it, and if
		// it must not be copied.
		value, typ := "*x", w.TypeName(c.Receiver)
		if w.allReceivers() || locks(c.Receiver, 0) {
			value, typ = "x", "*"+typ
		}
		results, vars = append([]string{typ}, results...), append([]string{value}, vars...)
	}
	body := fmt.Sprintf("x := new(%s.%s)\n%s\n", pkg, c.Func.Receiver, call)
	if n := len(vars); asError {
		body += fmt.Sprintf("if err == nil {\nreturn %s\n}\n", strings.Join(append(vars[:n-1:n-1], "nil"), ", "))
	}
	if len(vars) > 0 {
		body += "return " + strings.Join(vars, ", ") + "\n"
	}
	return fmt.Sprintf("func(%s) (%s) {\n%s}", strings.Join(params, ", "), strings.Join(results, ", "), body)
}

// result returns the type of a result, or any if the type has no name in the test.
func (w *writer) result(c *signature.Function, t types.Type) string {
	if t == types.Universe.Lookup("error").Type() || c.Writable(t) {
		return w.TypeName(t)
	}
	if signature.IsError(t) {
		return "error"
	}
	return "any"
}

func (w *writer) allReceivers() bool {
	for i, c := range w.calls {
		if !c.OfReceiver || w.problems[i] != nil {
			return false
		}
	}
	return true
}

// locks reports whether a type contains a value that go vet does not permit to copy.
func locks(t types.Type, depth int) bool {
	if depth > 20 {
		return false
	}
	if _, pointer := t.Underlying().(*types.Pointer); !pointer && !types.IsInterface(t) {
		set := types.NewMethodSet(types.NewPointer(t))
		if set.Lookup(nil, "Lock") != nil && set.Lookup(nil, "Unlock") != nil {
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := 0; i < u.NumFields(); i++ {
			if locks(u.Field(i).Type(), depth+1) {
				return true
			}
		}
	case *types.Array:
		return locks(u.Elem(), depth+1)
	}
	return false
}

// params returns parameters of the fuzzing types, and the arguments that convert them.
func (w *writer) params(c *signature.Function) (params, args []string) {
	used := map[string]bool{"x": true, "v": true, "t": true, "f": true, "err": true, "ok": true}
	hides := func(name string) bool {
		return w.names[name] != "" || reserved[name] != "" || w.Taken[name] || types.Universe.Lookup(name) != nil
	}
	for i, t := range c.Params {
		name := c.Type.Params().At(i).Name()
		if !identifier(name) || name == "_" || used[name] || hides(name) {
			if name = fmt.Sprintf("a%d", i+1); len(c.Params) == 1 {
				name = map[input.Kind]string{input.Bytes: "data", input.String: "s"}[c.Shape[0]]
			}
			if name == "" {
				name = "n"
			}
		}
		used[name] = true
		params = append(params, name+" "+c.Shape[i].String())
		arg := name
		if named, ok := types.Unalias(t).(*types.Named); ok && !signature.Assignable(c.Shape[i], named) {
			arg = fmt.Sprintf("%s(%s)", w.TypeName(t), name)
		}
		args = append(args, arg)
	}
	return params, args
}
