package signature

import "testing"

// TestSimilar checks that all names that are like the missing one are suggested, the nearest first.
func TestSimilar(t *testing.T) {
	many := []string{"ParseA", "ParseB", "ParseC", "ParseD", "ParseE", "ParseF", "ParseG", "ParseH", "ParseI", "ParseJ", "ParseK"}
	for _, c := range []struct {
		name  string
		names []string
		want  string
	}{
		{"ToFloat", []string{"Append", "FromFloat", "TdFloat"}, " (it has TdFloat, FromFloat)"},
		{"Vali", []string{"Marshal", "Valid", "ValidString"}, " (it has Valid, ValidString)"},
		{"Load", []string{"Save"}, ""},
		{"Parse", many, " (it has ParseA, ParseB, ParseC, ParseD, ParseE, ParseF, ParseG, ParseH, ParseI, ParseJ, ...)"},
	} {
		if got := similar(c.name, c.names); got != c.want {
			t.Errorf("%s in %q: %q, want %q", c.name, c.names, got, c.want)
		}
	}
}
