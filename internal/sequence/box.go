package sequence

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// BoxVariable names the environment variable with the folder of a process in a box: an empty file
// system of its own.
const BoxVariable = "PARALLAX_BOX"

// ServiceFolder holds the socket and the files of a box's service, for itself and for the programs.
// ServiceLog is the file with its output.
const (
	ServiceFolder = "/service"
	ServiceLog    = "log"
)

// entered reports that the root of this process is the box's folder.
var entered bool

// fresh empties the box's folder. The first call also makes it the root of the process. It panics
// outside of a box, since operations may change the machine. A service keeps its files.
func fresh(service bool) {
	if !entered {
		box := os.Getenv(BoxVariable)
		if box == "" {
			panic("there is no box: nothing that acts on the machine runs outside of one")
		}
		must(syscall.Chroot(box))
		entered = true
	}
	must(os.Chmod("/", 0o755)) // first, since a sequence may have changed the permissions
	must(os.Chdir("/"))
	syscall.Umask(0) // files then get the permissions that operations give
	entries, err := os.ReadDir("/")
	must(err)
	for _, e := range entries {
		if path := "/" + e.Name(); !service || path != ServiceFolder {
			empty(path)
		}
	}
}

// exitWithoutService ends the process if the original cannot be made because of its service. This
// is no difference between the programs. It prints the service's log.
func exitWithoutService(err error) {
	fmt.Fprintln(os.Stderr, "making the original, which has a service:", err)
	if log, err := os.ReadFile(ServiceFolder + "/" + ServiceLog); err == nil {
		const most = 2000
		fmt.Fprintf(os.Stderr, "the service says:\n%s\n", log[max(0, len(log)-most):])
	}
	os.Exit(2)
}

// Folder creates the folder for a constructor that takes one. It is for the box.
func Folder() string {
	if !entered {
		panic("there is no box: nothing that acts on the machine runs outside of one")
	}
	const folder = "/dir"
	must(os.Mkdir(folder, 0o755))
	return folder
}

// must ends the process if the box cannot be emptied. A panic would count as a crash of all
// programs alike, and so as no difference.
func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "making the box empty:", err)
		os.Exit(2)
	}
}

// empty removes a file, or a folder with its contents, whatever the permissions.
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
