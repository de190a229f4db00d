// Package gosyntax parses Go sources of releases that are newer than the Go that built parallax.
package gosyntax

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
)

// newer are the errors of go/parser about syntax that a later release of Go accepts. The parser has skipped what it complains
// about, and the rest of the tree is whole: a method's type parameters (Go 1.27) are missing from the method's declaration.
var newer = map[string]bool{"method must have no type parameters": true}

// ParseFile parses a file as go/parser does, and accepts what later releases of Go accept.
func ParseFile(fset *token.FileSet, name string, src any, mode parser.Mode) (*ast.File, error) {
	tree, err := parser.ParseFile(fset, name, src, mode)
	if !hasNewer(err) {
		return tree, err
	}
	// The parser gives up after some errors, unless it is asked for all.
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
