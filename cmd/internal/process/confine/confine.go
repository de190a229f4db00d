// Package confine runs programs of any kind in a sandbox: a small process of parallax that starts programs for its
// owner and is the end of all of them. The kinds c, command, persistent and http start their programs here. cmd/parallax runs Main,
// which is the sandbox, as the hidden command `parallax sandbox`.
//
// Where the machine permits namespaces, a sandbox is the first process of its own, and the kernel ends with it whatever it
// started; programs see their own processes, a private file system for temporary files and no network but localhost. Where not,
// the sandbox adopts what its programs leave behind (child subreaper), finds descendants in /proc, and removes the folder itself.
// What is missing then is in Notes.
//
// The kernel holds the programs to their number of processes and to their memory, in one of the ways of package quota. The sandbox looks at both
// too, now and then: it knows processes from threads, and the memory of the programs from what the kernel counts beside it.
//
// A sandbox runs one program at a time, so that everything in it belongs to that program. It ends when its owner's end of the
// control socket closes, which the kernel does when the owner is killed.
package confine

import (
	"errors"
	"os"
	"syscall"
	"time"

	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/process/quota"
)

// Options are what a sandbox permits.
type Options struct {
	Tool   string        // the parallax executable
	Limits limits.Limits // Memory, FileSize, Processes, Network; Timeout and Output belong to the caller
	TempMB int           // size of the private folder, where a private file system can be had; 0 is 256
	Dir    string        // where the private folder is made when no private file system can be had; "" is os.TempDir
	Plain  bool          // no namespaces, even where they are permitted

	// Writable are the folders that programs may write, absolute and without links, beside the private one; nil: whatever their user may. Where the
	// machine cannot hold them to that, Notes says so.
	Writable []string `json:",omitempty"`

	// ReadOnly: programs may write the private folder alone. A machine that cannot hold them to that has no such sandbox.
	ReadOnly bool `json:",omitempty"`

	// Hold is the way in which the kernel holds them; "": the best that the machine permits.
	Hold quota.Way `json:",omitempty"`
}

// Command is a program to start.
type Command struct {
	Path  string            // the executable, with a slash in it; "" is Args[0]
	Args  []string          // the first is the program's name
	Env   []string          // all of its environment
	Dir   string            // its working directory; "" is the private folder
	Files map[string][]byte // written into the private folder before the start; names without a slash
	Keep  string            // a file of the private folder that Status.Kept is to be; "" is none

	// Its standard streams; nil is /dev/null. They stay the caller's, who closes them, at once after Start if he likes.
	Stdin, Stdout, Stderr *os.File
}

// Status is how a process ended.
type Status struct {
	Exit   int            // its exit status; -1 when a signal ended it
	Signal syscall.Signal // what ended it, or 0
	OOM    bool           // killed by the sandbox or by the kernel: more memory than Limits.Memory, and not Forked
	Forked bool           // killed by the sandbox: more processes than Limits.Processes, or the kernel refused it a process or a thread
	CPU    time.Duration  // of the process and all that it started
	Kept   *os.File       // what Command.Keep names, open for reading, if it is a file; the caller closes it
	Err    error          // the sandbox ended: nothing is known of the process, but that it is gone
}

// ErrGone is in the errors of a sandbox that has ended.
var ErrGone = errors.New("the process that confines programs has ended")
