// Package fails has fuzz tests whose targets fail, or do odd things without failing, in ways that leave their process
// alive. What must come of each stands in fuzz_test.go of the command.
package fails

// Boom reports whether an input is one of those on which harm is done. It is told byte by byte, as real formats are.
func Boom(s string) bool {
	return len(s) > 3 && s[0] == 'b' && s[1] == 'o' && s[2] == 'o' && s[3] == 'm'
}

// Depth panics under as many calls as there are opening brackets.
func Depth(s string) int {
	if s == "" || s[0] != '[' {
		panic("unclosed")
	}
	return Depth(s[1:]) + 1
}

// Two fails for two causes.
func Two(s string) (n int) {
	if Boom(s) && len(s) > 4 {
		var list []int
		switch s[4] {
		case '1':
			return list[len(s)] // one
		case '2':
			return list[len(s)] // two
		}
	}
	return len(s)
}
