package synthesis

import (
	"time"

	"parallax/cmd/internal/program/gofunc"
	"parallax/cmd/internal/subject"
	"parallax/cmd/internal/subject/config"
)

// Configuration returns the configuration of a campaign on a function, with programs "new" and
// "old" of one version each. dir is the user's folder.
func (p *Pair) Configuration(f *Function, dir string, timeout time.Duration, memory int64) *config.File {
	return config.Functions(f.target, dir, []config.GoProgram{
		p.new.program(subject.NewVersion, dir, f.Package, f), p.old.program(subject.OldVersion, dir, f.old, f),
	}, timeout, memory)
}

// program returns the function in a version. The go command fetches a published version wherever a
// campaign is built. Other versions are built in their own folders.
func (s *side) program(name, dir, importPath string, f *Function) config.GoProgram {
	v := s.version
	p := config.GoProgram{Name: name, Dir: s.dir, Function: gofunc.Function{Label: v.Short, Environ: v.Env, Making: f.making}}
	if v.WorkTree {
		p.Label = "work-tree"
	}
	switch {
	case v.Module != "":
		return config.GoProgram{Name: name, Dir: dir, Function: gofunc.Function{Function: importPath + "." + f.Name, Version: v.Short, Require: v.Require, Making: f.making}}
	case f.folder == ".":
		p.Function.Function = "./." + f.Name
	default:
		p.Function.Function = "./" + f.folder + "." + f.Name
	}
	return p
}
