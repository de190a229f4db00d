package change

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
)

const header = `#define LIMIT 10
#define TWICE (2 * \
	LIMIT)
struct pair {
	int a;
	int b;
};
enum { RED, GREEN };
`

const program = `#include "x.h"

static int table[] = { 1, 2 };

int one(int x)
{
	if (x > 0) {
		x++;
		return x;
	}
	return LIMIT;
}

int two(struct pair *p)
{
	p->a = GREEN;
	return TWICE;
}

int three(int i)
{
	return table[i];
}
`

// compiled returns the block table of a compiler: a block for each line that ends in a semicolon or
// in a brace of a condition.
func compiled(t *testing.T, dir string) *flow.Table {
	t.Helper()
	path := filepath.Join(dir, "x.c")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	table := &flow.Table{Package: "program"}
	file := flow.File{Path: path}
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case strings.HasPrefix(line, "int "):
			name, _, _ := strings.Cut(line[4:], "(")
			table.Funcs = append(table.Funcs, flow.Func{Name: name, File: path, Line: i + 1, First: len(table.Blocks)})
		case strings.HasPrefix(line, "\t") && strings.ContainsAny(line, ";{"):
			id := len(table.Blocks)
			table.Blocks = append(table.Blocks, flow.Block{ID: id, Func: len(table.Funcs) - 1, Kind: flow.Straight, File: path, Line: i + 1})
			table.Funcs[len(table.Funcs)-1].Count++
			file.Lines = append(file.Lines, flow.Line{Line: i + 1, Blocks: []int{id}})
		}
	}
	table.Files = []flow.File{file}
	return table
}

// TestPrograms checks changed lines of C: in functions, and in the declarations that they name.
func TestPrograms(t *testing.T) {
	for _, tt := range []struct {
		name  string
		edits []string // for both files: parts and their replacements
		want  []string
		notes []string
	}{
		{"nothing", nil, nil, nil},
		{"comments and blanks", []string{"x++;", "x ++ ; /* one\n\tmore */", "#define LIMIT 10", "#define  LIMIT\t10 // ten"}, nil, nil},
		{"a statement", []string{"x++;", "x--;"}, []string{"source one: x--;"}, nil},
		{"a condition broken into lines", []string{"if (x > 0) {", "if (x >\n\t    1) {"}, []string{"source one: 1) {"}, nil},
		{"a line more", []string{"\t\tx++;\n", "\t\tx++;\n\t\tx += 2;\n"}, []string{"source one: x += 2;"}, nil},
		{"a deletion", []string{"\t\tx++;\n", ""}, []string{"deletion one: return x;"}, nil},
		{"a deletion at the end", []string{"\treturn TWICE;\n", ""}, []string{"deletion two: p->a = GREEN;"}, nil},
		{"a macro", []string{"#define LIMIT 10", "#define LIMIT 11"}, []string{"constant one: return LIMIT;", "constant two: return TWICE;"}, nil},
		{"a macro's second line", []string{"\tLIMIT)", "\tLIMIT + 1)"}, []string{"constant two: return TWICE;"}, nil},
		{"a field", []string{"int a;", "long a;"}, []string{"type two: p->a = GREEN;"}, nil},
		{"a field that nobody names", []string{"int b;", "long b;"}, nil, []string{"unused: b in x.h changed"}},
		{"an enumeration", []string{"RED, GREEN", "RED, BLUE, GREEN"}, []string{"type two: p->a = GREEN;"}, nil},
		{"a function more", []string{"int three(", "int four(void)\n{\n\treturn 4;\n}\n\nint three("}, []string{"source four: return 4;"}, nil},
		{"a macro's use alone", []string{"return LIMIT;", "return LIMIT + 1;"}, []string{"source one: return LIMIT + 1;"}, nil},
		{"an include", []string{"#include \"x.h\"\n", "#include \"x.h\"\n#include <stdio.h>\n"}, nil, []string{"unused: Lines changed in x.c without a block"}},
		{"a variable", []string{"{ 1, 2 }", "{ 1, 3 }"}, []string{"type three: return table[i];"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			r := strings.NewReplacer(tt.edits...)
			lay(t, root, "-- old/x.h --\n"+header+"-- old/x.c --\n"+program+"-- new/x.h --\n"+r.Replace(header)+"-- new/x.c --\n"+r.Replace(program))
			old, new := filepath.Join(root, "old"), filepath.Join(root, "new")
			table := compiled(t, new)
			got, err := Compare(context.Background(), &Tree{Root: old}, &Tree{Root: new, Programs: []*flow.Table{table}})
			if err != nil {
				t.Fatal(err)
			}
			text, _ := os.ReadFile(filepath.Join(new, "x.c"))
			lines := strings.Split(string(text), "\n")
			var points []string
			for _, p := range got.Points {
				var at []string
				for _, b := range p.Blocks {
					at = append(at, strings.TrimSpace(lines[table.Blocks[b].Line-1]))
				}
				points = append(points, string(p.Kind)+" "+p.Function+": "+strings.Join(at, " "))
			}
			if !slices.Equal(points, tt.want) {
				t.Errorf("points are %q, want %q; notes %q", points, tt.want, got.Notes)
			}
			for _, part := range tt.notes {
				if !slices.ContainsFunc(got.Notes, func(n Note) bool { return strings.Contains(n.Kind+": "+n.Text, part) }) {
					t.Errorf("no note says %q: %q", part, got.Notes)
				}
			}
		})
	}
}
