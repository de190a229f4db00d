package confine

import "testing"

// TestAddresses checks that programs lie at the same addresses in every run and every sandbox.
func TestAddresses(t *testing.T) {
	withAndWithoutNamespaces(t, func(t *testing.T, plain bool) {
		first := ""
		for range 3 {
			b := openSandbox(t, Options{Plain: plain})
			r := ran(t, b, shell("exec sed -n 's/ .*stack.*//p' /proc/self/maps"))
			if first == "" {
				first = r.out
			}
			if r.Exit != 0 || r.out == "" || r.out != first {
				t.Errorf("the stack lies at %q, and before at %q", r.out, first)
			}
		}
	})
}
