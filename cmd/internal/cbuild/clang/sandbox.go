package clang

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// A variant of a program that was linked in a box is also made in a box, by `parallax cc --make
// --only=VARIANT PROGRAM`. That process can write the variant's folder, where this process reads
// the result.

const (
	onlyFlag = "--only="
	lowFlag  = "--low"
)

// makeWithin makes a variant in a box. The box may write only within a folder that the box of the
// link could write.
func (b *Build) makeWithin(ctx context.Context, v Variant, folder, within string, m Making) ([]string, error) {
	if m.Box == nil {
		return nil, &errTransient{"a command that ran in a box linked the program. To make this build outside of it, run `parallax cc --make " + b.Path + "`"}
	}
	folder, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return nil, err
	}
	if rel, err := filepath.Rel(within, folder); err != nil || !filepath.IsLocal(rel) {
		return nil, &errTransient{folder + ", where this build would lie, is not below " + within + ", where the program was built"}
	}
	p, err := Prepare(ctx)
	if err != nil {
		return nil, err
	}
	program, err := filepath.Abs(b.Path)
	if err != nil {
		return nil, err
	}
	args := []string{"cc", makeFlag, onlyFlag + string(v)}
	if m.Low {
		args = append(args, lowFlag)
	}
	said, err := m.Box(ctx, folder, append([]string{"PATH=" + os.Getenv("PATH")}, p.env...), append(args, program))
	if err != nil {
		return nil, err
	}
	switch o := (&noteKit{SHA256: b.kit}).tried(folder, v); {
	case o == nil:
		return nil, &errTransient{lastOf(said)}
	case o.Missing != "":
		return nil, &notMade{o.Missing}
	default:
		return o.Notes, nil
	}
}

// lastOf returns the reason why there is no variant from the last line of makeAll.
func lastOf(said string) string {
	line := strings.TrimSpace(said)
	line = line[strings.LastIndexByte(line, '\n')+1:]
	if _, why, ok := strings.Cut(line, " build: "); ok {
		line = why
	}
	if line == "" {
		return "the command that makes it said nothing"
	}
	return shortened(line)
}

// openRegular opens a file that another process may have written. It refuses pipes, which would
// block.
func openRegular(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, errors.Join(err, fmt.Errorf("%s is not a file", path))
	}
	return f, nil
}

// maxOutcome bounds the file of an outcome.
const maxOutcome = 1 << 20

// readRegular reads a file up to a maximum size.
func readRegular(path string, most int64) ([]byte, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s has more than %d bytes", path, most)
	}
	return data, err
}
