// Package lazyregexp has regular expressions that are compiled when they are first asked. parallax starts many short processes of itself, which
// need none or few of the expressions that its packages have: compiling all of them was a fifth of what a process costs that runs a go command.
//
// It is for variables of packages. Called by all; it knows nothing of the tool.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// New is regexp.MustCompile, later. In tests it is at once, so that a mistake in an expression is seen by the tests of every package that has it.
func New(expr string) func() *regexp.Regexp {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
	if strings.HasSuffix(os.Args[0], ".test") {
		compiled()
	}
	return compiled
}
