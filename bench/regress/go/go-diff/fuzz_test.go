package diff

import (
	"testing"

	"github.com/sergi/go-diff/diffmatchpatch"
)

const program = "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() {\n\tfmt.Println(\"hello, world\")\n\tos.Exit(0)\n}\n\n// The end.\n"

// FuzzTexts compares two texts, long ones line by line, and finds them again in their difference.
func FuzzTexts(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\nd\n")
	f.Add("one two", "one, two")
	f.Add(program, program[:60]+program[70:])
	f.Add("", "x")
	f.Fuzz(func(t *testing.T, before, after string) {
		dmp := diffmatchpatch.New()
		diffs := dmp.DiffMain(before, after, true)
		if got := dmp.DiffText1(diffs); got != before {
			t.Errorf("the text before is %q in the difference, not %q", got, before)
		}
		if got := dmp.DiffText2(diffs); got != after {
			t.Errorf("the text after is %q in the difference, not %q", got, after)
		}
	})
}
