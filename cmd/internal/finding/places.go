package finding

import (
	"path"
	"slices"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
	"parallax/internal/oracle"
)

// nearly is the least share of the best score of a changed place that may decide as well.
const nearly = 0.9

// Uncertain reports whether a program's best place may decide nothing. The check at which a program
// rejects decides, and so does a change between versions without rivals. Other places only
// separate. Code after a cause separates as well as the cause, and so does the lack of another
// program's check.
func (p *Program) Uncertain() bool {
	if len(p.Ranked) == 0 || len(p.Ranked) == 1 && p.Ranked[0].Branch == "" {
		return false
	}
	best := p.Ranked[0]
	if best.Changed { // inputs that execute a change need not show it
		rival := func(other Place) bool { return other.Changed && other.Score >= nearly*best.Score }
		return best.Rivals > 0 && (best.Without > best.With || slices.ContainsFunc(p.Ranked[1:], rival))
	}
	return !best.Rejects && best.Score > 0
}

// errorText matches methods of error types, methods that make the text of a value, and functions of
// package strconv that quote.
var errorText = lazyregexp.New(`^strconv\.((Append)?[qQ]uote(With|Rune\w*|To\w*)?|append(Quoted|Escaped)\w*|IsPrint|isInGraphicList)$|\.\(?\*?\w*(?i:error)\)?\.\w+$|\)\.(Error|String|GoString|Format)$|\.\w+\.(Error|String|GoString|Format)$`)

// SortErrorText moves places in the text of an error behind others, and leaves changes.
func SortErrorText(places []Place) {
	renders := func(at Place) int {
		if !at.Changed && errorText().MatchString(path.Base(at.Function)) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(places, func(a, b Place) int { return renders(a) - renders(b) })
}

// RendersError reports whether a program's best place belongs to the text of an error. A program
// that accepts makes texts for its value.
func (p *Program) RendersError() bool {
	return len(p.Ranked) > 0 && p.Outcome != oracle.Accepted.String() && !p.Ranked[0].Changed && errorText().MatchString(path.Base(p.Ranked[0].Function))
}

// Forwards reports whether the code that decides is probably in a package without counters, which a
// program's best place calls.
func (p *Program) Forwards() bool {
	return len(p.Ranked) > 0 && !p.Ranked[0].Changed && p.Ranked[0].Forwards
}

// Doubtful reports whether the deciding place of a program explains little.
func (p *Program) Doubtful() bool { return p.Uncertain() || p.RendersError() || p.Forwards() }

// ShortFunction returns the name of a function with the last element of its package's path that is
// no version.
func ShortFunction(name string) string {
	dir, base := path.Split(name)
	if version, _, ok := strings.Cut(base, "."); ok && dir != "" && len(version) > 1 && version[0] == 'v' && strings.Trim(version[1:], "0123456789") == "" {
		return path.Base(dir) + base[len(version):]
	}
	return base
}

// branches has, by kind of block, words for an input that took a branch, and for one that did not.
var branches = map[string][2]string{
	"entry":            {"the function was called", "the function was not called"},
	"then":             {"the condition held", "the condition did not hold"},
	"else":             {"the condition did not hold", "the condition held"},
	"implicit-else":    {"the condition did not hold", "the condition held"},
	"body":             {"the body was executed", "the body was not executed"},
	"case":             {"this case was chosen", "this case was not chosen"},
	"default":          {"the default was chosen", "the default was not chosen"},
	"implicit-default": {"no case was chosen", "a case was chosen"},
	"comm":             {"this case was chosen", "this case was not chosen"},
	"join":             {"it went on here", "it did not go on here"},
	"label":            {"it went on here", "it did not go on here"},
	"and":              {"the right side of && was evaluated", "the right side of && was not evaluated"},
	"or":               {"the right side of || was evaluated", "the right side of || was not evaluated"},
	"branch":           {"this branch was taken", "this branch was not taken"}, // of a C program
	"block":            {"it went on here", "it did not go on here"},
}

func describeBranch(branch string) string {
	kind, not := strings.CutPrefix(branch, "not ")
	words, ok := branches[kind]
	switch {
	case ok && not:
		return words[1]
	case ok:
		return words[0]
	}
	return branch
}

// Words returns a place's function in short form, and words for the branch that the finding's input
// took there. They are empty if not known.
func (at *Place) Words() (function, did string) {
	switch {
	case at.Changed:
		did = "executed, and other code in the other program"
	case at.Branch != "":
		did = describeBranch(at.Branch)
	}
	return ShortFunction(at.Function), did
}
