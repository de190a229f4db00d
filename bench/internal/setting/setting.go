// Package setting has the common flags of the measurements on subjects: the executable of parallax,
// the work folder and the file of samples. The programs of bench embed it.
package setting

import (
	"errors"
	"flag"
	"path/filepath"

	"parallax/bench/internal/origin"
)

// Setting describes the environment of a measurement.
type Setting struct {
	Tool     string // the parallax executable
	Work     string // folder for copies of modules, binaries and what engines write
	File     string // of samples
	Revision string // of the repository, as the caller says
	Here     origin.Origin
}

// Flags defines the flags that fill it.
func (s *Setting) Flags() {
	flag.StringVar(&s.Tool, "parallax", "", "the parallax executable")
	flag.StringVar(&s.Work, "work", "", "folder for copies of modules, binaries and what engines write")
	flag.StringVar(&s.File, "samples", "", "file of samples")
	flag.StringVar(&s.Revision, "revision", "unknown", "revision of the repository, for the samples")
}

// Complete makes the paths absolute, since engines run elsewhere, and finds out what samples from
// here are taken with.
func (s *Setting) Complete() (err error) {
	if s.Tool == "" || s.Work == "" || s.File == "" {
		return errors.New("-parallax, -work and -samples are needed")
	}
	for _, path := range []*string{&s.Tool, &s.Work} {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	s.Here, err = origin.Here(s.Tool, s.Revision)
	return err
}
