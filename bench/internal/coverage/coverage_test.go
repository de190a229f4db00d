package coverage

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"parallax/bench/internal/process"
	"parallax/bench/internal/subject"
)

func TestParse(t *testing.T) {
	tests := []struct {
		text string
		want profile
		bad  bool
	}{
		{
			"mode: set\na/b.go:1.2,3.4 2 1\na/c d.go:5.6,7.8 1 0\na/b.go:1.2,3.4 2 0\n",
			profile{"a/b.go:1.2,3.4": true, "a/c d.go:5.6,7.8": false}, false,
		},
		{"mode: set\n", profile{}, false},
		{"mode: set\na/b.go:1.2,3.4 2 1\na/b.go:3", nil, false}, // cut off
		{"", nil, false},
		{"mode: set\nrubbish\n", nil, true},
		{"mode: set\na/b.go:1.2,3.4 2 x\n", nil, true},
	}
	for _, test := range tests {
		got, err := parse(test.text)
		if !reflect.DeepEqual(got, test.want) || (err != nil) != test.bad {
			t.Errorf("%q: %v, %v", test.text, got, err)
		}
	}
}

const source = `package p

import "os"

func F(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	switch b[0] {
	case 'a':
		return 1
	case 'b':
		return 2
	case 'p':
		panic("p")
	case 'x':
		os.Exit(0)
	}
	return 3
}
`

const harness = `package p

import "testing"

func FuzzF(f *testing.F) {
	f.Add([]byte("?"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if F(b) == 2 {
			t.Fatal("b")
		}
	})
}
`

// TestMeasure: inputs that fail count; inputs that end the process do not, and keep no other from
// being counted.
func TestMeasure(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a test binary")
	}
	from := t.TempDir()
	seed := "testdata/fuzz/FuzzF/own"
	files := map[string]string{"go.mod": "module p\n\ngo 1.22\n", "p.go": source, "p_test.go": harness, seed: encode("")}
	for name, text := range files {
		name = filepath.Join(from, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	pkg, err := subject.Subject{Name: "p", Folder: from, Package: ".", Fuzz: "FuzzF", Raw: "[]byte"}.Checkout(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m, seeds, err := New(ctx, pkg, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	// The function's entry, empty, after it, and seven: a, b, p, x, the end. The switch belongs to
	// what is before it.
	if len(m.Blocks) != 8 || count(seeds.Covered) != 4 {
		t.Errorf("%d blocks, %d covered by the seeds: %v", len(m.Blocks), count(seeds.Covered), m.Blocks)
	}
	tests := []struct {
		inputs  string
		covered int // beyond the seeds
		leftOut int
	}{{"", 0, 0}, {"a", 1, 0}, {"a b", 2, 0}, {"b", 1, 0}, {"p", 0, 1}, {"a p b x x", 2, 3}, {"? ? ? p ? ? ? a", 1, 1}}
	for _, test := range tests {
		var inputs [][]byte
		for _, text := range strings.Fields(test.inputs) {
			inputs = append(inputs, []byte(encode(text)))
		}
		got, series, err := m.Measure(ctx, [][][]byte{nil, inputs})
		if err != nil || count(got.Covered) != count(seeds.Covered)+test.covered || got.LeftOut != test.leftOut {
			t.Errorf("%q: %d covered, %d left out, %v", test.inputs, count(got.Covered), got.LeftOut, err)
		}
		want := process.Series{Seconds: []int{0}, Blocks: []int{count(seeds.Covered)}}
		if test.covered > 0 {
			want.Add(2, count(got.Covered))
		}
		if !reflect.DeepEqual(series, want) {
			t.Errorf("%q: series %v, want %v", test.inputs, series, want)
		}
	}
	if left, _ := os.ReadDir(filepath.Join(pkg.Dir, filepath.Dir(seed))); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func encode(text string) string { return "go test fuzz v1\n[]byte(\"" + text + "\")\n" }
