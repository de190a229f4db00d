package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"parallax/internal/input"
)

// maxSeed is the largest file taken as a seed. Mutation works on inputs of kilobytes; a file of this size in a
// folder of seeds is there by accident, and reading it would only cost memory.
const maxSeed = 16 << 20

// The first files that cannot be used are named, and the others counted.
const (
	namedProblems = 5
	namedPlain    = 3
)

// Seeds reads the inputs that a user gives with --seeds, in flat form, each content once. path is a file, or a folder
// that is read with the folders below it: of raw files, of "go test fuzz v1" files such as testdata/fuzz/FuzzXxx and Go's
// fuzz cache, of libFuzzer (corpus and artifacts), of AFL and AFL++ (queue, crashes, hangs), or a campaign of parallax.
// Names that begin with a dot and what those programs write beside inputs are skipped.
//
// Files that cannot be read as inputs of the shape are told in problems: the first of them by name, the rest by their
// number; files of plain bytes, where the shape takes several arguments, in one line.
func Seeds(path string, shape input.Shape) (flats [][]byte, problems []string, err error) {
	return seeds(path, importer{shape: shape, seen: map[string]bool{}})
}

// GoSeeds is Seeds for a folder that go test reads itself, testdata/fuzz/FuzzXxx: what has not the form of Go's corpus
// files is a mistake there, and never a file of plain bytes.
func GoSeeds(path string, shape input.Shape) (flats [][]byte, problems []string, err error) {
	return seeds(path, importer{shape: shape, seen: map[string]bool{}, strict: true})
}

func seeds(path string, im importer) (flats [][]byte, problems []string, err error) {
	root, err := filepath.EvalSymlinks(path) // below it, links to folders are not followed: they may lead in circles
	if err != nil {
		return nil, nil, fmt.Errorf("seeds: %w", err)
	}
	info, err := os.Stat(root)
	if err != nil {
		return nil, nil, fmt.Errorf("seeds: %w", err)
	}
	shown := filepath.Clean(path)
	if info.IsDir() {
		if _, err := os.ReadDir(root); err != nil {
			return nil, nil, fmt.Errorf("seeds: %w", err)
		}
		im.folder(root, shown)
	} else {
		im.file(root, shown)
	}
	return im.flats, im.problems(shown), nil
}

// An importer collects inputs.
type importer struct {
	shape  input.Shape
	strict bool // no plain bytes
	flats  [][]byte
	seen   map[string]bool
	plain  []string // the first files of bytes that no input of the shape can be made of
	plains int
	unfit  []string // what is wrong with the first of the other files
	unfits int
}

func (im *importer) folder(dir, shown string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		im.misfit(shown, err)
	}
	for _, e := range choose(dir, entries) {
		path, shown := filepath.Join(dir, e.Name()), filepath.Join(shown, e.Name())
		if e.IsDir() {
			im.folder(path, shown)
		} else {
			im.file(path, shown)
		}
	}
}

func (im *importer) file(path, shown string) {
	data, err := readSeed(path)
	if err != nil {
		im.misfit(shown, err)
		return
	}
	if im.strict && !input.IsGoFile(data) {
		im.misfit(shown, errors.New(`it does not begin with the line "go test fuzz v1", as go test wants it`))
		return
	}
	if !im.shape.Raw() && !input.IsGoFile(data) {
		im.plains++
		if len(im.plain) < namedPlain {
			im.plain = append(im.plain, filepath.Base(shown))
		}
		return
	}
	flat, err := im.shape.Import(data)
	if err != nil {
		im.misfit(shown, err)
		return
	}
	if !im.seen[string(flat)] {
		im.seen[string(flat)] = true
		im.flats = append(im.flats, flat)
	}
}

func (im *importer) misfit(shown string, err error) {
	im.unfits++
	if len(im.unfit) < namedProblems {
		im.unfit = append(im.unfit, fmt.Sprintf("seed %s: %v", shown, reason(err)))
	}
}

