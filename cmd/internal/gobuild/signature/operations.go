package signature

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/internal/sequence"
)

// Operations holds the common operations of two constructors' values, as package sequence needs
// them.
type Operations struct {
	Kinds []OperationKind
	Left  []string // methods that are left out, and why
}

// OperationKind is a kind of values on both sides.
type OperationKind struct {
	Name    string
	Methods []sequence.Method

	sides [2]types.Type
}

// mostMethods is how many operations a record can name.
const mostMethods = 256

// Common finds the methods that the values of two constructors have in common, and those of what
// these return. methods chooses: Create is of the value, file.Read of the kind of objects that is
// called file; with a minus sign it is left out. Nothing chosen is all.
func Common(a, b *Constructor, methods []string) (*Operations, error) {
	m := &matching{chosen: methods, used: make([]bool, len(methods))}
	m.kind(a.Makes, b.Makes)
	for k := 0; k < len(m.kinds); k++ { // kinds grow
		m.results(k)
	}
	for k := range m.kinds {
		m.methods(k)
	}
	ops := &Operations{Left: m.left}
	total := 0
	for _, k := range m.kinds {
		if len(methods) == 0 {
			ops.Left = append(ops.Left, k.alone(a.Text)...)
		}
		ops.Kinds = append(ops.Kinds, k.OperationKind)
		total += len(k.Methods)
	}
	for i, used := range m.used {
		if !used {
			return nil, exit.Usage("method %s: %s and %s have none of that name in common that can be called; there is %s%s", strings.TrimPrefix(methods[i], "-"), a.Func.Written, b.Func.Written, strings.Join(m.names(), ", "), because(m.left))
		}
	}
	switch {
	case len(ops.Kinds[0].Methods) == 0:
		return nil, exit.Usage("%s and %s return %s and %s, which have no method in common that can be called%s", a.Func.Written, b.Func.Written, a.Text(a.Makes), b.Text(b.Makes), because(m.left))
	case total > mostMethods:
		return nil, exit.Usage("%s and %s have %d methods in common, and a sequence can have %d: choose some", a.Func.Written, b.Func.Written, total, mostMethods)
	}
	return ops, nil
}

// mostAlone is how many methods are named that one side alone has.
const mostAlone = 12

// alone names the methods that one side has and the other has not: what they do is compared with
// nothing.
func (k *matched) alone(text func(types.Type) string) (left []string) {
	for i, t := range k.sides {
		other := methodsOf(k.sides[1-i])
		var names []string
		for name := range methodsOf(t) {
			if other[name] == nil && !says[name] {
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			continue
		}
		slices.Sort(names)
		if n := len(names); n > mostAlone {
			names = append(names[:mostAlone], fmt.Sprintf("%d more", n-mostAlone))
		}
		left = append(left, fmt.Sprintf("%s: left out are methods that %s alone has: %s", k.Name, text(t), strings.Join(names, ", ")))
	}
	return left
}

// because adds the methods that were left out to a message.
func because(left []string) string {
	if len(left) == 0 {
		return ""
	}
	return ":\n\t" + strings.Join(left, "\n\t")
}

// matching finds what two types have in common.
type matching struct {
	kinds  []*matched
	chosen []string
	used   []bool
	left   []string
}

type matched struct {
	OperationKind
	common []pair
}

// pair is a method that both sides have.
type pair struct {
	name  string
	sides [2]*types.Signature
}

// kind is the number of a kind of values, which is new unless the pair of types is known.
func (m *matching) kind(a, b types.Type) int {
	if k := m.find(a, b); k >= 0 {
		return k
	}
	k := &matched{OperationKind: OperationKind{Name: m.name(a), sides: [2]types.Type{a, b}}}
	other := methodsOf(b)
	for name, sig := range methodsOf(a) {
		if with := other[name]; with != nil && !says[name] {
			k.common = append(k.common, pair{name, [2]*types.Signature{sig, with}})
		}
	}
	slices.SortFunc(k.common, func(x, y pair) int { return strings.Compare(x.name, y.name) })
	m.kinds = append(m.kinds, k)
	return len(m.kinds) - 1
}

func (m *matching) find(a, b types.Type) int {
	return slices.IndexFunc(m.kinds, func(k *matched) bool {
		return types.Identical(k.sides[0], a) && types.Identical(k.sides[1], b)
	})
}

// says are methods that say what a value is, and no operations.
var says = map[string]bool{"String": true, "GoString": true, "Error": true, "Format": true, "Unwrap": true, "Is": true, "As": true,
	"MarshalText": true, "MarshalJSON": true, "MarshalBinary": true, "UnmarshalText": true, "UnmarshalJSON": true, "UnmarshalBinary": true}

// methodsOf are the exported methods of a value of a type.
func methodsOf(t types.Type) map[string]*types.Signature {
	all := map[string]*types.Signature{}
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		if fn, ok := set.At(i).Obj().(*types.Func); ok && fn.Exported() {
			all[fn.Name()] = fn.Type().(*types.Signature)
		}
	}
	return all
}

