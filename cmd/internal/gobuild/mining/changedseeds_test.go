package mining

import (
	"slices"
	"testing"

	"parallax/internal/input"
)

// TestChangedSeeds checks the inputs that are made of the literals of changed lines.
func TestChangedSeeds(t *testing.T) {
	literals := []Literal{{Number: 0x1b155, Integer: true, At: "wide.go:7"}, {Text: "gb", At: "p.go:3"}}
	var got []string
	for _, s := range ChangedSeeds(literals, input.Shape{input.String}) {
		got = append(got, string(s.Flat)+" "+s.From)
	}
	const from = " literal of a changed line, "
	want := []string{"\U0001b155" + from + "wide.go:7", "110933" + from + "wide.go:7", "\U0001b154" + from + "wide.go:7", "110932" + from + "wide.go:7",
		"\U0001b156" + from + "wide.go:7", "110934" + from + "wide.go:7", "gb" + from + "p.go:3"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	shape := input.Shape{input.Int32, input.Uint8, input.Bool}
	var numbers []any
	for _, s := range ChangedSeeds(literals, shape) {
		values, err := shape.Unpack(s.Flat)
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, values[0])
	}
	if !slices.Equal(numbers, []any{int32(0x1b155), int32(0x1b154), int32(0x1b156)}) {
		t.Errorf("%v", numbers)
	}
	if n := len(ChangedWords(literals)); n != len(want) {
		t.Errorf("%d words", n)
	}
	for range 2 * mostChangedSeeds {
		literals = append(literals, Literal{Number: uint64(len(literals)), Integer: true})
	}
	if n := len(ChangedSeeds(literals, input.Shape{input.Int})); n != mostChangedSeeds {
		t.Errorf("%d seeds", n)
	}
}
