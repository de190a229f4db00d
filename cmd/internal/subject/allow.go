package subject

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/program/gofunc"
	"parallax/cmd/internal/subject/config"
)

// confinement returns what Go functions are kept from: those that are named on the command line or in a configuration, or that regress
// chooses. Tests are the user's own, and models have a box.
func (o *Options) confinement() execute.Confinement {
	switch {
	case o.Mode == Regress && o.Config != nil && len(o.Config.Built) == 0: // functions that regress calls
	case o.Mode != Diff || len(o.Packages) > 0 || o.Sequence != nil || o.Partial != nil:
		return execute.Confinement{}
	}
	return o.all()
}

// confinementOf returns what a Go function of a configuration is kept from; nil: as all others.
func (o *Options) confinementOf(p *config.Program, f *gofunc.Function) *execute.Confinement {
	if o.Config.GoPrograms() != nil || o.confinement() == (execute.Confinement{}) { // of regress, or of a model
		return nil
	}
	c := execute.Confine(f.Allow)
	c.Network = c.Network && !p.Limits.Network
	return &c
}

// all is everything but what is allowed on the command line.
func (o *Options) all() execute.Confinement { return execute.Confine(o.Allow) }

// Confines reports whether the kernel of this machine keeps such functions from the network and from files, and nothing is allowed.
func (o *Options) Confines(dir string) bool {
	return len(o.Allow) == 0 && len(execute.ConfinementNotes(o.all(), dir)) == 0
}

// confine notes what the functions of a target are kept from: confined has a row for each program, and plans tell which may ask for it. It
// says so of those in one line, and what this machine does not keep them from.
func (f *Facts) confine(o *Options, dir string, confined []execute.Confinement, plans ...*gobuild.Plan) {
	f.confined, f.keyed = confined, o.Config != nil && o.Config.GoPrograms() == nil
	var reaching []string
	for _, p := range plans {
		reaching = append(reaching, p.Reaching()...)
	}
	var c execute.Confinement
	for _, one := range confined {
		c.Network, c.Files = c.Network || one.Network, c.Files || one.Files
	}
	if len(reaching) == 0 || c == (execute.Confinement{}) {
		return
	}
	if len(reaching) > 2 {
		reaching = append(reaching[:2], fmt.Sprintf("%d others", len(reaching)-2))
	}
	var kept, words []string
	if c.Network {
		kept, words = append(kept, "no network"), append(words, execute.Network)
	}
	if c.Files {
		kept, words = append(kept, "writes to a folder of its own only"), append(words, execute.Files)
	}
	f.Plan.Notes = append(f.Plan.Notes, fmt.Sprintf("%s: %s (%s lifts that)", strings.Join(reaching, ", "), strings.Join(kept, ", "), f.allowing(words...)))
	f.Plan.Notes = append(f.Plan.Notes, execute.ConfinementNotes(c, dir)...)
}

// allowing is how the user allows functions something.
func (f *Facts) allowing(words ...string) string {
	if f.keyed {
		return `allow = ["` + strings.Join(words, `", "`) + `"]`
	}
	return "--allow " + strings.Join(words, ",")
}

// Refusals of the kernel as Go's errors tell them, and those that are of the network.
var (
	refusal = lazyregexp.New(`(?i)permission denied|operation not permitted`)
	ofNet   = lazyregexp.New(`(?i)\b(?:socket|dial|listen|lookup)\b`)
)

// Refused says how a program is allowed what the kernel has refused to it, by what it tells; "": it tells of no refusal, or is not kept from that.
func (f *Facts) Refused(program int, told string) string {
	if program >= len(f.confined) || !refusal().MatchString(told) {
		return ""
	}
	switch c := f.confined[program]; {
	case ofNet().MatchString(told) && c.Network:
		return f.allowing(execute.Network)
	case !ofNet().MatchString(told) && c.Files:
		return f.allowing(execute.Files)
	}
	return ""
}
