package config

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestNamesOfHarnesses(t *testing.T) {
	long := strings.Repeat("x", 80)
	for _, test := range []struct{ binaries, names []string }{
		{[]string{"/a/one", "/a/two"}, []string{"one", "two"}},
		{[]string{"/a/v1/h", "/a/v2/h"}, []string{"v1/h", "v2/h"}},
		{[]string{"/a/v1/build/h", "/a/v2/build/h", "/a/other"}, []string{"v1/build/h", "v2/build/h", "other"}},
		{[]string{"/h", "/a/h"}, []string{"h", "a/h"}},
		{[]string{"/a b/h", "/a_b/h"}, []string{"a_b/h", "h.2"}},
		{[]string{"/" + long + "1", "/" + long + "2", "/" + long + "3"}, []string{long[:60], long[:58] + ".2", long[:58] + ".3"}},
	} {
		f := Harnesses(test.binaries, "/", time.Second, 1<<30)
		var names []string
		for _, p := range f.Programs {
			names = append(names, p.Name)
		}
		if !slices.Equal(names, test.names) {
			t.Errorf("%q: %q, want %q", test.binaries, names, test.names)
		}
	}
}