// name returns the name of variables of a type in transcripts.
func (m *matching) name(t types.Type) string {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	base := "value"
	if n, ok := t.(*types.Named); ok {
		base = strings.ToLower(n.Obj().Name())
	}
	if token.IsKeyword(base) || types.Universe.Lookup(base) != nil {
		base += "_"
	}
	name := base
	for i := 2; slices.ContainsFunc(m.kinds, func(k *matched) bool { return k.Name == name }); i++ {
		name = fmt.Sprintf("%s%c", base, 'a'+i-1)
	}
	return name
}

// results finds the kinds of objects that the methods of a kind return.
func (m *matching) results(k int) {
	for _, p := range m.kinds[k].common {
		a, b := p.sides[0].Results(), p.sides[1].Results()
		for i := 0; i < min(a.Len(), b.Len()); i++ {
			if m.isObject(a.At(i).Type(), b.At(i).Type()) {
				m.kind(a.At(i).Type(), b.At(i).Type())
			}
		}
	}
}

// plain are interfaces whose values are shown, and not called.
var plain = []string{"io/fs.FileInfo", "io/fs.DirEntry", "reflect.Type", "context.Context"}

// isObject reports whether two results are values whose methods are operations: pointers or
// interfaces with methods in common.
func (m *matching) isObject(a, b types.Type) bool {
	if m.find(a, b) >= 0 {
		return true
	}
	for _, t := range []types.Type{a, b} {
		_, pointer := types.Unalias(t).(*types.Pointer)
		if !pointer && !types.IsInterface(t) || types.Implements(t, errorInterface) || slices.Contains(plain, typePath(t)) {
			return false
		}
	}
	other := methodsOf(b)
	for name := range methodsOf(a) {
		if other[name] != nil && !says[name] {
			return true
		}
	}
	return false
}

