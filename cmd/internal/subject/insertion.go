package subject

import "strings"

// Inserted reports whether a function of a stack trace was inserted by the instrumentation or the
// hook. The function has the form "import/path.name", with or without arguments.
func Inserted(function string) bool {
	name := function[strings.LastIndexByte(function, '/')+1:] // the last element of the path may contain dots
	i := max(strings.Index(name, ".plx"), strings.Index(name, ".(*plx"))
	return i >= 0 && !strings.Contains(name[:i], "(")
}
