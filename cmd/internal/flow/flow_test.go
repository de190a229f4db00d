package flow

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"reflect"
	"testing"
)

// example returns a table of two functions in one file, both with code of a header.
func example() *Table {
	return &Table{
		Package: "program",
		Funcs: []Func{
			{Name: "f", Symbol: "f", File: "/a.c", Line: 10, First: 0, Count: 3},
			{Name: "g(int)", Symbol: "_Z1gi", File: "/a.c", Line: 30, First: 3, Count: 2},
		},
		Blocks: []Block{
			{ID: 0, Func: 0, Kind: Entry, File: "/a.c", Line: 10, Col: 1, Cond: 10, EndLine: 12, Succs: []int{1, 2}},
			{ID: 1, Func: 0, Kind: Branch, File: "/a.c", Line: 13, Col: 5, Cond: 12, EndLine: 14, Calls: []string{"_Z1gi", "puts"}, Named: []string{"g", "puts"}, Indirect: true, Exit: true, Fails: true, Passes: true},
			{ID: 2, Func: 0, Kind: Branch, File: "/b.h", Line: 3, Cond: 3, EndLine: 3, Exit: true},
			{ID: 3, Func: 1, Kind: Entry, File: "/a.c", Line: 30, Cond: 30, EndLine: 33, Exit: true},
			{ID: 4, Func: 1, Kind: Removed, File: "/a.c", Line: 30, Cond: 30, EndLine: 30},
		},
		Files: []File{
			{Path: "/a.c", Lines: []Line{{10, []int{0}}, {12, []int{0}}, {13, []int{1}}, {18, []int{0, 1, 2}}, {30, []int{3}}, {33, []int{3}}}},
			{Path: "/b.h", Lines: []Line{{3, []int{2, 3}}}},
		},
	}
}

func TestEncode(t *testing.T) {
	for _, want := range []*Table{example(), {Funcs: []Func{}, Blocks: []Block{}}} {
		data := Encode(want)
		got, err := Decode(data)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v is read as %+v, %v", want, got, err)
		}
		for i := range data {
			damaged := bytes.Clone(data)
			damaged[i] ^= 0x10
			if _, err := Decode(damaged); err == nil {
				t.Errorf("byte %d of %d is damaged: no error", i, len(data))
			}
			if _, err := Decode(data[:i]); err == nil {
				t.Errorf("cut to %d of %d bytes: no error", i, len(data))
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(Encode(example()))
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := Decode(seal(data))
		if err != nil {
			return
		}
		again, err := Decode(Encode(table))
		if err != nil || !reflect.DeepEqual(again, table) {
			t.Errorf("%+v is read again as %+v, %v", table, again, err)
		}
	})
}

// seal makes the checksum right, which no fuzzer would.
func seal(data []byte) []byte {
	if len(data) < 4 {
		return data
	}
	body := bytes.Clone(data[:len(data)-4])
	return binary.LittleEndian.AppendUint32(body, crc32.ChecksumIEEE(body))
}

func TestLinesToBlocks(t *testing.T) {
	all := func(first, last int) []Range { return []Range{{first, last}} }
	for _, c := range []struct {
		name   string
		file   string
		ranges []Range
		want   Change
	}{
		{"a line with code", "/a.c", all(13, 13), Change{Blocks: []int{1}}},
		{"several", "/a.c", []Range{{9, 12}, {33, 40}}, Change{Blocks: []int{0, 3}}},
		{"of two functions", "/b.h", all(1, 9), Change{Blocks: []int{2, 3}}},
		{"without code, the next line", "/a.c", all(14, 16), Change{Near: []int{0, 1, 2}}},
		{"without code, at the end of the function", "/a.c", all(19, 19), Change{Outside: all(19, 19)}},
		{"before all", "/a.c", all(1, 9), Change{Outside: all(1, 9)}},
		{"of no known file", "/c.c", all(1, 9), Change{Outside: all(1, 9)}},
		{"nothing", "/a.c", nil, Change{}},
	} {
		got := example().LinesToBlocks(c.file, c.ranges)
		if len(got.Blocks) != len(c.want.Blocks) || len(got.Near) != len(c.want.Near) || !reflect.DeepEqual(got.Outside, c.want.Outside) ||
			len(got.Blocks) > 0 && !reflect.DeepEqual(got.Blocks, c.want.Blocks) || len(got.Near) > 0 && !reflect.DeepEqual(got.Near, c.want.Near) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
