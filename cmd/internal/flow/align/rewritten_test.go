package align

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
)

// loop is a function of a few blocks, in a package of many.
const loop = `package p

func Scan(s string) int {
	n := 0
	for i := range len(s) {
		n += int(s[i])
		n %= 17
	}
	println(n)
	return n
}
` + others

// branched is a version with all lines, and so many further blocks that few correspond.
var branched = strings.Replace(loop, "\t\tn %= 17\n", `		n %= 17
		switch {
		case n == 1:
			n = 2
		case n == 2:
			n = 3
		case n == 3:
			n = 4
		case n == 4:
			n = 5
		}
`, 1)

// rewritten is a version with other lines.
var rewritten = loop[:strings.Index(loop, "\tn := 0")] + `	for s != "" {
		switch s[0] {
		case '1':
			return 1
		case '2':
			return 2
		case '3':
			return 3
		}
		s = s[1:]
	}
	return len(s)
}
` + others

// kept returns a version that keeps n of the lines.
func kept(n int) string {
	at := strings.Index(loop, "func Scan")
	return loop[:at] + strings.Join(strings.SplitAfter(loop[at:], "\n")[:n], "") + strings.Repeat("\tfor {\n", max(0, 3-n)) + `		switch n {
		case 1:
			return 1
		case 2:
			return 2
		case 3:
			return 3
		case 4:
			return 4
		}
	}
	return 0
}
` + others
}

// shifted is a version of branched with the same blocks.
var shifted = strings.Replace(branched, "n = 5", "n = 6", 1)

// spaceOf returns a space of versions of a file. The program of each version has its index.
func spaceOf(t *testing.T, versions ...string) (*flow.Space, []*flow.Table) {
	t.Helper()
	var tables []*flow.Table
	s := &flow.Space{Align: Versions}
	for i, text := range versions {
		tables = append(tables, tableOf(t, fmt.Sprint("p", i), map[string]string{"parse.go": text}))
		s.Add(tables[i], i)
	}
	return s, tables
}

// blocksOf returns the blocks of a function in a table.
func blocksOf(s *flow.Space, table *flow.Table, name string) (list []int) {
	s.All(func(t *flow.Table, first int, _ []int) {
		for _, f := range t.Funcs {
			for i := range f.Count {
				if t == table && f.Name == name {
					list = append(list, first+f.First+i)
				}
			}
		}
	})
	return list
}

func TestFurtherFunctions(t *testing.T) {
	for _, test := range []struct {
		name     string
		from, to string
		want     string // functions that are versions of each other by their lines
		hunks    []string
	}{
		{"the same", loop, loop, "", nil},
		{"blocks that correspond", loop, strings.Replace(loop, "n %= 17", "n %= 19", 1), "", []string{"Scan|-n %= 17|+n %= 19"}},
		{"many blocks more", loop, branched, "Scan", []string{"Scan|+switch {|+case n == 1 :|+n = 2|+case n == 2 :|+n = 3|+case n == 3 :|+n = 4|+case n == 4 :|+n = 5|+}"}},
		{"many blocks less", branched, loop, "Scan", []string{"Scan|-switch {|-case n == 1 :|-n = 2|-case n == 2 :|-n = 3|-case n == 3 :|-n = 4|-case n == 4 :|-n = 5|-}"}},
		{"most of the lines", loop, kept(5), "Scan", []string{"Scan|+switch n {|+case 1 :|+return 1|+case 2 :|+return 2|+case 3 :|+return 3|+case 4 :|+return 4|-println ( n )|-return n|+}|+return 0"}},
		{"fewer than half", loop, kept(2), "", []string{"Scan!"}},
		{"other lines", loop, rewritten, "", []string{"Scan!"}},
		{"a function that only one has", loop, strings.Replace(branched, "func Scan", "func Read", 1), "", []string{"Scan!", "Read!"}},
	} {
		s, tables := spaceOf(t, test.from, test.to)
		var names []string
		for _, p := range further(codeFiles{}, tables[0], tables[1], pairFunctions(sourceLines{}, tables[0], tables[1], false)) {
			if names = append(names, p.a.Name); p.a.Name != p.b.Name || len(p.blocks) > 0 {
				t.Errorf("%s: %+v", test.name, p)
			}
		}
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		if got := hunksOf(t, test.from, test.to); !slices.Equal(got, test.hunks) {
			t.Errorf("%s: hunks %q, want %q", test.name, got, test.hunks)
		}
		// All blocks of such a function are near each other, and near nothing else; others are near
		// their counterparts alone.
		loose := map[int]bool{}
		numbers := map[int]bool{}
		for k, table := range tables {
			for _, name := range names {
				for _, id := range blocksOf(s, table, name) {
					loose[id], numbers[s.Near(id)] = true, true
				}
			}
			if k == 1 && len(numbers) != len(names) {
				t.Errorf("%s: blocks of %q have the numbers %v", test.name, names, numbers)
			}
		}
		for id := range s.Len() {
			if !loose[id] && (s.Near(id) != s.Counterpart(id) || numbers[s.Near(id)]) {
				t.Errorf("%s: block %d is near %d", test.name, id, s.Near(id))
			}
		}
	}
}

