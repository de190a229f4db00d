// Package funcname parses the names of functions as users write them: import/path.Func,
// import/path.(*T).Method or ./folder.Func, with an optional @version. The command line and package
// config check names with it, and package gobuild resolves the parsed ones.
//
// The package knows only the form of names. It reads no file and runs no command. An invalid name
// is an exit.Usage error that shows the correct form.
package funcname

import (
	"go/token"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/lazyregexp"
)

// Func is a function as the user wrote it, taken apart.
type Func struct {
	Written  string // the argument itself
	Package  string // import path, or a path that starts with . or / for a local folder
	Receiver string // type (or package-level variable) that holds the method; empty for a function
	Pointer  bool   // written as (*T).Method
	Name     string // function or method
	Version  string // after @, empty if none
}

// String returns what was written without the version.
func (f Func) String() string {
	written, _, _ := strings.Cut(f.Written, "@")
	return written
}

// Local reports whether the package is written as a path of the file system.
func (f Func) Local() bool {
	return f.Package == "." || f.Package == ".." || strings.HasPrefix(f.Package, "./") ||
		strings.HasPrefix(f.Package, "../") || strings.HasPrefix(f.Package, "/")
}

// misplaced matches the text after the @ if the version precedes the function, as in go.mod.
var misplaced = lazyregexp.New(`^(v[0-9]+[0-9A-Za-z.+-]*?|latest)((?:/[^@\s]*)?\.(?:\(\*?[A-Z]\w*\)\.|[A-Z]\w*\.)?[A-Z]\w*)$`)

// Parse takes import/path.Func, import/path.T.Method, import/path.(*T).Method, each with an
// optional @version, and the same with ./rel/path in place of the import path. The exported last
// identifier is the function, so that gopkg.in/yaml.v3 is a package and gopkg.in/yaml.v3.Unmarshal
// a function.
func Parse(arg string) (Func, error) { return parse(arg, false) }

// ParseInside is Parse for a test in the function's own package: what is written as a path of the
// file system need not be exported.
func ParseInside(arg string) (Func, error) { return parse(arg, true) }

// parse is Parse or, with inside, ParseInside.
func parse(arg string, inside bool) (Func, error) {
	f := Func{Written: arg}
	path, version, hasVersion := strings.Cut(arg, "@")
	f.Version = version
	if m := misplaced().FindStringSubmatch(version); m != nil && (strings.Contains(version, "/") || !token.IsExported(path[strings.LastIndexByte(path, '.')+1:])) {
		return Func{}, exit.Usage("%s: the version comes last: write %s%s@%s", arg, path, m[2], m[1])
	}
	if hasVersion && (version == "" || strings.ContainsAny(version, "@/\\ \t")) {
		return Func{}, exit.Usage("%s: %q is not a version: write import/path.Func@v1.2.3 or @latest", arg, version)
	}
	inside = inside && strings.HasPrefix(path, ".")
	callable := func(name string) bool { return inside || token.IsExported(name) }
	bad := strings.ContainsAny(path, " \t\n\"'`;") || path == ""
	if bad {
		return Func{}, exit.Usage("%q is not a function: write import/path.Func, import/path.(*T).Method or ./folder.Func, with an optional @version", arg)
	}
	folder, last := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		folder, last = path[:i+1], path[i+1:]
	}
	var prefix string // of last: the package's own name
	switch open := strings.Index(last, ".("); {
	case open >= 0:
		receiver, method, ok := strings.Cut(last[open+2:], ").")
		f.Pointer = strings.HasPrefix(receiver, "*")
		f.Receiver, f.Name = strings.TrimPrefix(receiver, "*"), method
		prefix = last[:open]
		if !ok || !token.IsIdentifier(f.Receiver) || !token.IsIdentifier(f.Name) {
			return Func{}, exit.Usage("%s: a method is written import/path.(*T).Method or import/path.T.Method", arg)
		}
	default:
		i := strings.LastIndexByte(last, '.')
		if i < 0 || !token.IsIdentifier(last[i+1:]) || !callable(last[i+1:]) {
			return Func{}, noFunction(arg, path, last)
		}
		prefix, f.Name = last[:i], last[i+1:]
		if j := strings.LastIndexByte(prefix, '.'); j >= 0 && token.IsIdentifier(prefix[j+1:]) && token.IsExported(prefix[j+1:]) {
			prefix, f.Receiver = prefix[:j], prefix[j+1:]
		}
	}
	if !callable(f.Name) || f.Receiver != "" && !callable(f.Receiver) {
		return Func{}, exit.Usage("%s: only exported functions and types can be called from another package", arg)
	}
	f.Package = folder + prefix
	if prefix == "" { // ./.Func and .Func: the package of the folder itself
		f.Package = strings.TrimSuffix(folder, "/")
		if folder == "" {
			f.Package = "."
		}
	}
	if f.Package == "" || strings.HasPrefix(prefix, ".") && prefix != "." && prefix != ".." {
		return Func{}, exit.Usage("%s names no package: write import/path.Func or ./folder.Func", arg)
	}
	if f.Local() && f.Version != "" {
		return Func{}, exit.Usage("%s: a local folder has no version: write the import path with @%s", arg, f.Version)
	}
	return f, nil
}

