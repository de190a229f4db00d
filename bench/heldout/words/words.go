// Package words splits a command line into words with three libraries behind one signature. No
// library is asked to run or to replace anything.
package words

import (
	"github.com/google/shlex"
	"github.com/kballard/go-shellquote"
	"github.com/mattn/go-shellwords"
)

// Shellquote splits with github.com/kballard/go-shellquote.
func Shellquote(s string) ([]string, error) { return shellquote.Split(s) }

// Shlex splits with github.com/google/shlex.
func Shlex(s string) ([]string, error) { return shlex.Split(s) }

// Shellwords splits with github.com/mattn/go-shellwords. By default it neither runs commands in
// backquotes nor replaces variables.
func Shellwords(s string) ([]string, error) { return shellwords.Parse(s) }
