package subject

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"

	"parallax/cmd/internal/gobuild/mining"
	"parallax/cmd/internal/program"
)

// code identifies what programs execute: blocks, and the content of files. A file that cannot be read is in it by its name.
func code(blocks string, files []string) string {
	slices.Sort(files)
	all := sha256.New()
	fmt.Fprintln(all, blocks)
	for _, name := range slices.Compact(files) {
		if f, err := os.Open(name); err == nil {
			one := sha256.New()
			_, err = io.Copy(one, f)
			f.Close()
			if err == nil {
				name = string(one.Sum(nil))
			}
		}
		fmt.Fprintf(all, "%q\n", name)
	}
	return fmt.Sprintf("%x", all.Sum(nil)[:8])
}

// executed are the files that programs are executed from: the builds of Go functions, the binaries of C programs, and what commands name.
func (m *assembly) executed() (files []string) {
	for _, p := range m.parts {
		files = append(files, p.binary)
	}
	add := func(name string) {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			files = append(files, name)
		}
	}
	for i, p := range m.programs {
		if m.from != nil && i < len(m.from.Programs) {
			add(m.from.Programs[i].Settings.Runs())
		}
		s, ok := p.(program.Scripted)
		if !ok {
			continue
		}
		command, dir, env := s.Script()
		files = append(files, mining.Scripts(command, dir, env)...)
		for k, word := range command {
			if k == 0 {
				if path, err := exec.LookPath(word); err == nil {
					word = path
				}
			}
			add(word)
		}
	}
	return files
}