// noFunction explains an argument whose last identifier is not an exported one.
func noFunction(arg, path, last string) error {
	i := strings.LastIndexByte(last, '.')
	if i >= 0 && i+1 < len(last) && token.IsIdentifier(last[i+1:]) && !IsMajor(last[i+1:]) {
		return exit.Usage("%s: %s is not exported, so it cannot be called from another package: the last identifier must be an exported function, as in encoding/json.Valid", arg, last[i+1:])
	}
	if strings.HasSuffix(last, ".go") {
		folder := strings.TrimPrefix(strings.TrimSuffix(path, last), "./")
		if strings.HasPrefix(folder, "../") || strings.HasPrefix(folder, "/") {
			return exit.Usage("%s is a file: name its folder and the function, as in %s.Func", arg, strings.TrimSuffix(folder, "/"))
		}
		return exit.Usage("%s is a file: name its folder and the function, as in ./%s.Func", arg, strings.TrimSuffix(folder, "/"))
	}
	return exit.Usage("%s names a package, not a function: add the function, as in %s.Func", arg, strings.TrimSuffix(path, "."))
}

// IsMajor reports whether s looks like the v3 of gopkg.in/yaml.v3.
func IsMajor(s string) bool {
	return len(s) > 1 && s[0] == 'v' && strings.Trim(s[1:], "0123456789") == ""
}

// Shortest returns the programs' names: the shortest distinct suffixes of what the user wrote, cut
// at slashes.
func Shortest(funcs []Func) []string {
	parts := make([][]string, len(funcs))
	take := make([]int, len(funcs))
	for i, f := range funcs {
		written, version, has := strings.Cut(f.Written, "@")
		parts[i] = strings.Split(written, "/")
		if has {
			parts[i][len(parts[i])-1] += "@" + version
		}
		take[i] = 1
	}
	name := func(i int) string { return strings.Join(parts[i][len(parts[i])-take[i]:], "/") }
	for grown := true; grown; {
		grown = false
		holders := map[string][]int{}
		for i := range funcs {
			holders[name(i)] = append(holders[name(i)], i)
		}
		for i := range funcs {
			if len(holders[name(i)]) > 1 && take[i] < len(parts[i]) {
				for _, j := range holders[name(i)] {
					if take[j] < len(parts[j]) {
						take[j]++
						grown = true
					}
				}
				break // names have changed: count again
			}
		}
	}
	names := make([]string, len(funcs))
	for i := range funcs {
		names[i] = name(i)
	}
	return names
}

// IsPackage reports whether an argument that is no function can be a package: an import path, a
// folder, or a pattern.
func IsPackage(arg string) bool {
	return arg != "" && !strings.ContainsAny(arg, "@ \t\n\"'`;()*") && !strings.HasPrefix(arg, "-") && !strings.HasSuffix(arg, ".toml")
}
