package config

import (
	"time"

	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/gofunc"
	"parallax/internal/oracle"
)

// GoProgram is a program of kind go that no file describes.
type GoProgram struct {
	Name string // of the program
	Dir  string // where a function that is written as ./pkg.F is found
	gofunc.Function
}

// Functions is the configuration of a campaign that compares Go functions, each built in a folder of its own, and needs no file. Its Path is empty.
func Functions(name, dir string, programs []GoProgram, timeout time.Duration, memory int64) *File {
	f := unwritten(dir, timeout, memory)
	f.Name, f.Compare.Layers = name, oracle.VerdictLayer|oracle.ValueLayer
	for _, p := range programs {
		fn := p.Function
		f.Programs = append(f.Programs, Program{Common: program.Common{Name: p.Name, Dir: p.Dir, Limits: f.Limits}, Kind: gofunc.Kind.Name, Settings: &fn})
	}
	return f
}

// GoPrograms are the programs of a configuration that Functions made; nil of any other.
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
