// Package jsdiff has two parsers of JavaScript that accept or reject a script.
package jsdiff

import (
	"github.com/dop251/goja"
	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// Goja parses and compiles a script: names that are declared twice are found by the compiler.
func Goja(source string) error {
	_, err := goja.Compile("", source, false)
	return err
}

// Tdewolff parses a script, and looks for names that are declared twice.
func Tdewolff(source string) error {
	_, err := js.Parse(parse.NewInputString(source), js.Options{})
	return err
}
