package causes

import (
	"testing"

	"parallax/internal/input"
)

// TestWithoutInput checks the parts that are removed from messages before they separate causes.
func TestWithoutInput(t *testing.T) {
	shape := input.Shape{input.String, input.Int}
	for _, c := range []struct{ arg, message, want string }{
		{"boom", `cannot read boom, which is "boom"`, `cannot read x, which is "x"`},
		{`bo\`, "cannot read bo\\, which is \"bo\\\\\"", `cannot read x, which is "x"`},
		{"bö\n", `"bö\n" is "b\u00f6\n" in other words`, `"x" is "x" in other words`},
		{"ab", "[97 98] is 6162 and 6162", "x is x and x"},
		{"o\xff", "6FFF or 6fff", "x or x"},
		{"a", "a is too short to be told from words", "a is too short to be told from words"},
		{" ab ", "ab", "x"},
		{"bo", "in both, bo and elbow, rainbo", "in both, x and elbow, rainbo"},
		{"bo", "bobo bo", "bobo x"},
		{"12", "at 120, 12: 0x12", "at 120, x: 0x12"},
		{"hello", "othello", "otx"},
		{"+-", "a+-b", "axb"},
	} {
		flat, err := shape.Pack(c.arg, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := WithoutInput(shape, c.message, flat); got != c.want {
			t.Errorf("%q without %q: %q, want %q", c.message, c.arg, got, c.want)
		}
	}
}
