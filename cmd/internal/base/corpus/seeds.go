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

// maxSeed is the size of the largest file read as a seed. Mutation works on inputs of kilobytes. A
// larger file is most likely not meant as a seed, and reading it would only cost memory.
const maxSeed = 16 << 20

// Problems name the first unusable files and count the rest.
const (
	namedProblems = 5
	namedPlain    = 3
)

// Seed is an input in flat form with a description of its origin.
type Seed struct {
	Flat []byte
	From string
}

// Flats returns the inputs of seeds.
func Flats(seeds []Seed) [][]byte {
	flats := make([][]byte, len(seeds))
	for i, s := range seeds {
		flats[i] = s.Flat
	}
	return flats
}

// Seeds reads the inputs that a user gives with --seeds, each content once, with the paths of their
// files. path names a file, or a folder that is read recursively. It may hold raw files, or "go
// test fuzz v1" files, such as testdata/fuzz/FuzzXxx and Go's fuzz cache. It may also hold
// libFuzzer's corpus and artifacts, the queue, crashes and hangs of AFL and AFL++, or a parallax
// campaign. Seeds skips names that begin with a dot, and files that these programs write besides
// inputs.
//
// problems reports files that are not inputs of the shape. It names the first ones and counts the
// rest. If the shape has several arguments, one line reports all files of plain bytes.
func Seeds(path string, shape input.Shape) (list []Seed, problems []string, err error) {
	return seeds(path, importer{shape: shape, seen: map[string]bool{}})
}

// GoSeeds is Seeds for a folder that go test itself reads, testdata/fuzz/FuzzXxx. A file there that
// lacks the form of Go's corpus files is a mistake, and never plain bytes.
func GoSeeds(path string, shape input.Shape) (list []Seed, problems []string, err error) {
	return seeds(path, importer{shape: shape, seen: map[string]bool{}, strict: true})
}

func seeds(path string, im importer) (list []Seed, problems []string, err error) {
	root, err := filepath.EvalSymlinks(path) // links to folders below it are not followed, since they may form cycles
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
		im.root = root
		im.folder(root, shown)
	} else {
		im.file(root, shown)
	}
	return im.list, im.problems(shown), nil
}

// importer collects inputs.
type importer struct {
	shape  input.Shape
	strict bool   // reject plain bytes
	root   string // the folder, or empty if a file was named
	list   []Seed
	seen   map[string]bool
	plain  []string // first files of plain bytes, where the shape has several arguments
	plains int
	unfit  []string // problems of the first other unusable files
	unfits int
}

func (im *importer) folder(dir, shown string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		im.misfit(shown, err)
	}
	for _, e := range choose(dir, entries) {
		path, shown := filepath.Join(dir, e.Name()), filepath.Join(shown, e.Name())
		if e.Type()&fs.ModeSymlink != 0 && im.outside(path) {
			im.misfit(shown, errors.New("a symbolic link out of the folder is not followed"))
			continue
		}
		if e.IsDir() {
			im.folder(path, shown)
		} else {
			im.file(path, shown)
		}
	}
}

// outside reports whether a link leads to what is not in the folder: others' folders may name any
// file of the user's.
func (im *importer) outside(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false // it leads nowhere
	}
	rel, err := filepath.Rel(im.root, real)
	return err != nil || !filepath.IsLocal(rel)
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
		im.list = append(im.list, Seed{flat, "file " + shown})
	}
}

func (im *importer) misfit(shown string, err error) {
	im.unfits++
	if len(im.unfit) < namedProblems {
		im.unfit = append(im.unfit, fmt.Sprintf("seed %s: %v", shown, reason(err)))
	}
}

// problems describes the unusable files below the path.
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

// UnusableError reports that a file named by the user is not a regular file, or is too large.
type UnusableError string

func (u UnusableError) Error() string { return string(u) }

// ReadFile reads a file named by the user. It rejects folders, devices and pipes, which may never
// end, and files larger than inputs are. Files in /proc and /sys have size 0, and some never end.
// So ReadFile counts the bytes while reading, and fails instead of waiting.
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
	info, err := os.Stat(path) // opening a device may already have an effect
	if err != nil {
		return nil, err
	}
	if err := fit(info); err != nil {
		return nil, err
	}
	// Package os would wait for later data of a kernel file, whether or not it is opened with
	// O_NONBLOCK.
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	var stat syscall.Stat_t
	switch err := syscall.Fstat(fd, &stat); {
	case err != nil:
		return nil, err
	case stat.Mode&syscall.S_IFMT != syscall.S_IFREG: // another file has replaced it
		return nil, UnusableError("not a file")
	}
	data := bytes.NewBuffer(make([]byte, 0, min(max(stat.Size, 0), maxSeed)+bytes.MinRead))
	// Some kernel files must be read in whole words.
	switch n, err := data.ReadFrom(io.LimitReader(handle(fd), maxSeed+bytes.MinRead)); {
	case errors.Is(err, syscall.EAGAIN):
		return nil, UnusableError("it waits for what it has to say later, as a pipe does: not a file")
	case err != nil:
		return nil, err
	case n > maxSeed:
		return nil, UnusableError(fmt.Sprintf("its bytes are too many: at most %d are read", maxSeed))
	}
	return data.Bytes(), nil
}

// fit rejects files that are not regular, and files that report too large a size.
func fit(info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return UnusableError("a folder, not a file")
	case mode&fs.ModeNamedPipe != 0:
		return UnusableError("a pipe, not a file")
	case mode&fs.ModeSocket != 0:
		return UnusableError("a socket, not a file")
	case !mode.IsRegular():
		return UnusableError("a device, not a file")
	case info.Size() > maxSeed:
		return UnusableError(fmt.Sprintf("%d bytes are too many: at most %d are read", info.Size(), maxSeed))
	}
	return nil
}

// handle reads from a file descriptor without waiting.
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

// GoCache returns the folder where `go test -fuzz` keeps the interesting inputs of a fuzz test.
// gocache is the value of `go env GOCACHE`.
func GoCache(gocache, importPath, name string) string {
	return filepath.Join(gocache, "fuzz", filepath.FromSlash(importPath), name)
}

// reason removes the path from an error that will be printed with the path.
func reason(err error) error {
	if e, ok := err.(*fs.PathError); ok {
		return e.Err
	}
	return err
}
