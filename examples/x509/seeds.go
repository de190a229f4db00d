// Package x509 holds the seeds of the experiment for programs that are made of them, which are
// package frankencert's. Those of others are among them where mkseeds has made them in seeds-others
// before the program is built.
package x509

import (
	"embed"
	"io/fs"
)

//go:embed seeds*/*.der control/*.der
var seeds embed.FS

// Seeds returns the inputs in the order of their files' names.
func Seeds() [][]byte {
	names, err := fs.Glob(seeds, "*/*.der")
	if err != nil {
		panic(err)
	}
	var all [][]byte
	for _, name := range names {
		input, err := seeds.ReadFile(name)
		if err != nil {
			panic(err)
		}
		all = append(all, input)
	}
	return all
}
