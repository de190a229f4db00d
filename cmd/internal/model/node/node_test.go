package node

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
	"parallax/internal/grammar"
)

// TestGrammar checks that each type has a grammar, and that its texts are unambiguous.
func TestGrammar(t *testing.T) {
	for _, tt := range []struct {
		types, texts []string
		want         string
	}{
		{[]string{"string"}, nil, `["a\u001f\ud83d😀é"]`},
		{[]string{"string"}, []string{"a=", "\"", "\\", "\n", "%2"}, `["a=\"\\\u000a%2"]`},
		{[]string{"number", "integer"}, nil, `[-1.5e-3,0]`},
		{[]string{"number"}, nil, `[{"$":"NaN"}]`},
		{[]string{"boolean or null", "undefined"}, nil, `[true,{"$":"undefined"}]`},
		{[]string{"array of string or number"}, nil, ""},
		{[]string{"array of array of integer"}, nil, `[[[1],[],[-2,3]]]`},
		{[]string{"object of bytes"}, nil, `[{"a":{"$bytes":"00ff"},"b":{"$bytes":""}}]`},
		{[]string{"any"}, nil, `[{"a":[null,1,{"b":"x"}]}]`},
		{nil, nil, `[]`},
	} {
		m := Model{Arguments: tt.types, Texts: tt.texts}
		text, err := m.Grammar()
		if err != nil {
			t.Errorf("%q: %v\n%s", tt.types, err, text)
			continue
		}
		g, err := grammar.Parse("x", text)
		if err != nil {
			t.Fatal(err)
		}
		var given [][]byte
		if tt.want != "" {
			given = append(given, []byte(tt.want))
		}
		for _, w := range append(g.Warnings, g.Ambiguities(given)...) {
			t.Errorf("%q: %v\n%s", tt.types, w, text)
		}
	}
	_, err := (&Model{Arguments: []string{"array of text"}}).Grammar()
	moduletest.WantError(t, err, exit.UsageCode, `no type "text"`, "string, number", `"array of"`)
}

func TestFind(t *testing.T) {
	for text, want := range map[string]Function{
		"./a.mjs#f":            {"./a.mjs", "f"},
		"./a.mjs":              {"./a.mjs", "default"},
		"core-js-pure/x#a.b":   {"core-js-pure/x", "a.b"},
		"Array.prototype.flat": {"", "Array.prototype.flat"},
	} {
		if got, err := Find(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "#f", "./a.mjs#"} {
		_, err := Find(text)
		moduletest.WantError(t, err, exit.UsageCode, "names no function")
	}
}

// TestCall checks that both sides get the values of the input and report the outcome, even for
// values outside of JSON.
func TestCall(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Fatal("node is missing: install it, for example with: sudo apt-get install nodejs")
	}
	dir := t.TempDir()
	const module = `
export const same = v => v
export const odd = (a, b) => { if (a === 'no') throw Object.assign(new Error('later'), { code: 'E_LATER' }); if (Array.isArray(a)) a.push(1); return [undefined, -0, NaN, b, , a] }
export const short = a => a.length < 3
export const broken = a => a.none.length < 3
`
	if err := os.WriteFile(filepath.Join(dir, "m.mjs"), []byte(module), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		m         Model
		original  bool
		in, wants string
	}{
		{Model{Model: Function{"./m.mjs", "odd"}, Arguments: []string{"any", "any"}}, false, `["x",{"$":"Infinity"}]`, "A[ undefined, -0, NaN, Infinity, <1 empty item>, 'x' ]"},
		{Model{Model: Function{"./m.mjs", "odd"}, Arguments: []string{"any", "any"}}, false, `[[],{"$bytes":"00ff"}]`, "A[ undefined, -0, NaN, Uint8Array(2) [ 0, 255 ], <1 empty item>, [ 1 ] ]; the arguments are [ [ 1 ], Uint8Array(2) [ 0, 255 ] ] then"},
		{Model{Model: Function{"./m.mjs", "odd"}, Arguments: []string{"any", "any"}, Unsupported: []string{"E_LATER"}}, false, `["no",1]`, "DError: not implemented: later"},
		{Model{Original: Function{"./m.mjs", "odd"}, Arguments: []string{"any", "any"}, Unsupported: []string{"E_LATER"}}, true, `["no",1]`, "RError: later"},
		{Model{Original: Function{"", "Array.prototype.flat"}, This: true, Arguments: []string{"any", "number"}}, true, `[[[1,[2]]],1]`, "A[ 1, [ 2 ] ]"},
		{Model{Model: Function{"./m.mjs", "same"}, Set: true, Arguments: []string{"any"}}, false, `[["b",10,"a",[2,1],"b"]]`, "AArray in any order: 'a', 'b', 'b', 10, [ 2, 1 ]"},
		{Model{Model: Function{"./m.mjs", "same"}, Set: true, Arguments: []string{"any"}}, false, `[["b"]]`, "A[ 'b' ]"},
		{Model{Original: Function{"", "String.raw"}, Arguments: []string{"any"}}, true, `[null]`, "RTypeError: Cannot convert undefined or null to object"},
		{Model{Original: Function{"", "String.prototype.padEnd"}, This: true, Arguments: []string{"string", "integer"}}, true, `["a",5000000000]`, "RRangeError: Invalid string length"},
		{Model{Model: Function{"./m.mjs", "same"}, Arguments: []string{"string"}, Scope: Function{"./m.mjs", "short"}}, false, `["ab"]`, "A'ab'"},
		{Model{Model: Function{"./m.mjs", "same"}, Arguments: []string{"string"}, Scope: Function{"./m.mjs", "short"}}, false, `["abc"]`, "DError: outside of the declared scope"},
		{Model{Model: Function{"./m.mjs", "same"}, Arguments: []string{"string"}, Scope: Function{"./m.mjs", "broken"}}, false, `["abc"]`,
			"CError: the scope broken throws TypeError: Cannot read properties of undefined (reading 'length')\n..."},
		{Model{Original: Function{"./m.mjs", "same"}, Arguments: []string{"string"}, Scope: Function{"./m.mjs", "broken"}}, true, `["abc"]`, "DError: the declared scope throws an error"},
		{Model{Model: Function{"./m.mjs", "same"}, Arguments: []string{"string"}}, false, `["abc"`, "DError: the input is not JSON"},
		{Model{Model: Function{"./m.mjs", "same"}, Arguments: []string{"string"}}, false, `["abc",1]`, "DError: the input is not a list of 1 arguments"},
	} {
		tt.m.Dir = dir
		made := t.TempDir()
		if _, err := tt.m.Write(made, "target"); err != nil {
			t.Fatal(err)
		}
		side := "model"
		if tt.original {
			side = "original"
		}
		start, cut := strings.CutSuffix(tt.wants, "...")
		if got := ask(t, made, side, tt.in); got != tt.wants && !(cut && strings.HasPrefix(got, start)) {
			t.Errorf("%s: %s\nwant %s", tt.in, got, tt.wants)
		}
	}
}

