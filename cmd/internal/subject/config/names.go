package config

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName bounds names so that lines of reports stay readable.
const maxName = 100

// unusable explains why a program cannot have a name. Empty means that it can.
func unusable(name string) string {
	switch {
	case utf8.RuneCountInString(name) > maxName:
		return "a name has at most 100 characters"
	case strings.TrimSpace(name) != name:
		return "remove the space around it"
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "a name is one line of text that can be printed"
	case strings.Contains(name, ","):
		return "a name has no comma, because names are in lists"
	}
	return ""
}

// names names the programs without a name. A name is the shortest suffix of the program's path, cut
// at slashes, that no other program has.
func (r *reader) names(f *File) {
	given := map[string]Position{}
	parts := make([][]string, len(f.Programs)) // nil for a program with a name
	take := make([]int, len(f.Programs))
	for i, p := range f.Programs {
		if p.Name == "" {
			parts[i], take[i] = strings.Split(p.runs(), "/"), 1
		} else if at, again := given[p.Name]; again {
			r.Reportf(p.At, "there are two programs %q, the first in line %d: give each a different name", p.Name, at.Line)
		} else {
			given[p.Name] = p.At
		}
	}
	name := func(i int) string { return strings.Join(parts[i][len(parts[i])-take[i]:], "/") }
	for {
		grown := false
		for i := range parts {
			if parts[i] == nil || take[i] == len(parts[i]) {
				continue
			}
			_, taken := given[name(i)]
			same := func(j int) bool { return j != i && parts[j] != nil && name(j) == name(i) }
			for j := range parts {
				if same(j) {
					taken = true
				}
			}
			if !taken {
				continue
			}
			// All programs with one name get longer names together, so that the order of the file
			// does not decide who gets the short one.
			group := []int{i}
			for j := range parts {
				if same(j) && take[j] < len(parts[j]) {
					group = append(group, j)
				}
			}
			for _, j := range group {
				take[j]++
			}
			grown = true
			break
		}
		if !grown {
			break
		}
	}
	first := map[string]Position{}
	for i := range f.Programs {
		if parts[i] == nil {
			continue
		}
		p := &f.Programs[i]
		if p.Name = name(i); p.Name == "" { // its path is missing, which is reported already
			continue
		}
		at, again := first[p.Name]
		if other, ok := given[p.Name]; ok {
			at, again = other, true
		}
		switch {
		case again:
			r.Reportf(p.At, "two programs would have the name %q, the other in line %d: give this one a name", p.Name, at.Line)
		case unusable(p.Name) != "":
			r.Reportf(p.At, "this program would have the name %q, which is not possible: give it a name", p.Name)
		}
		first[p.Name] = p.At
	}
}

// runs returns the path or command that a program runs. Empty means that it has no kind.
func (p *Program) runs() string {
	if p.Settings == nil {
		return ""
	}
	return p.Settings.Runs()
}
