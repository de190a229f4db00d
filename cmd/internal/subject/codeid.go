package subject

import (
	"crypto/sha256"
	"debug/elf"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"

	"parallax/cmd/internal/gobuild/mining"
	"parallax/cmd/internal/program"
)

// codeID identifies the code that programs execute, by its blocks and the content of its files. A
// file that cannot be read counts by its name.
func codeID(blocks string, files []string) string {
	slices.Sort(files)
	all := sha256.New()
	fmt.Fprintln(all, blocks)
	for _, name := range slices.Compact(files) {
		if sum, err := contentOf(name); err == nil {
			name = string(sum)
		}
		fmt.Fprintf(all, "%q\n", name)
	}
	return fmt.Sprintf("%x", all.Sum(nil)[:8])
}

// contentOf hashes the executed content of a file. For an ELF file, that is all loaded sections
// except notes. Notes of parallax cc and of the linker also describe how the file was made. For
// other files, it is the whole file.
func contentOf(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	if e, err := elf.NewFile(f); err == nil && len(e.Sections) > 0 {
		for _, s := range e.Sections {
			if s.Flags&elf.SHF_ALLOC == 0 || s.Type == elf.SHT_NOTE || s.Type == elf.SHT_NOBITS {
				continue
			}
			fmt.Fprintln(h, s.Name, s.Addr, s.Size)
			if _, err := io.Copy(h, s.Open()); err != nil {
				return nil, err
			}
		}
		return h.Sum(nil), nil
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	_, err = io.Copy(h, f)
	return h.Sum(nil), err
}

// codeFiles returns the files with the code of programs: the builds of Go functions, the binaries
// of C programs, and the files that commands name.
func (m *assembly) codeFiles() (files []string) {
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
