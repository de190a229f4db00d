package signature

import (
	"go/types"
	"slices"
	"sort"
	"strings"

	"parallax/cmd/internal/base/myers"
)

func functions(s *types.Scope) []string {
	var names []string
	for _, name := range s.Names() {
		if f, ok := s.Lookup(name).(*types.Func); ok && f.Exported() {
			names = append(names, name)
		}
	}
	return names
}

func typeNames(s *types.Scope) []string {
	var names []string
	for _, name := range s.Names() {
		if t, ok := s.Lookup(name).(*types.TypeName); ok && t.Exported() {
			names = append(names, name)
		}
	}
	return names
}

// Methods lists the exported methods that a value of the type, or a pointer to it, has.
func Methods(t types.Type) []string {
	var names []string
	if _, pointer := t.Underlying().(*types.Pointer); !pointer && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	set := types.NewMethodSet(t)
	for i := 0; i < set.Len(); i++ {
		if m := set.At(i).Obj(); m.Exported() {
			names = append(names, m.Name())
		}
	}
	return names
}

func kindOf(obj types.Object) string {
	switch obj.(type) {
	case *types.TypeName:
		return "type"
	case *types.Const:
		return "constant"
	case *types.Func:
		return "function"
	}
	return "variable"
}

// maxSimilar bounds the names in a message.
const maxSimilar = 10

// similar suggests the names that are like the missing one, the nearest first. They have few other
// letters, contain it or are in it, or share a word with it.
func similar(name string, names []string) string {
	type scored struct {
		name     string
		distance int
	}
	var near []scored
	for _, other := range names {
		a, b := strings.ToLower(name), strings.ToLower(other)
		d := myers.Distance([]byte(a), []byte(b))
		within := len(a) > 3 && strings.Contains(b, a) || len(b) > 3 && strings.Contains(a, b)
		if d <= 1+len(name)/4 || within || slices.ContainsFunc(words(name), func(w string) bool { return slices.Contains(words(other), w) }) {
			near = append(near, scored{other, d})
		}
	}
	if len(near) == 0 {
		return ""
	}
	sort.SliceStable(near, func(i, j int) bool { return near[i].distance < near[j].distance })
	var list []string
	for _, n := range near[:min(len(near), maxSimilar)] {
		list = append(list, n.name)
	}
	if len(near) > maxSimilar {
		list = append(list, "...")
	}
	return " (it has " + strings.Join(list, ", ") + ")"
}

// words returns the words of four letters and more of a name in mixed caps, in lower case.
func words(name string) (list []string) {
	start := 0
	for i := 1; i <= len(name); i++ {
		if i == len(name) || name[i] >= 'A' && name[i] <= 'Z' {
			if i-start >= 4 {
				list = append(list, strings.ToLower(name[start:i]))
			}
			start = i
		}
	}
	return list
}
