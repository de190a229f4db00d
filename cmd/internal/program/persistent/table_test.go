package persistent

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/program"
)

const twoBlocks = `[{"name":"m.f","file":"/m.py","line":1,"blocks":[["entry",2,2,3],["then",5,4,5]]}]`

func FuzzTable(f *testing.F) {
	f.Add([]byte(twoBlocks), 2)
	f.Add([]byte(`[{"blocks":[[]]}]`), 1)
	f.Fuzz(func(t *testing.T, text []byte, n int) {
		table, err := readTable(text, n)
		if err != nil {
			return
		}
		if len(table.Blocks) != n {
			t.Errorf("%d blocks", len(table.Blocks))
		}
		for i, b := range table.Blocks {
			if fn := table.Funcs[b.Func]; b.ID != i || i < fn.First || i >= fn.First+fn.Count || b.Kind == 0 {
				t.Errorf("block %d: %+v of %+v", i, b, fn)
			}
		}
	})
}

func TestTable(t *testing.T) {
	table, err := readTable([]byte(twoBlocks), 2)
	if err != nil {
		t.Fatal(err)
	}
	if b := table.Blocks[1]; !reflect.DeepEqual(b, flow.Block{ID: 1, Kind: flow.Then, File: "/m.py", Line: 5, Cond: 4, EndLine: 5}) {
		t.Errorf("%+v", b)
	}
	for text, want := range map[string]string{
		twoBlocks[:20]: "unexpected end",
		strings.Replace(twoBlocks, "then", "none", 1):        `no kind of block "none"`,
		strings.Replace(twoBlocks, `"entry",2`, "", 1):       "",
		strings.Replace(twoBlocks, `,["then",5,4,5]`, "", 1): "it has 1 blocks, and the greeting says features=2",
		strings.Replace(twoBlocks, `4,5]`, "5]", 1):          "three lines",
	} {
		if _, err := readTable([]byte(text), 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestCounts checks that answers have the counts of all features, or none.
func TestCounts(t *testing.T) {
	for counts, want := range map[string]string{
		"\x00\x07\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff": "[1 11] [7 255]",
		"":                                 "[] []",
		"\x01":                             "the counts of 12 features or none, not 1 bytes",
		"\x00\x00\x00\x00\x00\x00\x00\x00": "the counts of 12 features or none, not 8 bytes",
	} {
		answer := binary.LittleEndian.AppendUint32(nil, uint32(6+len(counts)))
		answer = append(answer, "A\x01\x00\x00\x00v"+counts...)
		a := &answers{in: bufio.NewReader(strings.NewReader("parallax-driver 1 features=12 counts\n" + string(answer)))}
		if _, err := a.greeting(); err != nil {
			t.Fatal(err)
		}
		var o program.Observation
		got := ""
		if err := a.next(&o, 1000); err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprint(o.Features, o.Counts)
		}
		if !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", counts, got, want)
		}
	}
}