// TestNearOfSeveral checks that blocks of a function with several versions are near each other,
// whichever versions have corresponding blocks.
func TestNearOfSeveral(t *testing.T) {
	for name, versions := range map[string][]string{
		"the first has less":             {loop, branched, shifted},
		"the second has less":            {branched, loop, shifted},
		"the last has less":              {branched, shifted, loop},
		"two functions":                  {loop, strings.Replace(branched, "func other", "func more() {}\n\nfunc other", 1), shifted},
		"the last is a copy of another":  {loop, branched, loop},
		"four versions, two of each":     {loop, branched, shifted, loop},
		"in an order of other programs'": {shifted, branched, loop, branched},
	} {
		s, tables := spaceOf(t, versions...)
		near := map[int]bool{}
		for _, table := range tables {
			for _, id := range blocksOf(s, table, "Scan") {
				near[s.Near(id)] = true
			}
		}
		if len(near) != 1 {
			t.Errorf("%s: blocks of one function are in %d parts", name, len(near))
		}
		for _, table := range tables[1:] {
			for i, id := range blocksOf(s, table, "other") {
				if s.Near(id) != s.Near(blocksOf(s, tables[0], "other")[i]) || near[s.Near(id)] {
					t.Errorf("%s: block %d of another function is near %d", name, i, s.Near(id))
				}
			}
		}
	}
	// Also if the last version is the one that has lines of two which have none in common, and the
	// blocks of one of these.
	const statements = "\tprintln(1)\n\tprintln(2)\n\tprintln(3)\n\tprintln(4)\n\tprintln(5)\n\tprintln(6)\n"
	head := loop[:strings.Index(loop, "\tn := 0")]
	s, tables := spaceOf(t, head+statements+"\treturn 1\n}\n"+others, rewritten, strings.Replace(rewritten, head, head+statements, 1))
	near := map[int]bool{}
	for _, table := range tables {
		for _, id := range blocksOf(s, table, "Scan") {
			near[s.Near(id)] = true
		}
	}
	if len(near) != 1 {
		t.Errorf("a version between two: blocks of one function are in %d parts", len(near))
	}
	// Where all correspond, each block is near its counterparts alone.
	s, tables = spaceOf(t, branched, shifted, branched)
	near = map[int]bool{}
	for _, id := range blocksOf(s, tables[0], "Scan") {
		near[s.Near(id)] = true
	}
	if len(near) != len(blocksOf(s, tables[0], "Scan")) {
		t.Errorf("blocks of a function are near each other: %v", near)
	}
}

