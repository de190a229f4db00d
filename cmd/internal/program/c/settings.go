package c

import (
	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/cbuild/clang"
	"parallax/cmd/internal/program"
)

// Kind is the table row of C and C++ programs.
var Kind = program.Kind{
	Name:     "c",
	Mark:     "binary",
	Keys:     append([]string{"binary", "args", "env"}, limits.Keys...),
	Parse:    parse,
	Open:     openVariants,
	Folders:  clang.Folders,
	Unsteady: "the cause is state that an earlier input has left in the process, such as overwritten memory: fix the first finding first",
}

// Settings is a C or C++ program in parallax.toml.
type Settings struct {
	Binary string // absolute
	Args   []string

	Declines bool // as in Config; for two versions of a harness
}

// parse reads a C or C++ program. Its build is read when it is run.
func parse(t *tomldoc.Table, common *program.Common) program.Settings {
	s := &Settings{}
	written := t.Text("binary")
	if !t.Has("binary") {
		t.Reportf(t.ValuePosition("binary"), `a program of kind c has no binary: write one like binary = "./fuzz_parse", linked by parallax cc or parallax c++`)
	}
	if written != "" {
		s.Binary = t.Path(written)
		if info := t.Exists("binary", written, t.ValuePosition("binary")); info != nil && !info.Mode().IsRegular() {
			t.Reportf(t.ValuePosition("binary"), "binary: %s is not a file", written)
		}
	}
	s.Args, common.Env = t.Command("args"), program.Variables(t, "env")
	program.NoPlace(t, "args", s.Args, "the input goes to LLVMFuzzerTestOneInput")
	return s
}

// Runs implements program.Settings.
func (s *Settings) Runs() string { return s.Binary }

// Traits implements program.Settings.
func (s *Settings) Traits() program.Traits { return program.Traits{Processes: true, Lengths: true} }
