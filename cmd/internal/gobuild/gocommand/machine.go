package gocommand

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"parallax/cmd/internal/base/lazyregexp"
)

// machine lists packages of the standard library that act on the machine: its files, processes and
// network. C is the package of cgo.
var machine = []string{
	"C", "crypto/tls", "database/sql", "io/ioutil", "log/syslog", "net", "net/http", "net/http/cgi", "net/http/fcgi", "net/http/httptest", "net/http/httputil",
	"net/http/pprof", "net/rpc", "net/rpc/jsonrpc", "net/smtp", "net/textproto", "os", "os/exec", "os/signal", "os/user", "plugin", "syscall",
}

// harmless lists packages that import one of these only to print or to read a clock or the
// processor's features.
var harmless = []string{"fmt", "time", "time/tzdata", "golang.org/x/sys/cpu"}

// Acts returns why the functions of a package may act on the machine. It examines direct imports,
// and those of packages outside of the standard library. It returns "" if they do not. Imports
// within the standard library do not count, because nearly all of it imports os.
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

// reaching lists packages by which importers reach other machines and start processes. Packages
// that read files are not listed, because most of them get a name. Most importers of net only use
// addresses: see dials.
var reaching = []string{"log/syslog", "net/http", "net/rpc", "net/rpc/jsonrpc", "net/smtp", "os/exec", "plugin"}

// dials finds uses of package net that reach the network.
var dials = lazyregexp.New(`\bnet\.(Dial|Listen|Lookup|Resolver|ResolveIP|ResolveTCP|ResolveUDP|DefaultResolver)`)

// ReachesOutside reports whether a function may by itself reach the network, files or other
// processes. Its package is one of the standard library for that purpose, or imports one that
// reaches the network or starts processes.
func (g *Graph) ReachesOutside(p *Package, function string) bool {
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
