package golang

import (
	"bytes"
	"fmt"
	"go/types"
	"go/version"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Package fuzzfunc of the library, which every such test binary contains, must define these
// functions under their links. plxRecTable takes the table and returns the index of the package's
// first site. plxRecBegin reports whether the call is recorded. If so, its results follow in order,
// and then plxRecEnd. plxRecOut precedes the call and passes what it may write to.
const recordFunctions = `
//go:linkname plxRecTable main.plxRecTable
func plxRecTable(table string) int

//go:linkname plxRecBegin main.plxRecBegin
func plxRecBegin(site int) uint8

//go:linkname plxRecEnd main.plxRecEnd
func plxRecEnd()

//go:linkname plxRecOut main.plxRecOut
func plxRecOut(site, arg, effect int, v interface{})

//go:linkname plxRecValue main.plxRecValue
func plxRecValue(v interface{})

//go:linkname plxRecError main.plxRecError
func plxRecError(v interface{})

//go:linkname plxRecString main.plxRecString
func plxRecString(v string)

//go:linkname plxRecBytes main.plxRecBytes
func plxRecBytes(v []byte)

//go:linkname plxRecBool main.plxRecBool
func plxRecBool(v bool)

//go:linkname plxRecInt main.plxRecInt
func plxRecInt(v int64)

//go:linkname plxRecUint main.plxRecUint
func plxRecUint(v uint64)
`

// recordSupport returns the file that declares the inserted functions. It reports whether the file
// has type parameters, which need Go 1.18.
func (f *callFinder) recordSupport(pkg string, table string) (text []byte, generic bool) {
	var b strings.Builder
	fmt.Fprintf(&b, "//line plx_rec.go:1:1\npackage %s\n\nimport _ \"unsafe\" // for go:linkname\n%s\n", pkg, recordFunctions)
	fmt.Fprintf(&b, "var plxRecFirst = plxRecTable(%s)\n", strconv.Quote(table))
	if f == nil {
		return []byte(b.String()), false
	}
	sites := f.recorded()
	if slices.ContainsFunc(sites, func(s *callSite) bool { return len(s.outs) > 0 }) {
		b.WriteString("\nfunc plxOut[A interface{}](site, arg, effect int, a A) A {\nplxRecOut(site, arg, effect, a)\nreturn a\n}\n")
		generic = true
	}
	for i, s := range sites {
		var parameters, taken, all, names, record []string
		for k, t := range s.results {
			name := string(rune('a' + k))
			written, how := f.recording(t, name)
			if written == "" {
				written = strings.ToUpper(name)
				parameters = append(parameters, written+" interface{}")
			}
			taken, all, names = append(taken, name+" "+written), append(all, written), append(names, name)
			record = append(record, how)
		}
		fmt.Fprintf(&b, "\nfunc plxRec%d", i)
		if len(parameters) > 0 {
			fmt.Fprintf(&b, "[%s]", strings.Join(parameters, ", "))
			generic = true
		}
		fmt.Fprintf(&b, "(%s) (%s) {\nif plxRecBegin(plxRecFirst+%d) != 0 {\n%s\nplxRecEnd()\n}\nreturn %s\n}\n",
			strings.Join(taken, ", "), strings.Join(all, ", "), i, strings.Join(record, "\n"), strings.Join(names, ", "))
	}
	return []byte(b.String()), generic
}

// recording returns how a result of a type is recorded, and the text of the type. The text is "" if
// a type parameter replaces it.
func (f *callFinder) recording(t types.Type, name string) (written, how string) {
	t = types.Unalias(t)
	if isError(t) {
		if f.pkg.Scope().Lookup("error") == nil {
			written = "error"
		}
		return written, "plxRecError(" + name + ")"
	}
	if s, ok := t.(*types.Slice); ok && types.Unalias(s.Elem()) == types.Typ[types.Byte] {
		return "[]byte", "plxRecBytes(" + name + ")"
	}
	if b, ok := t.(*types.Basic); ok {
		switch info := b.Info(); {
		case info&types.IsString != 0:
			return "string", "plxRecString(" + name + ")"
		case info&types.IsBoolean != 0:
			return "bool", "plxRecBool(" + name + ")"
		case b.Kind() == types.UnsafePointer:
		case info&types.IsUnsigned != 0:
			return b.Name(), "plxRecUint(uint64(" + name + "))"
		case info&types.IsInteger != 0:
			return b.Name(), "plxRecInt(int64(" + name + "))"
		}
	}
	return "", "plxRecValue(" + name + ")"
}

// runRecorded compiles tests that record calls. If recording is impossible, or does not compile,
// the table has the reason. It reports false if the package should be compiled without any of that.
func (c compilation) runRecorded(u *unit, sources []source, temp string) (done bool, code int, err error) {
	f, why := c.findCalls(u, sources)
	for {
		if why != nil {
			f = nil
		}
		files, generic, err := c.writeRecorded(u, f, sources, temp, why)
		if err != nil {
			return false, 0, err
		}
		with := c
		if generic {
			with.flags = atLeast118(c.flags)
		}
		var out, errs bytes.Buffer
		code, err = with.compileTo(&out, &errs, files)
		switch {
		case err != nil || code > 128:
			return true, code, err
		case code == 0:
			_, _ = io.Copy(os.Stdout, &out)
			_, _ = io.Copy(os.Stderr, &errs)
			return true, 0, nil
		case f == nil:
			return false, 0, nil
		}
		line, _, _ := strings.Cut(strings.TrimSpace(out.String()+errs.String()), "\n")
		why = fmt.Errorf("the tests do not compile with it: %s", line)
	}
}

// writeRecorded is write for files with recorded calls.
func (c compilation) writeRecorded(u *unit, f *callFinder, sources []source, dir string, why error) (files []string, generic bool, err error) {
	plain := make([][]edit, len(u.files))
	for i, file := range u.files {
		if plain[i] = file.edits; f != nil {
			file.edits = f.editsOf(file)
		}
	}
	files, err = c.write(u, sources, dir)
	for i, file := range u.files {
		file.edits = plain[i]
	}
	if err != nil {
		return nil, false, err
	}
	text, generic := f.recordSupport(u.name, f.writeTable(why))
	support := filepath.Join(dir, "plx_rec.go")
	return append(files, support), generic, os.WriteFile(support, text, 0o600)
}

// atLeast118 raises the language to the one that has type parameters, and changes nothing else that
// the older ones have.
func atLeast118(flags []string) []string {
	flags = slices.Clone(flags)
	for i, arg := range flags {
		if lang, ok := strings.CutPrefix(arg, "-lang="); ok && version.Compare(lang, "go1.18") < 0 {
			flags[i] = "-lang=go1.18"
		} else if arg == "-lang" && i+1 < len(flags) && version.Compare(flags[i+1], "go1.18") < 0 {
			flags[i+1] = "go1.18"
		}
	}
	return flags
}