// TestMissingParts checks that a driver reports what is missing, and ends before its greeting.
func TestMissingParts(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "m.mjs"), []byte("export const same = v => v\nexport const text = 'a'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	same := Function{"./m.mjs", "same"}
	for _, tt := range []struct {
		m    Model
		want string
	}{
		{Model{Model: Function{"./m.mjs", "none"}}, "no such function: model: ./m.mjs has no function none (it has same)"},
		{Model{Model: Function{"./m.mjs", "text"}}, "./m.mjs has no function text"},
		{Model{Model: Function{"", "Array.nowhere"}}, "there is no function Array.nowhere"},
		{Model{Model: same, Scope: Function{"./m.mjs", "default"}}, "no such function: scope: ./m.mjs has no function default (it has same)"},
	} {
		tt.m.Dir, tt.m.Original, tt.m.Arguments = dir, same, []string{"string"}
		made := t.TempDir()
		if _, err := tt.m.Write(made, "target"); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("node", callFile, specFile, "model")
		cmd.Dir = made
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), tt.want) || strings.Contains(string(out), "parallax-driver") {
			t.Errorf("%v: %s\nwant %s", err, out, tt.want)
		}
	}
}

// ask runs one input by the drivers' protocol (docs/reference/driver-protocol.md). It returns the
// verdict and the value.
func ask(t *testing.T, dir, side, in string) string {
	t.Helper()
	cmd := exec.Command("node", callFile, specFile, side)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	cmd.Stdin = strings.NewReader(string(binary.LittleEndian.AppendUint32(nil, uint32(len(in)))) + in)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	r := bufio.NewReader(out)
	greeting, err := r.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if _, size, ok := strings.Cut(strings.TrimSpace(greeting), " table="); ok { // of blocks
		n, err := strconv.Atoi(size)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(io.Discard, r, int64(n)); err != nil {
			t.Fatal(err)
		}
	}
	header := make([]byte, 13) // includes the number of the request
	if _, err := io.ReadFull(r, header); err != nil {
		t.Fatal(err)
	}
	value := make([]byte, binary.LittleEndian.Uint32(header[9:]))
	if _, err := io.ReadFull(r, value); err != nil {
		t.Fatal(err)
	}
	return string(header[8:9]) + string(value)
}

// TestExplain checks that a driver's messages become a one-line error if the module is the cause.
func TestExplain(t *testing.T) {
	m := &Model{Dir: "/home/a b"}
	for _, tt := range []struct {
		said, want string
		code       int
	}{
		{"It printed:\n    no such function: model: ./m.mjs has no function f (it has g)\n", "model: ./m.mjs has no function f (it has g)", exit.UsageCode},
		{"It printed:\n    file:///home/a%20b/c/m.mjs:2\n\n    SyntaxError: Unexpected end\n        at file:///x.mjs:1\n", "./c/m.mjs:2: SyntaxError: Unexpected end", exit.BuildCode},
		{"It printed:\n    /home/m.cjs:7\n    }}\n    SyntaxError: Unexpected token\n", "/home/m.cjs:7: SyntaxError: Unexpected token", exit.BuildCode},
		{"It printed:\n    undefined:1\n    SyntaxError: bad JSON\n        at JSON.parse\n", "It printed:\n    undefined:1\n    SyntaxError: bad JSON\n        at JSON.parse\n", exit.BuildCode},
	} {
		if err := m.Explain(exit.Infra("%s", tt.said)); err.Error() != tt.want || exit.Code(err) != tt.code {
			t.Errorf("%q: %d, %v", tt.said, exit.Code(err), err)
		}
	}
	other := exit.Infra("no memory")
	if err := m.Explain(other); err != other {
		t.Error(err)
	}
}
