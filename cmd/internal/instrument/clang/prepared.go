package clang

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"parallax/cmd/internal/exit"
)

// Variables of builds that parallax starts itself.
const (
	buildsVariable  = "PARALLAX_BUILDS"  // see chosen
	runtimeVariable = "PARALLAX_RUNTIME" // the folder of the runtime, for compilers that cannot write the user's cache
	treeVariable    = "PARALLAX_TREE"    // a folder whose path __FILE__ is to leave out
)

// Prepared is the compiler as it is now, for builds that parallax starts.
type Prepared struct {
	// Identity differs where what is built of the same sources may differ: by clang, the runtime and what parallax adds.
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

// Environ are the variables by which a build in a folder uses this compiler, also where it cannot write the user's cache, and finds no clang
// by itself. Two versions that are built in two folders have the same texts of __FILE__.
func (p *Prepared) Environ(tree string) []string {
	return append(p.env[:len(p.env):len(p.env)], treeVariable+"="+tree)
}

// placeless has __FILE__ leave out the folder in which parallax builds a version.
func placeless() []string {
	if dir := os.Getenv(treeVariable); dir != "" {
		return []string{"-fmacro-prefix-map=" + dir + "/="}
	}
	return nil
}
