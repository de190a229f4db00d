package sequence

import (
	"strings"
	"testing"
)

// TestFirstDifference checks that the first different operation of two transcripts is found, with
// its method.
func TestFirstDifference(t *testing.T) {
	for _, tt := range []struct {
		original, model string
		want            Difference
		ok              bool
	}{
		{`"fs.Rename('a', 'b') = fs.ErrNotExist"`, `"fs.Rename('a', 'b') = nil"`, Difference{0, "fs.Rename", "fs.Rename('a', 'b')", "fs.ErrNotExist", "nil"}, true},
		{`("fs.Create('a') = file0, nil", "file0.Read(make([]byte, 4)) = 0, io.EOF")`, `("fs.Create('a') = file0, nil", "file0.Read(make([]byte, 4)) = 0, nil")`,
			Difference{1, "file.Read", "file0.Read(make([]byte, 4))", "0, io.EOF", "0, nil"}, true},
		{`("a.X('(') = 1", "a.Y()")`, `"a.X('(') = 1"`, Difference{1, "a.Y", "a.Y()", "", ""}, true},
		{`"a.X() = 1"`, `("a.X() = 1", "a.Y(\"\\x00)\") panics: no")`, Difference{1, "a.Y", `a.Y("\x00)")`, "", "panics: no"}, true},
		{`"file0.Close() = nil"`, `"fs.Close() = nil"`, Difference{0, "file.Close", "file0.Close()", "nil", "fs.Close() = nil"}, true},
		{`"a.X(strings.Repeat('ab', 9)[:15]) = 1; now 'b'"`, `"a.X(strings.Repeat('ab', 9)[:15]) = 1"`, Difference{0, "a.X", "a.X(strings.Repeat('ab', 9)[:15])", "1; now 'b'", "1"}, true},
		{`"a.X() = 1"`, `"a.X() = 1"`, Difference{}, false},
		{"", "", Difference{}, false},
		{"5", "6", Difference{}, false},
		{`("a.X() = 1"`, `"a.X() = 2"`, Difference{}, false},
	} {
		tick := func(s string) string { return strings.ReplaceAll(s, "'", "`") }
		tt.want.Call, tt.want.Original, tt.want.Model = tick(tt.want.Call), tick(tt.want.Original), tick(tt.want.Model)
		got, ok := First(tick(tt.original), tick(tt.model))
		if got != tt.want || ok != tt.ok {
			t.Errorf("%s %s:\n%+v %t, want\n%+v %t", tt.original, tt.model, got, ok, tt.want, tt.ok)
		}
	}
}
