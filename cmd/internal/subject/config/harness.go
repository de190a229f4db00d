package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/c"
	"parallax/internal/oracle"
)

// Harness is the configuration of a campaign on one C or C++ harness that needs no file: it gets the user's environment and
// works in the folder where the user stands.
func Harness(binary, dir string, timeout time.Duration, memory int64) *File {
	f := unwritten(dir, timeout, memory)
	f.Path, f.Name, f.Compare.Layers = binary, nameOf(binary), oracle.VerdictLayer
	f.Programs = []Program{ofBinary(f, f.Name, dir, binary)}
	return f
}

// Harnesses is the configuration of a campaign that compares C and C++ harnesses and needs no file. Its Path is empty. A name is that
// of the file, with as many folders before it as tell it from the others.
func Harnesses(binaries []string, dir string, timeout time.Duration, memory int64) *File {
	f := unwritten(dir, timeout, memory)
	f.Compare.Layers = oracle.VerdictLayer | oracle.ValueLayer
	all := namesOf(binaries)
	for i, binary := range binaries {
		f.Programs = append(f.Programs, ofBinary(f, all[i], dir, binary))
	}
	f.Name = strings.Join(all, "+")
	return f
}

// ofBinary is a C program without keys.
func ofBinary(f *File, name, dir, binary string) Program {
	return Program{Common: program.Common{Name: name, Dir: dir, Limits: f.Limits}, Kind: c.Kind.Name, Settings: &c.Settings{Binary: binary}}
}

func unwritten(dir string, timeout time.Duration, memory int64) *File {
	f := &File{Dir: dir, Limits: defaultLimits, Input: Input{MaxBytes: defaultMaxBytes}}
	f.Limits.Timeout, f.Limits.Memory = timeout, memory
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		f.Environment.Inherit = append(f.Environment.Inherit, name)
	}
	return f
}

// namesOf are the names of programs, the shortest ends of their paths that differ.
func namesOf(binaries []string) []string {
	end := func(binary string, parts int) string {
		list := strings.Split(strings.TrimPrefix(binary, "/"), "/")
		list = slices.Clone(list[max(0, len(list)-parts):])
		for i := range list {
			list[i] = nameOf(list[i])
		}
		return strings.Join(list, "/")
	}
	names := make([]string, len(binaries))
	for i, binary := range binaries {
		for parts := 1; ; parts++ {
			names[i] = end(binary, parts)
			same := func(other string) bool { return other != binary && end(other, parts) == names[i] }
			if parts > strings.Count(binary, "/") || !slices.ContainsFunc(binaries, same) {
				break
			}
		}
	}
	for i := range names { // those that are cut off, or differ in bytes that no name has
		for n := 2; slices.Contains(names[:i], names[i]); n++ {
			number := fmt.Sprint(".", n)
			name := nameOf(filepath.Base(binaries[i]))
			names[i] = name[:min(len(name), longestName-len(number))] + number
		}
	}
	return names
}

// longestName is how long the name of a program without a configuration is at most.
const longestName = 60

// nameOf is the name of a harness's target: its file's, as far as it can be one.
func nameOf(binary string) string {
	name := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("_-.+", c) {
			return c
		}
		return '_'
	}, filepath.Base(binary))
	if name = strings.TrimLeft(name, "-.+"); name == "" {
		return "harness"
	}
	return name[:min(len(name), longestName)]
}
