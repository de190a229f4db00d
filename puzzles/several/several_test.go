package several

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"parallax/puzzles/several/variant"
)

// TestGenerated checks that the generated files match their sources.
func TestGenerated(t *testing.T) {
	files, err := variant.Files(".")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s is not what go generate makes of its puzzle", name)
		}
	}
	for _, pattern := range []string{"*/b/*.go", "*/only/*/*.go"} {
		there, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range there {
			if files[name] == nil {
				t.Errorf("%s belongs to no puzzle any more: remove it", name)
			}
		}
	}
}

// TestShown has inputs that show one cause each, and one that shows none.
func TestShown(t *testing.T) {
	tests := []struct {
		puzzle, cause string // no cause: A and B agree
		args          []any
	}{
		{"calc", "", []any{"2*3-1"}},
		{"calc", "rest", []any{"1)"}},
		{"calc", "minus", []any{"1-1+1"}},
		{"calc", "zero", []any{"1/-1"}},
		{"calc", "depth", []any{"(1)"}},
		{"calc", "blank", []any{"\t1"}},
		{"clock", "", []any{"1h30m"}},
		{"clock", "digits", []any{"000001s"}},
		{"clock", "twice", []any{"1m1m"}},
		{"clock", "year", []any{"366d"}},
		{"color", "", []any{"#ffaa00"}},
		{"color", "table", []any{"teal"}},
		{"color", "short", []any{"#0f0"}},
		{"color", "capital", []any{"#00000F"}},
		{"color", "capital", []any{"#00F"}}, // B would not multiply, but does not get there
		{"color", "range", []any{"rgb(0,0,256)"}},
		{"color", "carry", []any{"rgb(1,0,0)"}},
		{"frame", "", []any{[]byte{1, 1, 7}}},
		{"frame", "reserved", []any{[]byte{0x80, 0}}},
		{"frame", "rise", []any{[]byte{1, 0, 1, 0}}},
		{"frame", "sum", []any{[]byte{1, 2, 7, 7}}},
		{"frame", "minimal", []any{append([]byte{1, 0x80, 8}, make([]byte, 8)...)}},
		{"glob", "", []any{"a*[b-d]?", "axxcx"}},
		{"glob", "backslash", []any{"\\", ""}},
		{"glob", "open", []any{"[", "["}},
		{"glob", "slash", []any{"*", "a/"}},
		{"glob", "bound", []any{"[a-c]", "c"}},
		{"money", "", []any{"1,234.50"}},
		{"money", "sign", []any{"-1.50"}},
		{"money", "group", []any{"1234,567"}},
		{"money", "cents", []any{"1.0a"}},
		{"money", "point", []any{".50"}},
		{"path", "", []any{"a/./b/../c"}},
		{"path", "root", []any{"/.."}},
		{"path", "blank", []any{"a /b"}},
		{"path", "depth", []any{"a/b/../../.."}},
		{"path", "helper", []any{"a\\b"}},
		{"ports", "", []any{"80,443"}},
		{"ports", "reversed", []any{"3-1"}},
		{"ports", "ends", []any{"1-3"}},
		{"ports", "separator", []any{"1;2"}},
		{"ports", "limit", []any{"65535"}},
		{"query", "", []any{"a=%20&b=c"}},
		{"query", "key", []any{"=a"}},
		{"query", "first", []any{"a&a=1"}},
		{"query", "many", []any{"a&b&c&d&e&f"}},
		{"query", "plus", []any{"a=+"}},
		{"query", "case", []any{"a=%2F"}},
		{"roman", "", []any{"MCMXCIV"}},
		{"roman", "table", []any{"D"}},
		{"roman", "repeat", []any{"IIII"}},
		{"roman", "before", []any{"VX"}},
		{"roman", "order", []any{"IVV"}},
		{"tariff", "", []any{"20 - EU"}},
		{"tariff", "name", []any{"20 - eu"}},
		{"tariff", "order", []any{"3000 - AU"}},
		{"tariff", "fee", []any{"20 R EU"}},
		{"tariff", "offer", []any{"20 P DE"}},
	}
	tested := map[string]bool{}
	for _, test := range tests {
		p := find(t, test.puzzle)
		shown := p.Shown(test.args)
		names := []string{}
		for _, k := range shown {
			names = append(names, p.Causes[k].Name)
		}
		if test.cause == "" {
			if len(names) > 0 || p.Differ(test.args) {
				t.Errorf("%s: %q shows %v", test.puzzle, test.args, names)
			}
			continue
		}
		if len(names) != 1 || names[0] != test.cause || !p.Differ(test.args) {
			t.Errorf("%s: %q shows %v, want %s", test.puzzle, test.args, names, test.cause)
		}
		tested[test.puzzle+"."+test.cause] = true
	}
	for _, p := range Puzzles {
		if len(p.Causes) < 2 || len(p.Causes) > 5 {
			t.Errorf("%s has %d causes", p.Name, len(p.Causes))
		}
		for _, c := range p.Causes {
			if !tested[p.Name+"."+c.Name] {
				t.Errorf("no input shows cause %s of %s", c.Name, p.Name)
			}
		}
	}
}

func find(t *testing.T, name string) *Puzzle {
	t.Helper()
	for i := range Puzzles {
		if Puzzles[i].Name == name {
			return &Puzzles[i]
		}
	}
	t.Fatalf("there is no puzzle %s", name)
	return nil
}
