package gocommand

import (
	"fmt"
	"slices"
)

// machine are packages of the standard library by which a package acts on the machine: its files, its processes, its network. C is what cgo compiles.
var machine = []string{
	"C", "crypto/tls", "database/sql", "io/ioutil", "log/syslog", "net", "net/http", "net/http/cgi", "net/http/fcgi", "net/http/httptest", "net/http/httputil",
	"net/http/pprof", "net/rpc", "net/rpc/jsonrpc", "net/smtp", "net/textproto", "os", "os/exec", "os/signal", "os/user", "plugin", "syscall",
}

// harmless are packages that import one of these, and print or read a clock or the processor's features by it.
var harmless = []string{"fmt", "time", "time/tzdata", "golang.org/x/sys/cpu"}

// Acts says why the functions of a package may act on the machine, by what it imports: directly, or by other packages outside of the standard library.
// "" is a package that does not. What the standard library's own packages import says nothing, since nearly all of them import os in the end.
func (g *Graph) Acts(p *Package) string {
	if p.Standard && slices.Contains(machine, p.ImportPath) {
		return "its package is " + p.ImportPath
	}
	type step struct {
		p   *Package
		via string // what leads from the package to p, for people
	}
	seen := map[string]bool{p.ImportPath: true}
	for front := []step{{p, "its package"}}; len(front) > 0; front = front[1:] { // the nearest first
		at := front[0]
		switch {
		case slices.Contains(harmless, at.p.ImportPath):
			continue
		case at.p.Error != nil:
			return fmt.Sprintf("%s cannot be read: %s", at.via, at.p.Error.Err)
		}
		for _, name := range at.p.Imports {
			path := at.p.Imported(name)
			if slices.Contains(machine, path) {
				return at.via + " imports " + path
			}
			if q := g.byPath[path]; q != nil && !q.Standard && !seen[path] {
				seen[path] = true
				via := "its package reaches " + path + ", which"
				if at.p == p {
					via = "its package imports " + path + ", which"
				}
				front = append(front, step{q, via})
			}
		}
	}
	return ""
}
