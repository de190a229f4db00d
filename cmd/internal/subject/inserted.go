package subject

import "strings"

// Inserted reports whether a function of a stack trace, as "import/path.name" with or without arguments, is one that the
// instrumentation or the hook has put into its package.
func Inserted(function string) bool {
	name := function[strings.LastIndexByte(function, '/')+1:] // the last element of the path may have dots
	i := max(strings.Index(name, ".plx"), strings.Index(name, ".(*plx"))
	return i >= 0 && !strings.Contains(name[:i], "(")
}
