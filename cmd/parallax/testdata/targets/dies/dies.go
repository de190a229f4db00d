// Package dies has fuzz tests whose targets end or block their process.
package dies

// Boom reports whether an input is one of those on which harm is done.
func Boom(s string) bool {
	return len(s) > 3 && s[0] == 'b' && s[1] == 'o' && s[2] == 'o' && s[3] == 'm'
}

// Overflow recurses without end.
func Overflow(n int) int { return Overflow(n+1) + 1 }
