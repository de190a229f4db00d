package target

import (
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/execute"
	"parallax/cmd/internal/gobuild"
)

// What functions may be allowed.
const (
	Network = "network"
	Files   = "files"
)

// Allowable is all of it.
var Allowable = []string{Network, Files}

// confinement returns what functions that are named on the command line, or that regress chooses, are kept from. Tests and the programs of a
// configuration are the user's own, and models have a box.
func (o *Options) confinement() execute.Confinement {
	if o.Mode == Regress && o.Config != nil && len(o.Config.Built) == 0 { // functions that regress calls
		return o.all()
	}
	if o.Mode != Diff || len(o.Functions) == 0 || o.Config != nil || o.Sequence != nil || o.Partial != nil {
		return execute.Confinement{}
	}
	return o.all()
}

// Confines reports whether the kernel of this machine keeps such functions from the network and from files, and nothing is allowed.
func (o *Options) Confines(dir string) bool {
	return len(o.Allow) == 0 && len(execute.Unconfined(o.all(), dir)) == 0
}

// all is everything but what is allowed.
func (o *Options) all() execute.Confinement {
	return execute.Confinement{Network: !slices.Contains(o.Allow, Network), Files: !slices.Contains(o.Allow, Files)}
}

// confined says of functions that may reach the network, files or other processes what they are kept from in a working folder, and what they are not.
func (o *Options) confined(dir string, plans ...*gobuild.Plan) []string {
	c := o.confinement()
	var reaching []string
	for _, p := range plans {
		reaching = append(reaching, p.Reaching()...)
	}
	if len(reaching) == 0 || c == (execute.Confinement{}) {
		return nil
	}
	var kept, allow []string
	if c.Network {
		kept, allow = append(kept, "have no network"), append(allow, Network)
	}
	if c.Files {
		kept, allow = append(kept, "write files in a folder of their own only"), append(allow, Files)
	}
	notes := []string{fmt.Sprintf("%s: functions %s; --allow %s lifts that", strings.Join(reaching, "; "), strings.Join(kept, " and "), strings.Join(allow, ","))}
	return append(notes, execute.Unconfined(c, dir)...)
}
