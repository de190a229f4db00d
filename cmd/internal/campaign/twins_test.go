package campaign

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/instrument/golang"
)

// Packages are versions of each other when most of their text is the same, and not because of a helper that both hold.
func TestTwins(t *testing.T) {
	const helper = `package p

func isDigit(b byte) bool {
	if b < '0' {
		return false
	}
	return b <= '9'
}
`
	const parse = `package p

func Parse(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] == '#' {
			return -1
		}
		if !isDigit(s[i]) {
			continue
		}
		n++
	}
	return n
}
`
	added := strings.Replace(parse, "\t\tn++\n", "\t\tif n > 9 {\n\t\t\treturn n\n\t\t}\n\t\tn++\n", 1)
	negated := strings.Replace(parse, "s[i] == '#'", "s[i] != '#'", 1)
	foreign := `package p

func Parse(s string) int {
	switch {
	case s == "":
		return 0
	case isDigit(s[0]) && len(s) > 3:
		return 7
	case len(s) > 9:
		return 9
	}
	return len(s)
}
`
	for _, test := range []struct {
		name string
		a, b map[string]string
		want int // blocks of b with a twin
	}{
		{name: "a copy", a: map[string]string{"parse.go": parse, "util.go": helper}, b: map[string]string{"parse.go": parse, "util.go": helper}, want: 13},
		{name: "another condition", a: map[string]string{"parse.go": parse, "util.go": helper}, b: map[string]string{"parse.go": negated, "util.go": helper}, want: 13},
		{name: "a branch more", a: map[string]string{"parse.go": parse, "util.go": helper}, b: map[string]string{"parse.go": added, "util.go": helper}, want: 13},
		{name: "a helper in common", a: map[string]string{"parse.go": parse, "util.go": helper}, b: map[string]string{"parse.go": foreign, "util.go": helper}},
		{name: "files of other names", a: map[string]string{"parse.go": parse, "util.go": helper}, b: map[string]string{"read.go": parse, "tools.go": helper}},
	} {
		tables := []*golang.Table{tableOf(t, "a", test.a), tableOf(t, "b", test.b)}
		n := len(tables[0].Blocks)
		numbers := alignVersions(tables, []int{0, n}, n+len(tables[1].Blocks)).numbers
		got := 0
		for i, number := range numbers {
			if i < n && number != i {
				t.Errorf("%s: block %d of the first package has number %d", test.name, i, number)
			}
			if i >= n && number != i {
				got++
				a, b := tables[0].Blocks[number], tables[1].Blocks[i-n]
				if a.Kind != b.Kind {
					t.Errorf("%s: %v at line %d is taken for %v at line %d", test.name, b.Kind, b.Line, a.Kind, a.Line)
				}
			}
		}
		if got != test.want {
			t.Errorf("%s: %d twins of %d blocks, want %d", test.name, got, len(tables[1].Blocks), test.want)
		}
	}
}

func tableOf(t *testing.T, path string, files map[string]string) *golang.Table {
	t.Helper()
	dir := t.TempDir()
	var names []string
	for _, name := range []string{"parse.go", "read.go", "tools.go", "util.go"} {
		if text, ok := files[name]; ok {
			file := filepath.Join(dir, name)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			names = append(names, file)
		}
	}
	table, err := golang.Analyze(path, names, golang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}
