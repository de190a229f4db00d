// Package role has the parts that the executable plays when parallax itself or the go command
// starts it. They are the compiler's wrapper, the guard of builds, the lockstep process, and the
// sandboxes. main asks it first.
package role

import (
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/golang"
	"parallax/cmd/internal/process/box"
	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/subject"
)

// Find returns what plays the role that the first argument names, or nil if the user has started
// the executable.
func Find(name string) func(args []string) (code int) {
	switch name {
	case "toolexec":
		return golang.Toolexec
	case "guard":
		return gocommand.Guard
	case "lockstep":
		return subject.LockstepMain
	case "box":
		return box.Main
	case "sandbox":
		return confine.Main
	}
	return nil
}
