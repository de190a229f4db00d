package oracle

import "testing"

// TestCrashClass checks that the numbers of a message are data, except for a program's exit status.
func TestCrashClass(t *testing.T) {
	for _, test := range []struct{ message, want string }{
		{"the program ended its process: exit status 3", "the program ended its process: exit status 3"},
		{"the program ended its process: exit status 17: line 4 is bad", "the program ended its process: exit status 17: line <n> is bad"},
		{"exit status 5, which the configuration does not list", "exit status 5, which the configuration does not list"},
		{"child: exit status 5", "child: exit status <n>"},
		{"runtime error: index out of range [3] with length 2", "runtime error: index out of range"},
	} {
		if got := CrashClass(test.message); got != test.want {
			t.Errorf("%q: %q, want %q", test.message, got, test.want)
		}
	}
}
