package gocommand

import (
	"slices"
	"strings"
)

// ModuleFlags returns GOFLAGS without what contradicts a go.mod of our own, and with -mod=mod.
func ModuleFlags(flags string) string {
	flags, _ = withoutFlags(flags, append(disturbing[:len(disturbing):len(disturbing)], "mod", "modfile", "overlay")...)
	return strings.TrimSpace(flags + " -mod=mod")
}

// disturbing are flags that would have the go command report otherwise, do less, or feed the
// compiler other files.
var disturbing = []string{"n", "x", "v", "json", "o", "c", "exec", "fuzz", "cover", "covermode", "coverpkg", "coverprofile"}

// PlainFlags returns additions to the environment that take disturbing flags out of GOFLAGS; none
// if it has none.
func PlainFlags(flags string) []string {
	if plain, dropped := withoutFlags(flags, disturbing...); dropped {
		return []string{"GOFLAGS=" + plain}
	}
	return nil
}

// withoutFlags drops flags from a GOFLAGS value by their names.
func withoutFlags(flags string, names ...string) (rest string, dropped bool) {
	var keep []string
	for _, f := range SplitFlags(flags) {
		if slices.Contains(names, strings.TrimLeft(strings.SplitN(f, "=", 2)[0], "-")) {
			dropped = true
			continue
		}
		if strings.ContainsAny(f, " \t") {
			f = "'" + f + "'"
		}
		keep = append(keep, f)
	}
	return strings.Join(keep, " "), dropped
}

// SplitFlags splits GOFLAGS as the go command does: at spaces, entries may be quoted as a whole.
func SplitFlags(s string) []string {
	var list []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if s[0] == '\'' || s[0] == '"' {
			if end := strings.IndexByte(s[1:], s[0]); end >= 0 {
				list, s = append(list, s[1:1+end]), s[end+2:]
				continue
			}
		}
		end := strings.IndexAny(s, " \t\n")
		if end < 0 {
			end = len(s)
		}
		list, s = append(list, s[:end]), s[end:]
	}
	return list
}

// Quote protects the path of a program in -toolexec, which the go command splits at spaces.
func Quote(path string) string {
	switch {
	case !strings.ContainsAny(path, " \t'\""):
		return path
	case !strings.Contains(path, "'"):
		return "'" + path + "'"
	}
	return `"` + path + `"`
}

// LinkFlags are the -ldflags of a worker: those of GOFLAGS without -s, since the worker finds its
// counters by their symbols, and with -w. Nothing reads the debugging information, which is a third
// of the linker's work.
func LinkFlags(flags string) string {
	value := ""
	for _, f := range SplitFlags(flags) {
		if v, ok := strings.CutPrefix(strings.TrimLeft(f, "-"), "ldflags="); ok {
			value = v
		}
	}
	words := strings.Fields(value)
	kept := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "-s" || w == "--s" || w == "-s=true" })
	if len(kept) < len(words) { // else its quotes and spaces stay
		value = strings.Join(kept, " ")
	}
	return strings.TrimSpace(value + " -w")
}