// TestHunksInOrderOfPrograms checks that hunk names depend on the order of the programs, not on the
// order of their blocks.
func TestHunksInOrderOfPrograms(t *testing.T) {
	for name, edit := range map[string][2]string{
		"a line":           {loop, strings.Replace(loop, "n %= 17", "n %= 19", 1)},
		"blocks":           {loop, branched},
		"a function":       {loop, loop + "\nfunc more() {}\n"},
		"one written anew": {loop, rewritten},
		"a constant":       {strings.Replace(loop, "17", "limit", 1) + "\nconst limit = 17\n", strings.Replace(loop, "17", "limit", 1) + "\nconst limit = 18\n"},
		"several":          {loop, strings.NewReplacer("n %= 17", "n %= 19", "return 10", "return 11", "n := 0", "n := 1").Replace(loop)},
	} {
		a, b := tableOf(t, "a", map[string]string{"parse.go": edit[0]}), tableOf(t, "b", map[string]string{"parse.go": edit[1]})
		names := func(s *flow.Space) (list []string, blocks map[string]string) {
			v := Versions(s)
			blocks = map[string]string{}
			for i, h := range v.Hunks {
				list = append(list, fmt.Sprintf("%+v", h))
				for id, d := range v.Changed {
					if d.Hunk == i {
						t, b := s.Block(id)
						blocks[fmt.Sprint(t.Package, b.ID)] = list[i]
					}
				}
			}
			slices.Sort(list)
			return list, blocks
		}
		first, second, swapped := &flow.Space{}, &flow.Space{}, &flow.Space{}
		first.Add(a, 0)
		first.Add(b, 1)
		second.Add(b, 1)
		second.Add(a, 0)
		swapped.Add(a, 1)
		swapped.Add(b, 0)
		want, blocks := names(first)
		if len(want) == 0 || len(blocks) == 0 {
			t.Errorf("%s: nothing is changed", name)
		}
		if got, of := names(second); !slices.Equal(got, want) || !maps.Equal(of, blocks) {
			t.Errorf("%s: hunks %q of %v, and %q of %v where the other table comes first", name, want, blocks, got, of)
		}
		text := func(list []string) bool {
			return slices.ContainsFunc(list, func(h string) bool { return !strings.Contains(h, "Whole:true") })
		}
		if got, _ := names(swapped); text(want) == slices.Equal(got, want) {
			t.Errorf("%s: hunks %q, and %q of programs in another order", name, want, got)
		}
	}
}

// TestHunksOfSeveral checks that a difference between several versions is one hunk, whichever two
// are compared.
func TestHunksOfSeveral(t *testing.T) {
	edited := strings.Replace(loop, "n %= 17", "n %= 19", 1)
	for name, test := range map[string]struct {
		versions []string
		want     int
	}{
		"two":                        {[]string{loop, edited}, 1},
		"one edited, the last":       {[]string{loop, loop, edited}, 1},
		"the first":                  {[]string{edited, loop, loop}, 1},
		"many blocks more":           {[]string{loop, loop, branched}, 1},
		"a function more":            {[]string{loop, loop, loop + "\nfunc more() {}\n"}, 1},
		"four, of which two are one": {[]string{loop, loop, edited, edited}, 1},
		"edited and undone":          {[]string{loop, edited, loop}, 2},
		"two edits":                  {[]string{loop, edited, strings.Replace(loop, "n %= 17", "n %= 23", 1)}, 3},
		"none":                       {[]string{loop, loop, loop}, 0},
	} {
		s, _ := spaceOf(t, test.versions...)
		v := Versions(s)
		if len(v.Hunks) != test.want {
			t.Errorf("%s: %d hunks, want %d: %+v", name, len(v.Hunks), test.want, v.Hunks)
		}
		for id, d := range v.Changed {
			if d.Hunk >= len(v.Hunks) {
				t.Errorf("%s: block %d is changed in hunk %d of %d", name, id, d.Hunk, len(v.Hunks))
			}
		}
	}
}

// TestHunksOfOneVersion checks hunks of functions that one version has, and that both have.
func TestHunksOfOneVersion(t *testing.T) {
	for name, test := range map[string]struct {
		to   string
		want string
	}{
		"a line":           {strings.Replace(loop, "n %= 17", "n %= 19", 1), ""},
		"many blocks":      {branched, ""},
		"one written anew": {rewritten, ""},
		"one more":         {loop + "\nfunc more() {}\n", "more"},
		"one renamed":      {strings.Replace(loop, "func Scan", "func Read", 1), "Read Scan"},
		"a constant":       {loop + "\nconst limit = 17\n", ""},
	} {
		s, _ := spaceOf(t, loop, test.to)
		var list []string
		for _, h := range Versions(s).Hunks {
			if h.Lone {
				list = append(list, h.Function)
			}
			if h.Lone && !h.Whole {
				t.Errorf("%s: %+v", name, h)
			}
		}
		slices.Sort(list)
		if got := strings.Join(list, " "); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
