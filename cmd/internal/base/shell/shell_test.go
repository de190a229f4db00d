package shell

import "testing"

func TestWord(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain", "plain"}, {"a/b.c-d_e@v1.2.3", "a/b.c-d_e@v1.2.3"}, {"", "''"}, {"a b", "'a b'"}, {"$HOME", "'$HOME'"},
		{"it's", `'it'\''s'`}, {"(*T).M", "'(*T).M'"}, {"~", "'~'"}, {"a;b", "'a;b'"}, {"ü", "'ü'"}, {"new\nline", "'new\nline'"},
	}
	for _, test := range tests {
		if got := Word(test.in); got != test.want {
			t.Errorf("%q: %s, want %s", test.in, got, test.want)
		}
	}
}
