// Package gosyntax parses Go sources of releases later than the Go that built parallax.
package gosyntax

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
)

// newer lists errors of go/parser about syntax that a later release of Go accepts. The parser skips
// such syntax, and the rest of the tree is whole. A method's type parameters (Go 1.27) are missing
// from its declaration.
var newer = map[string]bool{"method must have no type parameters": true}

// ParseFile parses a file as go/parser does, and accepts syntax of later releases.
func ParseFile(fset *token.FileSet, name string, src any, mode parser.Mode) (*ast.File, error) {
	tree, err := parser.ParseFile(fset, name, src, mode)
	if !hasNewer(err) {
		return tree, err
	}
	// The parser stops after some errors, except with AllErrors.
	tree, err = parser.ParseFile(fset, name, src, mode|parser.AllErrors)
	var all, left scanner.ErrorList
	if !errors.As(err, &all) {
		return tree, err
	}
	for _, e := range all {
		if !newer[e.Msg] {
			left = append(left, e)
		}
	}
	return tree, left.Err()
}

func hasNewer(err error) bool {
	var all scanner.ErrorList
	return errors.As(err, &all) && slices.ContainsFunc(all, func(e *scanner.Error) bool { return newer[e.Msg] })
}
