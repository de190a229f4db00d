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

// Harness returns the configuration of a campaign on one C or C++ harness without a file. The
// harness gets the user's environment and runs in the user's working directory.
func Harness(binary, dir string, timeout time.Duration, memory int64) *File {
	f := unwritten(dir, timeout, memory)
	f.Path, f.Name, f.Compare.Layers = binary, nameOf(binary), oracle.VerdictLayer
	f.Programs = []Program{binaryProgram(f, f.Name, dir, binary)}
	return f
}

// Harnesses returns the configuration of a campaign that compares C and C++ harnesses without a
// file. The Path is empty. A program has the name of its file, after as many folders as distinguish
// it from the others.
func Harnesses(binaries []string, dir string, timeout time.Duration, memory int64) *File {
	f := unwritten(dir, timeout, memory)
	f.Compare.Layers = oracle.VerdictLayer | oracle.ValueLayer
	all := namesOf(binaries)
	for i, binary := range binaries {
		f.Programs = append(f.Programs, binaryProgram(f, all[i], dir, binary))
	}
	f.Name = strings.Join(all, "+")
	return f
}

// binaryProgram returns a C program without keys.
func binaryProgram(f *File, name, dir, binary string) Program {
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

// namesOf returns the shortest ends of the programs' paths that differ.
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
	for i := range names { // names that are cut, or that differ only in bytes that names cannot have
		for n := 2; slices.Contains(names[:i], names[i]); n++ {
			number := fmt.Sprint(".", n)
			name := nameOf(filepath.Base(binaries[i]))
			names[i] = name[:min(len(name), longestName-len(number))] + number
		}
	}
	return names
}

// longestName limits the name of a program without a configuration.
const longestName = 60

// nameOf returns the name of a harness's target: that of its file, with the characters that a name
// cannot have replaced.
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
