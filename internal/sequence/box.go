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

// entered: the root of this process is the box's folder.
var entered bool

// fresh makes the box's folder empty, and is the root of the process with the first call. It panics outside of a box: what acts on the
// machine does not run there.
func fresh() {
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
	empty("/")
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

// empty removes all that is in a folder, whatever permissions it has.
func empty(folder string) {
	entries, err := os.ReadDir(folder)
	must(err)
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		if os.RemoveAll(path) == nil {
			continue
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
}
