// Package confine runs programs of any kind in a sandbox. A sandbox is a small process of parallax
// that starts programs for its owner and ends all of them. The kinds c, command, persistent and
// http start their programs here. cmd/parallax runs Main, the sandbox itself, as the hidden command
// `parallax sandbox`.
//
// Where the machine permits namespaces, a sandbox is the first process of its own PID namespace,
// and the kernel ends all its descendants with it. Programs see only their own processes, a private
// file system for temporary files, and no network but localhost. Elsewhere the sandbox adopts
// orphans (child subreaper), finds descendants in /proc, and removes the folder itself. Notes lists
// the protection that is missing then.
//
// The kernel limits the number of processes and the memory of programs, in one of the ways of
// package quota. The sandbox also measures both at intervals. It can distinguish processes from
// threads, and programs' memory from other memory that the kernel counts.
//
// A sandbox runs one program at a time, so that everything in it belongs to that program. It ends
// when its owner's end of the control socket closes. The kernel closes it when the owner is killed.
package confine

import (
	"errors"
	"os"
	"syscall"
	"time"

	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/process/quota"
)

// Options configures a sandbox.
type Options struct {
	Tool string // the parallax executable
	// Memory, FileSize, Processes, Network; the caller enforces Timeout and Output
	Limits limits.Limits
	TempMB int // size of the private file system in MiB; 0 means 256
	// the parent of the private folder without a private file system; empty means os.TempDir
	Dir   string
	Plain bool // use no namespaces, even where they are permitted

	// Writable lists folders that programs may write, besides the private one. Paths are absolute
	// and without links. Nil means all that their user may write. Notes reports a machine that
	// cannot enforce it.
	Writable []string `json:",omitempty"`

	// ReadOnly lets programs write the private folder only. Open fails on a machine that cannot
	// enforce it.
	ReadOnly bool `json:",omitempty"`

	// Hold selects how the kernel limits programs. Empty means the best way that the machine
	// permits.
	Hold quota.Way `json:",omitempty"`
}

// Command is a program to start.
type Command struct {
	Path string   // the executable, with a slash in it; empty means Args[0]
	Args []string // the first is the program's name
	Env  []string // the whole environment
	Dir  string   // the working directory; empty means the private folder
	// written into the private folder before the start; names without a slash
	Files map[string][]byte
	Keep  string // a file of the private folder to return in Status.Kept; empty means none

	// Standard streams; nil means /dev/null. The caller keeps and closes them, and may do so
	// directly after Start.
	Stdin, Stdout, Stderr *os.File
}

// Status describes the end of a process.
type Status struct {
	Exit   int            // exit status; -1 after a signal
	Signal syscall.Signal // the signal that ended it, or 0
	// killed by the sandbox or the kernel for more memory than Limits.Memory, and not Forked
	OOM bool
	// killed for more processes than Limits.Processes, or the kernel refused a process or thread
	Forked bool
	CPU    time.Duration // of the process and its descendants
	// the file that Command.Keep names, if it is a regular file; the caller closes it
	Kept *os.File
	Err  error // the sandbox ended: the process is gone, and its status is unknown
}

// ErrGone is wrapped by the errors of a sandbox that has ended.
var ErrGone = errors.New("the process that confines programs has ended")
