package gocommand

import (
	"os"
	"path/filepath"
	"testing"
)

// TestReachesOutside checks that imports and calls of a package determine whether its functions
// reach beyond their process.
func TestReachesOutside(t *testing.T) {
	for _, c := range []struct {
		name, text, function string
		standard, want       bool
		imports              []string
	}{
		{name: "net/http", standard: true, function: "Get", want: true},
		{name: "os", standard: true, function: "Remove", want: true},
		{name: "net", standard: true, function: "Dial", want: true},
		{name: "net", standard: true, function: "LookupHost", want: true},
		{name: "net", standard: true, function: "ParseCIDR"},
		{name: "encoding/json", standard: true, function: "Valid"},
		{name: "m", imports: []string{"net"}, text: "net.ParseIP(s)"},
		{name: "m", imports: []string{"net"}, text: "net.DialTimeout(s)", want: true},
		{name: "m", imports: []string{"os"}, text: "os.Open(s)"},
		{name: "m", imports: []string{"fmt", "os/exec"}, want: true},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "m.go"), []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		p := &Package{ImportPath: c.name, Dir: dir, Standard: c.standard, GoFiles: []string{"m.go"}, Imports: c.imports}
		if got := (&Graph{}).ReachesOutside(p, c.function); got != c.want {
			t.Errorf("%s.%s with %q: %v, want %v", c.name, c.function, c.text, got, c.want)
		}
	}
}
