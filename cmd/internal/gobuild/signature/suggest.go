package signature

import (
	"go/types"
	"sort"
	"strings"
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

// similar suggests up to three of the names that are like the one that is missing.
func similar(name string, names []string) string {
	type scored struct {
		name     string
		distance int
	}
	var near []scored
	for _, other := range names {
		a, b := strings.ToLower(name), strings.ToLower(other)
		d := distance(a, b)
		if d <= 1+len(name)/4 || len(a) > 3 && strings.Contains(b, a) || len(b) > 3 && strings.Contains(a, b) {
			near = append(near, scored{other, d})
		}
	}
	sort.SliceStable(near, func(i, j int) bool { return near[i].distance < near[j].distance })
	var list []string
	for i := 0; i < len(near) && i < 3; i++ {
		list = append(list, near[i].name)
	}
	if len(list) == 0 {
		return ""
	}
	return " (it has " + strings.Join(list, ", ") + ")"
}

// distance is the number of edits between two words (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
