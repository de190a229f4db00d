package plan

import (
	"fmt"
	"path/filepath"
	"slices"

	"parallax/cmd/internal/change"
	"parallax/cmd/internal/change/callgraph"
	"parallax/cmd/internal/change/revision"
	"parallax/cmd/internal/flow"
)

// Point is a change point.
type Point struct {
	change.Point
	Home    string   // its file, relative to the user's folder
	Reached bool     // by a harness
	Nearest string   // if no harness reaches it: the nearest caller that one reaches, or ""
	By      []string // harnesses that reach Nearest
	Tops    []string // functions that a new harness could call
	Start   []string // harnesses whose process executes it at the start
	only    []string // those that do not call it later
	Hidden  []string // harnesses that reach it only by invisible calls, if at all
	Missed  bool     // no seed of the FuzzXxx that reach it executes it in a call with compared results

	at []spot          // its blocks
	in []flow.Position // functions of these blocks
}

// spot identifies a block by position, in any table of its package.
type spot struct {
	file      string
	line, col int
	kind      flow.Kind
}

// point converts a change point for the user. dir is the folder of its package, the base of //line
// directives.
func point(one *cachedPoint, v *revision.Version, dir string) Point {
	// in another module
	p := Point{Point: one.Point, Home: one.Package + "/" + filepath.Base(one.File)}
	file := one.File
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	if rel, err := filepath.Rel(v.Home, file); err == nil && filepath.IsLocal(rel) {
		p.Home = filepath.ToSlash(rel)
	}
	for _, s := range one.At {
		p.at = append(p.at, spot{s.File, s.Line, s.Col, s.Kind})
	}
	p.in = one.In
	return p
}

// spots finds the positions of the blocks of a change point.
func spots(one change.Point, now *change.Tree) cachedPoint {
	k := cachedPoint{Point: one}
	for _, pkg := range now.Packages {
		if pkg.Path != one.Package || pkg.Table == nil {
			continue
		}
		for _, i := range one.Blocks {
			b := &pkg.Table.Blocks[i]
			k.At = append(k.At, cachedSpot{b.File, b.Line, b.Col, b.Kind})
			if b.Func < len(pkg.Table.Starts) {
				if at := pkg.Table.Starts[b.Func]; at.File != "" && !slices.Contains(k.In, at) {
					k.In = append(k.In, at)
				}
			}
		}
		break
	}
	return k
}

func spotOf(b *flow.Block) spot { return spot{b.File, b.Line, b.Col, b.Kind} }

// Name returns the full name of the point's function.
func (p *Point) Name() string { return p.Package + "." + p.Function }

// Where returns the point's place, relative to the user's folder.
func (p *Point) Where() string { return fmt.Sprintf("%s:%d", p.Home, p.Line) }

// reached records how harnesses reach a point with the given functions, and returns the harnesses.
// Invisible calls count only if there is no other way.
func (p *Point) reached(functions []string, ways map[string]*callgraph.Reach) (harnesses []string) {
	for _, name := range functions {
		r := ways[name]
		harnesses, p.Start, p.Hidden = append(harnesses, r.Harnesses...), append(p.Start, r.Start...), append(p.Hidden, r.Hidden...)
		if p.Nearest == "" {
			p.Nearest, p.By = r.Nearest, r.By
		}
		p.Tops = append(p.Tops, r.Tops...)
	}
	p.only = slices.DeleteFunc(slices.Clone(p.Start), func(h string) bool { return slices.Contains(harnesses, h) })
	if harnesses = append(harnesses, p.Start...); len(harnesses) == 0 {
		harnesses = p.Hidden
	} else {
		p.Hidden = nil
	}
	for _, list := range []*[]string{&harnesses, &p.Start, &p.Hidden, &p.Tops} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	if p.Reached = len(harnesses) > 0; p.Reached {
		p.Nearest, p.By = "", nil
	}
	return harnesses
}
