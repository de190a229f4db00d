package flow

import (
	"bytes"
	"reflect"
	"testing"
)

// outlines are outlines with their numbers of programs.
func outlines() map[string]*Outline {
	two := &Space{}
	two.Add(example(), 0)
	two.Add(&Table{Package: "p", Blocks: []Block{{Kind: Entry, File: "/x.go", Line: 9, EndLine: 12}, {ID: 1, Kind: Then, File: "/x.go", Line: 3, EndLine: 3}}}, 0, 1)
	two.Add(&Table{Package: "none"}, 1)
	two.Add(&Table{Package: "features", Blocks: make([]Block, 3)}, 1)
	return map[string]*Outline{"empty": {Build: "b", Space: &Space{}}, "two": {Build: "build", Space: two}}
}

// TestOutline checks that an outline has the places of all blocks, and that damage is noticed.
func TestOutline(t *testing.T) {
	for name, o := range outlines() {
		data := o.Encode("/")
		got, err := DecodeOutline(data, 2)
		if err != nil || got.Build != o.Build || got.Space.Len() != o.Space.Len() {
			t.Fatalf("%s: %+v, %v", name, got, err)
		}
		for k, want := range o.Space.tables {
			have := got.Space.tables[k]
			if have.Package != want.Package || !reflect.DeepEqual(got.Space.owners[k], o.Space.owners[k]) {
				t.Errorf("%s: table %d: %+v", name, k, have)
			}
			for i, b := range want.Blocks {
				is := have.Blocks[i]
				if is.Kind != b.Kind || "/"+is.File != b.File && b.File != is.File || is.Line != b.Line || is.EndLine != b.EndLine || is.ID != i {
					t.Errorf("%s: block %d of table %d: %+v, want %+v", name, i, k, is, b)
				}
			}
		}
		for i := range data {
			damaged := bytes.Clone(data)
			damaged[i] ^= 0x10
			if _, err := DecodeOutline(damaged, 2); err == nil {
				t.Errorf("%s: byte %d is damaged: no error", name, i)
			}
		}
	}
	if _, err := DecodeOutline(outlines()["two"].Encode("/src"), 1); err == nil {
		t.Error("a program too many: no error")
	}
}

func FuzzDecodeOutline(f *testing.F) {
	for _, o := range outlines() {
		f.Add(o.Encode("/src"))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := DecodeOutline(seal(data), 2)
		if err != nil {
			return
		}
		o.Space.All(func(table *Table, _ int, owners []int) {
			for _, p := range owners {
				if p < 0 || p > 1 {
					t.Errorf("owner %d", p)
				}
			}
			for i := range table.Blocks {
				_ = o.Space.Counts(0, &table.Blocks[i])
			}
		})
	})
}
