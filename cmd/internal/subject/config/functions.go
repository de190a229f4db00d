package config

import (
	"time"

	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/gofunc"
	"parallax/internal/oracle"
)

// GoProgram is a program of kind go without a file.
type GoProgram struct {
	Name string // of the program
	Dir  string // the folder that a function like ./pkg.F is relative to
	gofunc.Function
}

// Functions returns the configuration of a campaign that compares Go functions without a file. Each
// function is built in its own folder. The Path is empty.
func Functions(name, dir string, programs []GoProgram, timeout time.Duration, memory int64) *File {
	f := unwritten(dir, timeout, memory)
	f.Name, f.Compare.Layers = name, oracle.VerdictLayer|oracle.ValueLayer
	for _, p := range programs {
		fn := p.Function
		f.Programs = append(f.Programs, Program{Common: program.Common{Name: p.Name, Dir: p.Dir, Limits: f.Limits}, Kind: gofunc.Kind.Name, Settings: &fn})
	}
	return f
}

// GoPrograms returns the programs of a configuration that Functions made, and nil for any other.
func (f *File) GoPrograms() (list []GoProgram) {
	if f.Path != "" {
		return nil
	}
	for i := range f.Programs {
		fn, ok := f.Programs[i].Settings.(*gofunc.Function)
		if !ok {
			return nil
		}
		list = append(list, GoProgram{f.Programs[i].Name, f.Programs[i].Dir, *fn})
	}
	return list
}