// typePath is a type's path and name, if it has one.
func typePath(t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// methods makes the operations of a kind.
func (m *matching) methods(k int) {
	kind := m.kinds[k]
	for _, p := range kind.common {
		if !m.wanted(k, p.name) {
			continue
		}
		method, why := m.method(p)
		if why != "" {
			m.left = append(m.left, fmt.Sprintf("%s.%s is left out: %s", kind.Name, p.name, why))
			continue
		}
		for i, c := range m.chosen {
			m.used[i] = m.used[i] || m.means(k, c, p.name)
		}
		kind.Methods = append(kind.Methods, method)
	}
}

// means reports whether a chosen name is that of a method.
func (m *matching) means(k int, chosen, name string) bool {
	chosen = strings.TrimPrefix(chosen, "-")
	return k == 0 && chosen == name || chosen == m.kinds[k].Name+"."+name
}

// wanted reports whether a method is to be an operation. For a kind with named methods, only those
// are.
func (m *matching) wanted(k int, name string) bool {
	some := false
	for i, c := range m.chosen {
		if strings.HasPrefix(c, "-") {
			if m.means(k, c, name) {
				m.used[i] = true
				return false
			}
			continue
		}
		if m.means(k, c, name) {
			return true
		}
		kind, _, ofKind := strings.Cut(c, ".")
		some = some || !ofKind && k == 0 || ofKind && kind == m.kinds[k].Name
	}
	return !some
}

// names are those of all methods that can be called.
func (m *matching) names() (list []string) {
	for i, k := range m.kinds {
		for _, p := range k.common {
			if _, why := m.method(p); why != "" {
				continue
			}
			name := p.name
			if i > 0 {
				name = k.Name + "." + name
			}
			list = append(list, name)
		}
	}
	return list
}

// method makes an operation of a method, or says why it is none.
func (m *matching) method(p pair) (out sequence.Method, why string) {
	out.Name = p.name
	a, b := p.sides[0], p.sides[1]
	switch {
	case a.Params().Len() != b.Params().Len() || a.Variadic() != b.Variadic():
		return out, "it takes other arguments on either side"
	case a.Results().Len() != b.Results().Len():
		return out, "it has other results on either side"
	}
	for i := range a.Params().Len() {
		x, y := a.Params().At(i), b.Params().At(i)
		last := a.Variadic() && i == a.Params().Len()-1
		arg, ok := m.arg(p.name, x, last)
		other, too := m.arg(p.name, y, last)
		if object := m.find(element(x, last), element(y, last)); object >= 0 {
			arg, ok = sequence.Arg{Class: sequence.Object, Kind: object}, true
			other, too = arg, true
		}
		if !ok || !too {
			return out, fmt.Sprintf("nothing is drawn for its parameter of type %s", typeText(x.Type()))
		}
		if textLike := arg.Class <= sequence.Text && other.Class <= sequence.Text; arg.Class != other.Class && !textLike && !(numeric(arg.Class) && numeric(other.Class)) {
			return out, fmt.Sprintf("its parameter %s is of type %s on one side, and %s on the other", x.Name(), typeText(x.Type()), typeText(y.Type()))
		}
		arg.Variadic = last
		out.Args = append(out.Args, arg)
	}
	out.Filled = slices.ContainsFunc(out.Args, func(a sequence.Arg) bool { return a.Class == sequence.Buffer })
	for i := range a.Results().Len() {
		x, y := a.Results().At(i).Type(), b.Results().At(i).Type()
		object := -1
		if m.isObject(x, y) {
			object = m.find(x, y)
		} else if !shown(x, y) {
			return out, fmt.Sprintf("its results of type %s and %s cannot be compared", typeText(x), typeText(y))
		}
		out.Results = append(out.Results, object)
	}
	return out, ""
}

func numeric(c sequence.Class) bool {
	return c == sequence.Int || c == sequence.Flag || c == sequence.Whence
}

// element is a parameter's type, of one of them if it is variadic.
func element(v *types.Var, variadic bool) types.Type {
	if s, ok := v.Type().(*types.Slice); ok && variadic {
		return s.Elem()
	}
	return v.Type()
}

// shown reports whether results of two types can be shown so that they can be compared.
func shown(a, b types.Type) bool {
	if isError(a) && isError(b) || types.Implements(a, errorInterface) && types.Implements(b, errorInterface) {
		return true
	}
	if !types.Identical(a, b) {
		return comparableTypes(a, b)
	}
	switch u := a.Underlying().(type) {
	case *types.Signature, *types.Chan:
		return false
	case *types.Pointer:
		_, is := u.Elem().Underlying().(*types.Struct)
		return !is || len(methodsOf(a)) == 0
	}
	return true
}

// contentNames are names of parameters that are content, and no names.
var contentNames = []string{"s", "str", "data", "content", "contents", "text", "value", "body", "val"}

// numberNames are names of parameters that are drawn in a way of their own.
var numberNames = map[string]sequence.Class{"flag": sequence.Flag, "flags": sequence.Flag, "whence": sequence.Whence}

// arg says how a parameter is drawn.
func (m *matching) arg(method string, v *types.Var, variadic bool) (arg sequence.Arg, ok bool) {
	t := element(v, variadic)
	switch typePath(t) {
	case "io/fs.FileMode":
		return sequence.Arg{Class: sequence.Mode}, true
	case "time.Time":
		return sequence.Arg{Class: sequence.Time}, true
	case "time.Duration":
		return sequence.Arg{Class: sequence.Duration}, true
	case "context.Context":
		return sequence.Arg{Class: sequence.Context}, true
	case "io.Reader":
		return sequence.Arg{Class: sequence.Reader}, true
	case "io.Writer":
		return sequence.Arg{Class: sequence.Writer}, true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		info := u.Info()
		switch {
		case info&types.IsString != 0 && slices.Contains(contentNames, v.Name()):
			return sequence.Arg{Class: sequence.Text}, true
		case info&types.IsString != 0:
			return sequence.Arg{Class: sequence.Name}, true
		case info&types.IsBoolean != 0:
			return sequence.Arg{Class: sequence.Bool}, true
		case u.Kind() == types.Int && numberNames[v.Name()] != 0:
			return sequence.Arg{Class: numberNames[v.Name()]}, true
		case info&types.IsInteger != 0:
			return sequence.Arg{Class: sequence.Int}, true
		case info&types.IsFloat != 0:
			return sequence.Arg{Class: sequence.Float}, true
		}
	case *types.Slice:
		if b, is := u.Elem().Underlying().(*types.Basic); is && b.Kind() == types.Uint8 {
			if strings.HasPrefix(method, "Read") {
				return sequence.Arg{Class: sequence.Buffer}, true
			}
			return sequence.Arg{Class: sequence.Bytes}, true
		}
	case *types.Interface:
		if emptyInterface(t) {
			return sequence.Arg{Class: sequence.Any}, true
		}
	}
	return arg, false
}
