package config

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"parallax/internal/judge"
)

// Harness is the configuration of a campaign on one C or C++ harness that needs no file: it gets the user's environment and
// works in the folder where the user stands.
func Harness(binary, dir string, timeout time.Duration, memory int64) *File {
	f := &File{
		Path: binary, Dir: dir, Name: nameOf(binary), Limits: defaultLimits, Input: Input{MaxBytes: defaultMaxBytes},
		Compare: Compare{Layers: judge.VerdictLayer},
	}
	f.Limits.Timeout, f.Limits.Memory = timeout, memory
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		f.Environment.Inherit = append(f.Environment.Inherit, name)
	}
	f.Programs = []Program{{Name: f.Name, Kind: C, Dir: dir, Limits: f.Limits, Binary: binary}}
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
