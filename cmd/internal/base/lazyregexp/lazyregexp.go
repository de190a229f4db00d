// Package lazyregexp compiles regular expressions of package variables at their first use. parallax
// starts many short processes of itself that need few of its expressions. Compiling all of them
// took a fifth of the time of a process that runs a go command.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// New returns a function that compiles expr once. In tests it compiles at once, so that the tests
// of every package find its mistakes.
func New(expr string) func() *regexp.Regexp {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
	if strings.HasSuffix(os.Args[0], ".test") {
		compiled()
	}
	return compiled
}
