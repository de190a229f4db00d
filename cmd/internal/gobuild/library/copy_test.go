package library

import (
	"strings"
	"testing"
)

func TestAtLeast122(t *testing.T) {
	if got := atLeast122("// Doc.\n\n//go:build linux\n\npackage p\n"); !strings.Contains(got, "//go:build go1.22 && (linux)\n") {
		t.Errorf("atLeast122 = %s", got)
	}
}
