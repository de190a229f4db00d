package golang

import "strings"

// Inserted reports whether a function of a stack trace, as "import/path.name" with or without arguments, is one that the
// instrumentation or the hook has put into its package.
func Inserted(function string) bool {
	_, name, ok := strings.Cut(function[strings.LastIndexByte(function, '/')+1:], ".")
	return ok && (strings.HasPrefix(name, "plx") || strings.HasPrefix(name, "(*plx"))
}