// problems tells of what could not be used below the path.
func (im *importer) problems(path string) []string {
	var out []string
	if im.plains > 0 {
		names := strings.Join(im.plain, ", ")
		if im.plains > len(im.plain) {
			names += ", ..."
		}
		lines := strings.Split(strings.TrimSpace(string(im.shape.GoFile(im.shape.Zero()))), "\n")
		out = append(out, fmt.Sprintf("seeds %s: %s of plain bytes (%s) cannot be split into %s: write such inputs as text, here with the lines %s",
			path, files(im.plains), names, im.shape, strings.Join(lines, " | ")))
	}
	out = append(out, im.unfit...)
	if more := im.unfits - len(im.unfit); more > 0 {
		out = append(out, fmt.Sprintf("seeds %s: %s more cannot be used", path, files(more)))
	}
	return out
}

func files(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

func readSeed(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, errors.New("a symbolic link to a folder is not followed")
	}
	return ReadFile(path)
}

// Unfit is why a file that a user names is not read: it is no file, or too large for one.
type Unfit string

func (u Unfit) Error() string { return string(u) }

// ReadFile reads a file that a user names: no folder, device or pipe, which may never end, and none that is larger than inputs are.
// Files of the kernel say that they are empty, and some never end: the size is counted while it is read, and a read that would wait fails.
func ReadFile(path string) ([]byte, error) {
	data, err := readFile(path)
	if err != nil {
		var named *fs.PathError
		if !errors.As(err, &named) {
			err = &fs.PathError{Op: "reading", Path: path, Err: err}
		}
		return nil, err
	}
	return data, nil
}

func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path) // to open a device may do something already
	if err != nil {
		return nil, err
	}
	if err := fit(info); err != nil {
		return nil, err
	}
	// Package os would wait for what a file of the kernel has to say later, whether it is opened with O_NONBLOCK or not.
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	var stat syscall.Stat_t
	switch err := syscall.Fstat(fd, &stat); {
	case err != nil:
		return nil, err
	case stat.Mode&syscall.S_IFMT != syscall.S_IFREG: // another has taken its place
		return nil, Unfit("not a file")
	}
	data := bytes.NewBuffer(make([]byte, 0, min(max(stat.Size, 0), maxSeed)+bytes.MinRead))
	// Some files of the kernel want to be read by whole words.
	switch n, err := data.ReadFrom(io.LimitReader(handle(fd), maxSeed+bytes.MinRead)); {
	case errors.Is(err, syscall.EAGAIN):
		return nil, Unfit("it waits for what it has to say later, as a pipe does: not a file")
	case err != nil:
		return nil, err
	case n > maxSeed:
		return nil, Unfit(fmt.Sprintf("its bytes are too many: at most %d are read", maxSeed))
	}
	return data.Bytes(), nil
}

// fit refuses what is no regular file, and what says itself that it is too large.
func fit(info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return Unfit("a folder, not a file")
	case mode&fs.ModeNamedPipe != 0:
		return Unfit("a pipe, not a file")
	case mode&fs.ModeSocket != 0:
		return Unfit("a socket, not a file")
	case !mode.IsRegular():
		return Unfit("a device, not a file")
	case info.Size() > maxSeed:
		return Unfit(fmt.Sprintf("%d bytes are too many: at most %d are read", info.Size(), maxSeed))
	}
	return nil
}

// A handle reads from a file descriptor and never waits for it.
type handle int

func (h handle) Read(p []byte) (int, error) {
	for {
		n, err := syscall.Read(int(h), p)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return 0, err
		case n == 0 && len(p) > 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

// GoCache is the folder where `go test -fuzz` keeps the inputs that it found interesting for a fuzz test. gocache is what
// `go env GOCACHE` says.
func GoCache(gocache, importPath, name string) string {
	return filepath.Join(gocache, "fuzz", filepath.FromSlash(importPath), name)
}

// reason drops the path that the message names already.
func reason(err error) error {
	if e, ok := err.(*fs.PathError); ok {
		return e.Err
	}
	return err
}
