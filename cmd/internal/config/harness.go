package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parallax/internal/judge"
)

// Harness is the configuration of a campaign on one C or C++ harness that needs no file: it gets the user's environment and
// works in the folder where the user stands.
func Harness(binary, dir string, timeout time.Duration, memory int64) *File {
	f := unwritten(dir, timeout, memory)
	f.Path, f.Name, f.Compare.Layers = binary, nameOf(binary), judge.VerdictLayer
	f.Programs = []Program{{Name: f.Name, Kind: C, Dir: dir, Limits: f.Limits, Binary: binary}}
	return f
}

// Harnesses is the configuration of a campaign that compares C and C++ harnesses and needs no file. Its Path is empty. A name is that
// of the file, with its folder's where several are called the same.
func Harnesses(binaries []string, dir string, timeout time.Duration, memory int64) *File {
	f := unwritten(dir, timeout, memory)
	f.Compare.Layers = judge.VerdictLayer | judge.ValueLayer
	var all []string
	for i, binary := range binaries {
		name := nameOf(binary)
		if slices.ContainsFunc(binaries, func(b string) bool { return b != binary && nameOf(b) == name }) {
			name = nameOf(filepath.Base(filepath.Dir(binary)) + "." + filepath.Base(binary))
		}
		for n := 2; slices.Contains(all, name); n++ {
			name = nameOf(fmt.Sprint(binary, ".", i+n))
		}
		all = append(all, name)
		f.Programs = append(f.Programs, Program{Name: name, Kind: C, Dir: dir, Limits: f.Limits, Binary: binary})
	}
	f.Name = strings.Join(all, "+")
	return f
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
	return name[:min(len(name), 60)]
}
