package clang

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"parallax/cmd/internal/base/exit"
)

// Variables of builds that parallax starts.
const (
	buildsVariable = "PARALLAX_BUILDS" // see chosen
	// the folder of the runtime, for compilers that cannot write the user's cache
	runtimeVariable = "PARALLAX_RUNTIME"
	treeVariable    = "PARALLAX_TREE" // a folder whose path __FILE__ is to leave out
)

// Prepared is the current compiler, for builds that parallax starts.
type Prepared struct {
	// Identity changes with everything that may change the result for the same sources: clang, the
	// runtime, and parallax's additions.
	Identity string

	env []string
}

// Prepare finds clang, and builds the runtime if it is not there yet.
func Prepare(ctx context.Context) (*Prepared, error) {
	clang, err := find()
	if err != nil {
		return nil, err
	}
	l, err := openLibrary(ctx, clang)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(filepath.Dir(l.dir))
	if err == nil {
		clang, err = filepath.Abs(clang)
	}
	if err != nil {
		return nil, exit.Infra("%w", err)
	}
	h := sha256.New()
	fmt.Fprintln(h, filepath.Base(l.dir), noteVersion, os.Getenv(buildsVariable))
	for _, v := range Variants {
		fmt.Fprintln(h, v.compileFlags(), v.linkFlags())
	}
	p := &Prepared{Identity: fmt.Sprintf("%x", h.Sum(nil)[:8]), env: []string{runtimeVariable + "=" + dir, "PARALLAX_CLANG=" + clang}}
	if builds := os.Getenv(buildsVariable); builds != "" {
		p.env = append(p.env, buildsVariable+"="+builds)
	}
	return p, nil
}

// Environ returns the variables by which a build in a folder uses this compiler. The build needs no
// clang on PATH and no writable user's cache. Two versions that are built in two folders have the
// same texts of __FILE__.
func (p *Prepared) Environ(tree string) []string {
	return append(p.env[:len(p.env):len(p.env)], treeVariable+"="+tree)
}

// relativeFileMacro removes from __FILE__ the folder in which parallax builds a version.
func relativeFileMacro() []string {
	if dir := os.Getenv(treeVariable); dir != "" {
		return []string{"-fmacro-prefix-map=" + dir + "/="}
	}
	return nil
}
