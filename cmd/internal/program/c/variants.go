package c

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/cbuild/clang"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/program"
)

// Variants is a C or C++ program and its builds.
type Variants struct {
	Config
	CmpLog   string // the build that reports operands of comparisons; empty if there is none
	Ordered  bool   // that build has the program's blocks, and records their order
	Sanitize string // the build with sanitizers; empty if there is none
	Clocked  bool   // its share also depends on time

	Later []clang.Variant // of these builds, those that are still missing
	// a file that lists finished builds, successful or not; empty if none is made during the
	// campaign
	Done string

	build *clang.Build
}

// Prepare implements program.Settings.
func (s *Settings) Prepare(c *program.Common, p *program.Preparation) (program.Prepared, error) {
	b, err := clang.Open(s.Binary)
	if err != nil {
		return nil, err
	}
	path := s.Binary
	n := &Variants{
		Config:  Config{Name: c.Name, Path: path, Args: s.Args, Env: p.Env, Dir: c.Dir, Declines: s.Declines, Limits: c.Limits, Sandbox: confine.Options{Tool: p.Tool, Limits: c.Limits, Dir: p.Dir}},
		Clocked: p.Clocked, build: b,
	}
	for _, v := range clang.Variants {
		if b.Later[v] != "" && p.Beside && (v != clang.CmpLog || !p.Order) {
			continue
		}
		notes, err := n.make(p.Ctx, v, clang.Making{}, p.Say)
		if err != nil {
			return nil, err
		}
		for _, note := range notes {
			p.Note(note)
		}
	}
	if err := n.recordBuilds(); err != nil {
		return nil, exit.Usage("%w", err)
	}
	if len(n.Later) > 0 && p.Own != nil {
		n.Done = p.Own("done")
	}
	if p.Order {
		switch {
		case n.CmpLog == "":
			return nil, exit.Usage("%s has no operands build, which records the order in which blocks are first executed, as guidance nezha-fine needs: %s", path, b.Missing[clang.CmpLog])
		case !n.Ordered:
			return nil, exit.Usage("the operands build of %s has other blocks than the program, and guidance nezha-fine needs the order of the program's blocks: build both with -O1", path)
		}
		n.Order = true
	}
	for _, note := range missing(c.Name, clang.Variants[:], b.Missing) {
		p.Note(note)
	}
	libraries := uncounted(b.Path, b.Shared)
	for _, name := range libraries {
		p.Note(fmt.Sprintf("%s needs the shared library %s, which has no counters: its code does not guide, and no line of it is shown; to test it, build it with CC='parallax cc' CXX='parallax c++', best as a static library, and link that", c.Name, escape.Cut(name, 100)))
	}
	plain := slices.DeleteFunc(slices.Clone(b.Plain), func(path string) bool { return slices.Contains(stems(libraries), stem(path)) })
	if len(plain) > 0 {
		p.Note(fmt.Sprintf("%s is linked with code that parallax cc did not compile and that has no coverage: %s",
			c.Name, escape.Cut(strings.Join(plain, ", "), 100)))
	}
	if len(b.Shared) > 0 {
		p.Note(fmt.Sprintf("%s has shared libraries without operands and sanitizers, so most memory errors in them do not show: link them statically: %s",
			c.Name, escape.Cut(strings.Join(b.Shared, ", "), 100)))
	}
	return n, nil
}

// Shown implements program.Prepared.
func (n *Variants) Shown() string { return strings.Join(append([]string{n.Path}, n.Args...), " ") }

// Line implements program.Prepared.
func (n *Variants) Line() string { return n.Shown() }

// recordBuilds records the builds that exist or will exist.
func (n *Variants) recordBuilds() (err error) {
	b := n.build
	n.CmpLog, n.Sanitize, n.Later = b.Variants[clang.CmpLog]+b.Later[clang.CmpLog], b.Variants[clang.Sanitize]+b.Later[clang.Sanitize], nil
	for _, v := range clang.Variants {
		if b.Later[v] != "" {
			n.Later = append(n.Later, v)
		}
	}
	n.Ordered = false
	if there := b.Variants[clang.CmpLog]; there != "" {
		n.Ordered, err = clang.SameBlocks(b.Path, there)
	}
	return err
}

// make makes a build, if needed. Notes of an earlier attempt are returned, too.
func (n *Variants) make(ctx context.Context, v clang.Variant, m clang.Making, say func(string)) ([]string, error) {
	m.Box = n.box
	if n.build.Later[v] == "" {
		return n.build.Make(ctx, v, m)
	}
	say(fmt.Sprintf("making the %s build of %s", v, n.Name))
	m.Waiting = func() {
		say(fmt.Sprintf("waiting for another process that makes the %s build of %s", v, n.Name))
	}
	return n.build.Make(ctx, v, m)
}

// Unfinished implements program.Unfinished.
func (n *Variants) Unfinished() bool { return len(n.Later) > 0 }

// Finish implements program.Unfinished.
func (n *Variants) Finish(ctx context.Context, low bool, say func(string)) (notes []string) {
	later := slices.Clone(n.Later)
	for _, v := range later {
		more, err := n.make(ctx, v, clang.Making{Low: low}, say)
		if err != nil {
			break
		}
		notes = append(notes, more...)
		if err := n.recordDone(v); err != nil {
			notes = append(notes, err.Error())
		}
	}
	notes = append(notes, missing(n.Name, later, n.build.Missing)...)
	if err := n.recordBuilds(); err != nil {
		notes = append(notes, err.Error())
	}
	return notes
}

// missing returns one note per reason with the builds that a program lacks.
func missing(name string, of []clang.Variant, why map[clang.Variant]string) (notes []string) {
	builds, reasons := map[string]string{}, []string(nil)
	for _, v := range of {
		reason := why[v]
		if reason == "" {
			continue
		}
		if builds[reason] == "" {
			builds[reason], reasons = string(v), append(reasons, reason)
		} else {
			builds[reason] += " and no " + string(v)
		}
	}
	for _, reason := range reasons {
		notes = append(notes, fmt.Sprintf("%s has no %s build: %s", name, builds[reason], reason))
	}
	return notes
}

// recordDone records that a build is finished, successful or not: failures do not always leave a
// file next to the program.
func (n *Variants) recordDone(v clang.Variant) error {
	if n.Done == "" {
		return nil
	}
	f, err := os.OpenFile(n.Done, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err == nil {
		_, err = f.WriteString(string(v) + "\n")
		err = errors.Join(err, f.Close())
	}
	return err
}

// HasCmpLog implements program.CmpLogged.
func (n *Variants) HasCmpLog() bool { return n.CmpLog != "" }

// Table implements program.Mapped: the block table of the program or of a library that it loads,
// with a place for each counter.
func (n *Variants) Table(file string, counters int) (*flow.Table, error) {
	path := file
	if file == "" || file == real(n.CmpLog) {
		path = n.build.Path // the cmplog build has the blocks of the program
	}
	table, err := clang.ReadTable(path)
	if err != nil {
		return nil, exit.Usage("%w", err)
	}
	if len(table.Blocks) > counters {
		return nil, exit.Usage("%s has %d counters and a table of %d blocks: it was changed while it ran; build it again", path, counters, len(table.Blocks))
	}
	table.Package = n.Name
	return table, nil
}

// real returns a path without symbolic links, as the kernel reports it.
func real(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return path
}
