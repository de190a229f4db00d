package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

// modulePath is that of the module which holds the copies. Campaigns run in another one that
// requires it: libraries are dependencies of those who compare them.
const modulePath = "example.com/causes"

// subject is a library in the working folder.
type subject struct {
	library
	dir     string            // of the copies of its package
	seeds   string            // folder
	sources map[string][]byte // of the package's files
	all     []mutant
	blocks  map[string]*blocks
}

// checkout fetches a library and writes its original copy.
func checkout(ctx context.Context, work string, lib library) (*subject, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", lib.Module+"@"+lib.Version)
	cmd.Dir, cmd.Env = work, append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	var module struct{ Dir, Error string }
	if json.Unmarshal(out, &module) == nil && module.Error != "" {
		err = errors.New(module.Error)
	}
	if err != nil {
		return nil, fmt.Errorf("fetching %s: %w", lib.Module, err)
	}
	s := &subject{
		library: lib, dir: filepath.Join(work, "libraries", lib.Name), seeds: filepath.Join(work, "seeds", lib.Name),
		sources: map[string][]byte{"entry.go": []byte(lib.Entry)}, blocks: map[string]*blocks{},
	}
	from := filepath.Join(module.Dir, lib.Package)
	if err := s.read(from); err != nil {
		return nil, err
	}
	for path, folder := range lib.Imports {
		files, err := goFiles(filepath.Join(module.Dir, folder))
		if err != nil {
			return nil, err
		}
		outside := "imports/" + strings.ReplaceAll(folder, "internal", "inside") // so that all copies may import it
		if err := writeAll(filepath.Join(s.dir, outside), files); err != nil {
			return nil, err
		}
		for name, source := range s.sources {
			to := modulePath + "/" + lib.Name + "/" + outside
			s.sources[name] = bytes.ReplaceAll(source, []byte(`"`+path+`"`), []byte(`"`+to+`"`))
		}
	}
	for _, file := range lib.Files {
		source, ok := s.sources[file]
		if !ok {
			return nil, fmt.Errorf("%s has no file %s", lib.Name, file)
		}
		found, err := mutants(lib, file, source)
		if err != nil {
			return nil, err
		}
		s.all = append(s.all, found...)
	}
	sort.Slice(s.all, func(i, j int) bool { return digest(s.all[i].Name()) < digest(s.all[j].Name()) })
	if err := writeAll(filepath.Join(s.dir, "original"), s.sources); err != nil {
		return nil, err
	}
	if err := s.compiles(ctx, work, "original"); err != nil {
		return nil, err
	}
	return s, s.writeSeeds()
}

func (s *subject) read(from string) error {
	files, err := goFiles(from)
	for name, source := range files {
		s.sources[name] = source
	}
	return err
}

// goFiles reads the files of a package that are compiled here.
func goFiles(dir string) (map[string][]byte, error) {
	pkg, err := build.Default.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, name := range pkg.GoFiles {
		if files[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func writeAll(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (s *subject) writeSeeds() error {
	files := map[string][]byte{}
	for i, args := range s.Seeds {
		text := fmt.Sprint(args[0])
		if len(args) > 1 {
			text = "go test fuzz v1\n"
			for _, a := range args {
				text += fmt.Sprintf("string(%q)\n", a)
			}
		}
		files[fmt.Sprint(i)] = []byte(text)
	}
	return writeAll(s.seeds, files)
}

// write makes the package of a mutant.
func (s *subject) write(m mutant) error {
	changed, err := m.apply(s.sources[m.File])
	if err != nil {
		return err
	}
	dir := filepath.Join(s.dir, m.Folder())
	if err := writeAll(dir, s.sources); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, m.File), changed, 0o644)
}

// compiles is an error if a folder's package is no program.
func (s *subject) compiles(ctx context.Context, work, folder string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "./"+s.Name+"/"+folder)
	cmd.Dir, cmd.Env = filepath.Join(work, "libraries"), append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s of %s: %w\n%s", folder, s.Name, err, tail(out))
	}
	return nil
}

// original is the function without a change, changed that of a mutant, as they are written on the
// command line.
func (s *subject) original() string { return modulePath + "/" + s.Name + "/original.Enter" }
func (s *subject) changed(m mutant) string {
	return modulePath + "/" + s.Name + "/" + m.Folder() + ".Enter"
}
func (s *subject) remove(m mutant) error { return os.RemoveAll(filepath.Join(s.dir, m.Folder())) }
func (s *subject) covers(p place, m mutant) bool {
	b := s.blocks[p.File]
	if b == nil {
		source, ok := s.sources[p.File]
		if !ok {
			return false
		}
		var err error
		if b, err = readBlocks(p.File, source); err != nil {
			return false
		}
		s.blocks[p.File] = b
	}
	return strings.EqualFold(p.File, m.File) && b.covers(p, m.Line)
}

// prepare writes the module of all copies and the one that requires it.
func prepare(work string) error {
	if err := os.MkdirAll(filepath.Join(work, "libraries"), 0o755); err != nil {
		return err
	}
	own := "module example.com/compare\n\ngo 1.24\n\nrequire " + modulePath + " v0.0.0\n\nreplace " + modulePath + " => ./libraries\n"
	return errors.Join(
		os.WriteFile(filepath.Join(work, "go.mod"), []byte(own), 0o644),
		os.WriteFile(filepath.Join(work, "libraries", "go.mod"), []byte("module "+modulePath+"\n\ngo 1.24\n"), 0o644))
}
