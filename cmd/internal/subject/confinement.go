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

// confinement returns the confinement of the Go functions that a command line, a configuration or
// regress names. Tests are the user's own and models run in a box, so both stay unconfined.
func (o *Options) confinement() execute.Confinement {
	switch {
	case o.Mode == Regress && o.Config != nil && len(o.Config.Built) == 0: // functions that regress calls
	case o.Mode != Diff || len(o.Packages) > 0 || o.Sequence != nil || o.Partial != nil:
		return execute.Confinement{}
	}
	return o.all()
}

// confinementOf returns the confinement of a Go function of a configuration. Nil means that of all
// other functions.
func (o *Options) confinementOf(p *config.Program, f *gofunc.Function) *execute.Confinement {
	if o.Config.GoPrograms() != nil || o.confinement() == (execute.Confinement{}) { // of regress, or of a model
		return nil
	}
	c := execute.Confine(f.Allow)
	c.Network = c.Network && !p.Limits.Network
	return &c
}

// all confines functions from everything that the command line does not allow.
func (o *Options) all() execute.Confinement { return execute.Confine(o.Allow) }

// Confines reports whether the kernel keeps functions from the network and from files, and the user
// allows neither.
func (o *Options) Confines(dir string) bool {
	return len(o.Allow) == 0 && len(execute.ConfinementNotes(o.all(), dir)) == 0
}

// confine records the confinement of each program. A note names the limits of all functions that
// request access, and those that this machine cannot enforce.
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

// allowing returns the flag or key by which the user allows functions something.
func (f *Facts) allowing(words ...string) string {
	if f.keyed {
		return `allow = ["` + strings.Join(words, `", "`) + `"]`
	}
	return "--allow " + strings.Join(words, ",")
}

// refusal matches Go's errors for refusals of the kernel, ofNet those of the network.
var (
	refusal = lazyregexp.New(`(?i)permission denied|operation not permitted`)
	ofNet   = lazyregexp.New(`(?i)\b(?:socket|dial|listen|lookup)\b`)
)

// Refused returns the flag or key that allows an access which the kernel refused according to the
// output of a program. Empty means that the output reports no refusal, or that the program is not
// confined.
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
