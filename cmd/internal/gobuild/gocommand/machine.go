package gocommand

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"parallax/cmd/internal/base/lazyregexp"
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

// reaching are packages by which the functions of a package that imports them reach other machines and start processes. Packages that read files are left
// out, since most of them are given a name. Of net most importers use addresses only: see dials.
var reaching = []string{"log/syslog", "net/http", "net/rpc", "net/rpc/jsonrpc", "net/smtp", "os/exec", "plugin"}

// dials finds uses of package net that reach the network.
var dials = lazyregexp.New(`\bnet\.(Dial|Listen|Lookup|Resolver|ResolveIP|ResolveTCP|ResolveUDP|DefaultResolver)`)

// Beyond reports whether a function of a package may reach the network, files or other processes by itself: its package is one of the
// standard library that is for that, or imports what reaches the network or starts processes.
func (g *Graph) Beyond(p *Package, function string) bool {
	if p.Standard {
		return slices.Contains(machine, p.ImportPath) && (p.ImportPath != "net" || dials().MatchString("net."+function))
	}
	for _, name := range p.Imports {
		switch path := p.Imported(name); {
		case slices.Contains(reaching, path):
			return true
		case path == "net" && p.uses(dials()):
			return true
		}
	}
	return false
}

// uses reports whether a file of the package matches.
func (p *Package) uses(pattern *regexp.Regexp) bool {
	return slices.ContainsFunc(p.GoFiles, func(name string) bool {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		text, err := os.ReadFile(name)
		return err == nil && pattern.MatchString(string(text))
	})
}
