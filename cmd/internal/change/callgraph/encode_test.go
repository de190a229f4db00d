package callgraph

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"reflect"
	"testing"
)

func example() *Graph {
	g := &Graph{
		Notes:    []string{"a note"},
		packages: []packageNode{{path: "m", imports: []int{1}, own: true}, {path: "n", skipped: true}},
		files:    []string{"/m/a.go", "/n/b.go"},
		lists:    [][]int{{1}, nil},
		functions: []function{
			{pkg: 0, name: "A", file: 0, line: 3, col: 1, sites: []site{{file: 0, line: 4, col: 2, callees: []int{1, 2}, unknown: true, only: 1}}},
			{pkg: 1, name: "B", file: 1, line: 9, col: 1, kind: harness, callback: true, sites: []site{}},
			{pkg: 0, name: "init", file: -1, kind: initializer, sites: []site{{file: -1, callees: []int{0}}}},
		},
	}
	g.finish()
	return g
}

func TestEncode(t *testing.T) {
	g := example()
	data := encode(g)
	again, err := decode(data)
	if err != nil || !reflect.DeepEqual(again.functions, g.functions) || !bytes.Equal(encode(again), data) {
		t.Fatalf("%+v, %v", again, err)
	}
	for i := range data {
		if _, err := decode(data[:i]); err == nil {
			t.Errorf("cut to %d of %d bytes: no error", i, len(data))
		}
	}
}

// FuzzDecode searches for damaged encodings that are accepted or crash.
func FuzzDecode(f *testing.F) {
	f.Add(encode(example()))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 4 {
			return
		}
		body := data[:len(data)-4]
		g, err := decode(binary.LittleEndian.AppendUint32(body[:len(body):len(body)], crc32.ChecksumIEEE(body)))
		if err != nil {
			return
		}
		g.Harnesses(append(g.Fuzz(), "m.A"))
		again, err := decode(encode(g))
		if err != nil || !bytes.Equal(encode(again), encode(g)) {
			t.Errorf("%+v is read again as %+v, %v", g, again, err)
		}
	})
}
