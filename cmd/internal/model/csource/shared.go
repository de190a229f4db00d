package csource

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/cbuild/clang"
	ccompiler "parallax/cmd/internal/model/compiler"
)

// Shared is a native shared library with a function, in a folder of the cache.
type Shared struct {
	Path   string
	folder *buildcache.Folder
}

// Close releases the folder.
func (s *Shared) Close() { s.folder.Close() }

// Shared compiles the function for this machine, with only the parts of the files that it needs.
// The library confirms computed effects: package original runs the function too, so it affects only
// memory. Code that would run when the library is loaded is refused.
func (p *Part) Shared(ctx context.Context) (*Shared, error) {
	if p.slow != nil {
		return nil, p.slow
	}
	identity := []string{"C function", p.Function}
	for _, u := range p.Units {
		for _, odd := range []string{"@llvm.global_ctors", "@llvm.global_dtors", " ifunc ", "\nmodule asm "} {
			if strings.Contains(u.IR, odd) {
				return nil, fmt.Errorf("%s has code that runs when it is loaded (%s)", u.File, strings.Trim(odd, " @\n"))
			}
		}
		identity = append(identity, u.IR)
	}
	compiler, err := clang.Compiler()
	if err != nil {
		return nil, err
	}
	folder, err := buildcache.Open(ctx, identity...)
	if err != nil {
		return nil, err
	}
	s := &Shared{Path: filepath.Join(folder.Dir, "function.so"), folder: folder}
	if err := p.make(ctx, compiler, s); err != nil {
		folder.Close()
		return nil, err
	}
	return s, nil
}

func (p *Part) make(ctx context.Context, compiler string, s *Shared) error {
	release, err := s.folder.Lock(ctx, nil)
	if err != nil {
		return err
	}
	defer release()
	if _, err := os.Stat(s.Path); err == nil {
		return nil
	}
	dir := s.folder.Dir
	args := []string{"-shared", "-O0", "-w", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", "-Wl,--version-script=" + filepath.Join(dir, "symbols"), "-o", s.Path + ".new"}
	// A static function must be exported under its name.
	internal := regexp.MustCompile(`(?m)^define internal (.*@` + regexp.QuoteMeta(p.Function) + `\()`)
	files := map[string]string{"symbols": "{ global: " + p.Function + "; local: *; };\n"}
	for i, u := range p.Units {
		name := fmt.Sprintf("%d.ll", i)
		files[name] = internal.ReplaceAllString(u.IR, "define $1")
		args = append(args, filepath.Join(dir, name))
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return exit.Infra("writing a C function for this machine: %w", err)
		}
	}
	out, messages, err := ccompiler.Run(ctx, "", compiler, args...)
	var failed *exec.ExitError
	var slow *ccompiler.SlowError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &slow):
		p.slow = err
		return err
	case errors.As(err, &failed):
		return fmt.Errorf("%s does not compile for this machine: %s", p.Files(), first(string(messages)+string(out), err))
	case err != nil:
		return exit.Infra("running %s: %w", compiler, err)
	}
	return exit.Doing("keeping a C function for this machine", os.Rename(s.Path+".new", s.Path))
}
