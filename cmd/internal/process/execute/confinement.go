package execute

import (
	"errors"
	"fmt"
	"slices"

	"parallax/cmd/internal/process/quota"
)

// Confinement lists the rights that the kernel takes from the programs of a worker and from their
// children. The zero value takes none. It needs no namespace, so it works in containers, and it
// costs nothing for programs without system calls.
type Confinement struct {
	Network bool `json:",omitempty"` // creating sockets of all families, except connected pairs
	// changing files outside the working folder, and attributes of all files
	Files bool `json:",omitempty"`
}

// Names of the rights.
const (
	Network = "network"
	Files   = "files"
)

// Allowable lists all rights.
var Allowable = []string{Network, Files}

// Confine returns a Confinement that takes all rights except the allowed ones.
func Confine(allowed []string) Confinement {
	return Confinement{Network: !slices.Contains(allowed, Network), Files: !slices.Contains(allowed, Files)}
}

// enter confines the calling thread, which starts the worker, to a working folder. ConfinementNotes
// reports the rights that the machine cannot take.
func (c Confinement) enter(dir string) (network, files error) {
	if c.Network {
		network = quota.RestrictSyscalls([]uint32{})
	}
	if c.Files {
		files = errors.Join(quota.RestrictWrites([]string{dir}), quota.RestrictAttributes())
	}
	return network, files
}

// environ returns the variables that direct temporary files to a writable folder.
func (c Confinement) environ(dir string) []string {
	if c.Files {
		return []string{"TMPDIR=" + dir}
	}
	return nil
}

// ConfinementNotes returns notes for the user about the rights that this machine cannot take. It
// tries each on a thread of its own.
func ConfinementNotes(c Confinement, dir string) (notes []string) {
	done := make(chan bool)
	quota.OnThread(func() {
		defer close(done)
		network, files := c.enter(dir)
		if network != nil {
			notes = append(notes, fmt.Sprintf("functions are not kept from the network: %v", network))
		}
		if files != nil {
			notes = append(notes, fmt.Sprintf("functions are not kept from changing your files (Linux 5.13 with Landlock does that): %v", files))
		}
	})
	<-done
	return notes
}
