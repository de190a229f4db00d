package sequence

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// BoxVariable is the environment variable by which a process in a box is told its folder: an empty file system of its own.
const BoxVariable = "PARALLAX_BOX"

// ServiceFolder is where a box's service has its socket and its files, for itself and for the programs. ServiceLog is the file there of what it says.
const (
	ServiceFolder = "/service"
	ServiceLog    = "log"
)

// entered: the root of this process is the box's folder.
var entered bool

// fresh makes the box's folder empty, and is the root of the process with the first call. It panics outside of a box: what acts on the
// machine does not run there. What a service has in its folder stays.
func fresh(service bool) {
	if !entered {
		box := os.Getenv(BoxVariable)
		if box == "" {
			panic("there is no box: nothing that acts on the machine runs outside of one")
		}
		must(syscall.Chroot(box))
		entered = true
	}
	must(os.Chmod("/", 0o755)) // first: what permissions it has, a sequence decides
	must(os.Chdir("/"))
	syscall.Umask(0) // what permissions a file is given are those that it has
	entries, err := os.ReadDir("/")
	must(err)
	for _, e := range entries {
		if path := "/" + e.Name(); !service || path != ServiceFolder {
			empty(path)
		}
	}
}

// unserved ends the process where no value can be made that talks to a service: that is nothing that the programs do otherwise. What the service
// says is told.
func unserved(err error) {
	fmt.Fprintln(os.Stderr, "making the original, which has a service:", err)
	if log, err := os.ReadFile(ServiceFolder + "/" + ServiceLog); err == nil {
		const most = 2000
		fmt.Fprintf(os.Stderr, "the service says:\n%s\n", log[max(0, len(log)-most):])
	}
	os.Exit(2)
}

// Folder makes the folder that a constructor is given that takes one. It is for the box.
func Folder() string {
	if !entered {
		panic("there is no box: nothing that acts on the machine runs outside of one")
	}
	const folder = "/dir"
	must(os.Mkdir(folder, 0o755))
	return folder
}

// must ends the process where a box cannot be made empty. A panic would be a crash of the programs, of all of them alike, and so no difference.
func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "making the box empty:", err)
		os.Exit(2)
	}
}

// empty removes a file, or a folder and all that is in it, whatever permissions it has.
func empty(path string) {
	if os.RemoveAll(path) == nil {
		return
	}
	_ = filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() {
			if err != nil {
				return fs.SkipDir
			}
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	must(os.RemoveAll(path))
}
