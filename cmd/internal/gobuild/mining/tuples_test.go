package mining

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"parallax/internal/input"
)

const constants = `package p

var rows = []struct {
	in   string
	n    int
	want string
}{
	{"first", 4, "out"},
	{in: "second", n: -0x2, want: "no"},
	{"a name", "third", 'c', []byte("pad")},
	{"computed", 4 + 1},
}

func Test(t *testing.T) {
	Justify("hello", 10, "123")
	Justify(text, 12, "-")
	sep("hello", "16", " ")
	Wide("huge", 99999999999)
	Errorf("no constant", t)
	t.Errorf("a message", 3, "x")
	Set("b", true, uint8(7), 1.5)
}
`

func TestTuples(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p_test.go")
	if err := os.WriteFile(file, []byte(constants), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		shape input.Shape
		want  []string
	}{
		{input.Shape{input.String, input.Int, input.String}, []string{"[first 4 out] :8", "[second -2 no] :9", "[third 99 pad] :10", "[hello 10 123] :15", "[hello 16  ] :17"}},
		{input.Shape{input.Bytes, input.Uint8}, []string{"[first 4] :8", "[third 99] :10", "[hello 10] :15", "[hello 16] :17"}},
		{input.Shape{input.Bool, input.Uint8, input.Float32}, []string{"[true 7 1.5] :21"}},
		{input.Shape{input.String}, nil},
	} {
		var got []string
		for _, s := range tuples(tt.shape, file, "p") {
			values, err := tt.shape.Unpack(s.Flat)
			if err != nil {
				t.Fatal(err)
			}
			if b, ok := values[0].([]byte); ok {
				values[0] = string(b)
			}
			line := 0
			if _, err := fmt.Sscanf(s.From, "constants in p_test.go:%d of p", &line); err != nil {
				t.Errorf("%q: %v", s.From, err)
			}
			got = append(got, fmt.Sprint(values, " :", line))
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%v: %q, want %q", tt.shape, got, tt.want)
		}
	}
}
