package confirm

import (
	"context"
	_ "embed"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/model/call"
	ccompiler "parallax/cmd/internal/model/compiler"
)

//go:embed driver/driver.c
var driver string

// compilers lists the C compilers, in the order of preference.
var compilers = []string{"cc", "gcc", "clang"}

const compilerFix = "apt-get install gcc libc6-dev"

// compiled is a compiled driver in a folder of the cache.
type compiled struct {
	program string
	folder  *buildcache.Folder
}

// compile compiles the driver for a signature, unless the cache has it. Functions of one type share
// a driver. lookPath has the contract of exec.LookPath.
func compile(ctx context.Context, s *call.Signature, lookPath func(string) (string, error)) (compiled, error) {
	invoke, err := shape(s)
	if err != nil {
		return compiled{}, err
	}
	source := driver + invoke
	folder, err := buildcache.Open(ctx, "driver of C functions", source)
	if err != nil {
		return compiled{}, err
	}
	c := compiled{program: filepath.Join(folder.Dir, "driver"), folder: folder}
	if err := c.make(ctx, source, lookPath); err != nil {
		folder.Close()
		return compiled{}, err
	}
	return c, nil
}

func (c *compiled) make(ctx context.Context, source string, lookPath func(string) (string, error)) error {
	release, err := c.folder.Lock(ctx, nil)
	if err != nil {
		return err
	}
	defer release()
	if _, err := os.Stat(c.program); err == nil {
		return nil
	}
	compiler := ""
	for _, name := range compilers {
		if compiler, err = lookPath(name); err == nil {
			break
		}
	}
	if err != nil {
		return exit.Infra("there is no C compiler on PATH, which calls of the C library need: %s", compilerFix)
	}
	code, made := filepath.Join(c.folder.Dir, "driver.c"), c.program+".new"
	if err := os.WriteFile(code, []byte(source), 0o644); err != nil {
		return exit.Infra("writing the driver of C functions: %w", err)
	}
	// Without optimizations and built-in functions, calls reach the library's functions.
	out, messages, err := ccompiler.Run(ctx, "", compiler, "-O0", "-fno-builtin", "-w", "-o", made, code, "-ldl")
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var slow *ccompiler.SlowError
	if errors.As(err, &slow) {
		return exit.Infra("compiling the driver of C functions: %w", err)
	}
	if err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(string(messages)+string(out)), "\n")
		return exit.Infra("%s does not compile the driver of C functions (%w): %s: %s", compiler, err, strings.ToValidUTF8(line, "?"), compilerFix)
	}
	return exit.Doing("keeping the driver of C functions", os.Rename(made, c.program))
}

func (c *compiled) close() {
	if c.folder != nil {
		c.folder.Close()
	}
}
