package llvmir

import (
	"errors"
	"fmt"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
)

// Refusal is the reason why a function cannot be used, with the source line, if known. Why may wrap
// the refusal of a callee.
type Refusal struct {
	Function string
	Place    SourceLine
	Why      error
	text     string
}

func (r *Refusal) Error() string {
	if r.Place.Line == 0 {
		return r.text
	}
	return r.text + " (" + r.Place.String() + ")"
}

func (r *Refusal) Unwrap() error { return r.Why }

// Missing is a symbol that no file defines.
type Missing string

func (m Missing) Error() string { return fmt.Sprintf("@%s is not defined by any file", string(m)) }

var debugLocation = lazyregexp.New(`!dbg !([0-9]+)`)

// refusal returns the error of a parsed function, with the source place of the line of text that it
// names. If that line has none, as for declarations of variables, it is the place of the next line
// with one.
func (p *parser) refusal(f *Function, text string) *Refusal {
	r := &Refusal{Function: f.Name, Place: f.Place, Why: f.Unsupported, text: fmt.Sprintf("%s: %v", p.file.Name, f.Unsupported)}
	line := 0
	var u unsupported
	var m malformed
	switch {
	case errors.As(f.Unsupported, &u):
		line, r.Why = u.line, fmt.Errorf("%s is not supported", u.what)
	case errors.As(f.Unsupported, &m):
		line, r.Why = m.line, errors.New(m.what)
	}
	if line <= 0 {
		return r
	}
	for range line - 1 {
		_, text, _ = strings.Cut(text, "\n")
	}
	for line, rest, more := strings.Cut(text, "\n"); more && line != "}"; line, rest, more = strings.Cut(rest, "\n") {
		if found := debugLocation().FindStringSubmatch(line); found != nil {
			if place := p.meta.place(found[1]); place.Line > 0 {
				r.Place = place
			}
			break
		}
	}
	return r
}
