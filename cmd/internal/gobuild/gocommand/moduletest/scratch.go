package moduletest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// ScratchVariable is the variable of the environment that names the scratch folder.
const ScratchVariable = "PARALLAX_TEST_SCRATCH"

// WithScratch runs the tests of a package, with a scratch folder for products that they share.
// TestMain calls it with the package's name.
//
// Go's build cache stays the user's. If a test sets XDG_CACHE_HOME, the go command would otherwise
// begin an empty cache below it, and compile the standard library.
func WithScratch(m *testing.M, name string) int {
	if err := keepBuildCache(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	dir, lock, err := scratchFolder(name)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer lock.Close()
	defer os.RemoveAll(dir)
	os.Setenv(ScratchVariable, dir)
	leave, err := shareLibrary()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer leave()
	return m.Run()
}

// Scratch is the scratch folder.
func Scratch() string { return os.Getenv(ScratchVariable) }

// Cache is a folder in the scratch folder for the variable XDG_CACHE_HOME.
func Cache() string { return filepath.Join(Scratch(), "cache") }

// Libraries is where builds keep copies of the library (gobuild.Request.Libraries).
func Libraries() string { return filepath.Join(Cache(), "parallax", "library") }

// shareLibrary lets the tests of all packages share copies of the library in one folder. The go
// command finds compiled packages by their path, so it reuses the copies. The last process to leave
// removes the folder.
func shareLibrary() (leave func(), err error) {
	dir := filepath.Join(os.TempDir(), fmt.Sprint("parallax-library-", os.Getuid()))
	var lock *os.File
	for lock == nil {
		if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		if lock, err = hold(dir, unix.LOCK_SH); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	if err = os.MkdirAll(filepath.Dir(Libraries()), 0o755); err == nil {
		err = os.Symlink(dir, Libraries())
	}
	return func() {
		if unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
			os.RemoveAll(dir)
		}
		lock.Close()
	}, err
}

func keepBuildCache() error {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return fmt.Errorf("asking go env for GOCACHE: %w", err)
	}
	return os.Setenv("GOCACHE", strings.TrimSpace(string(out)))
}

// scratchFolder creates the folder, which has the same path in each run unless another run holds
// it. The go command uses the path, so that a copy of the library in it stays compiled, once per
// set of instrumented packages. The folder is held until lock, which may be nil, is closed.
func scratchFolder(name string) (dir string, lock *os.File, err error) {
	dir = filepath.Join(os.TempDir(), fmt.Sprint(name, "-test-", os.Getuid()))
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", nil, err
	}
	if lock = tryLock(dir); lock == nil {
		dir, err = os.MkdirTemp("", name+"-test")
		return dir, nil, err
	}
	left, err := os.ReadDir(dir) // by a run that was killed
	for _, e := range left {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return dir, lock, err
}

// tryLock locks a folder. It returns nil if another process holds it.
func tryLock(dir string) *os.File {
	f, _ := hold(dir, unix.LOCK_EX|unix.LOCK_NB)
	return f
}

// hold locks a folder, and fails if its last holder has removed it meanwhile.
func hold(dir string, how int) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err = unix.Flock(int(f.Fd()), how); err == nil {
		mine, failed := f.Stat()
		there, missing := os.Lstat(dir)
		if failed == nil && missing == nil && os.SameFile(mine, there) {
			return f, nil
		}
		err = fs.ErrNotExist
	}
	f.Close()
	return nil, err
}

// Dir makes an empty folder for the test. In a package whose tests run WithScratch, it has the same
// path in each run. So the go command finds packages again that it compiled there.
func Dir(t testing.TB) string {
	t.Helper()
	if Scratch() == "" {
		return t.TempDir()
	}
	parent := filepath.Join(Scratch(), "tests", filepath.FromSlash(t.Name()))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := 1; ; i++ {
		dir := filepath.Join(parent, fmt.Sprintf("%03d", i))
		err := os.Mkdir(dir, 0o755)
		if errors.Is(err, fs.ErrExist) {
			continue // made by the same test before, or a subtest's
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := os.RemoveAll(dir); err != nil {
				t.Errorf("removing a folder of the test: %v", err)
			}
		})
		return dir
	}
}
