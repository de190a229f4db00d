package execute

import (
	"errors"
	"fmt"
	"slices"

	"parallax/cmd/internal/process/quota"
)

// Confinement says what the kernel refuses to the programs of a worker and to their children. The zero value refuses nothing.
// A Confinement needs no namespace, so that it works in containers, and costs nothing where programs make no system calls.
type Confinement struct {
	Network bool `json:",omitempty"` // sockets of all families, but for connected pairs
	Files   bool `json:",omitempty"` // changing files, but below the working folder, and attributes of files everywhere
}

// What programs may be allowed.
const (
	Network = "network"
	Files   = "files"
)

// Allowable is all of it.
var Allowable = []string{Network, Files}

// Confine returns a Confinement that refuses everything but what is allowed.
func Confine(allowed []string) Confinement {
	return Confinement{Network: !slices.Contains(allowed, Network), Files: !slices.Contains(allowed, Files)}
}

// enter confines the calling thread, which starts the worker, to a working folder. What the machine does not permit, Unconfined says.
func (c Confinement) enter(dir string) (network, files error) {
	if c.Network {
		network = quota.Refuse([]uint32{})
	}
	if c.Files {
		files = errors.Join(quota.KeepWithin([]string{dir}), quota.KeepAttributes())
	}
	return network, files
}

// environ has temporary files made where they can be.
func (c Confinement) environ(dir string) []string {
	if c.Files {
		return []string{"TMPDIR=" + dir}
	}
	return nil
}

// Unconfined tells the user which parts of a confinement this machine does not support. It tries them on a thread of its own.
func Unconfined(c Confinement, dir string) (notes []string) {
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
