package scope

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Explain lists the paths of an original as text: whether they are in scope and why, with source
// lines and a call of each kind.
func (s *Scope) Explain() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s: %s of the original, %d in scope%s (%d different calls sampled, results compared by %s)\n", s.Function, counted(len(s.Paths)), s.InScope(), suspected(s.Suspects()), s.Samples, s.Compare)
	if s.Declared != "" {
		fmt.Fprintf(&b, "  declared%s: %s\n", s.DeclaredBy(), strings.Join(strings.Fields(s.Declared), " "))
	}
	b.WriteString(s.List())
	return b.String()
}

// List renders the paths.
func (s *Scope) List() string {
	var b strings.Builder
	for _, p := range s.Paths {
		where := "outside "
		switch {
		case p.Suspect:
			where = "suspect "
		case p.InScope:
			where = "in scope"
		}
		fmt.Fprintf(&b, "  %s  %016x  %s\n", where, uint64(p.Key), p.Why)
		if len(p.Lines) > 0 {
			fmt.Fprintf(&b, "            %s\n", strings.Join(Shortened(p.Lines), " "))
		}
		if counts := p.Counts(); counts != "" {
			fmt.Fprintf(&b, "            calls        %s\n", counts)
		}
		if p.Proof != nil && p.Proof.Condition != "" {
			if way := p.Proof.Way(); way != "" {
				fmt.Fprintf(&b, "            %s:\n", way)
			}
			fmt.Fprintf(&b, "            where        %s\n            does         %s\n", p.Proof.Where(), p.Proof.Result)
		}
		if p.Proof != nil && p.Proof.Agrees != "" {
			fmt.Fprintf(&b, "            proved       %s\n", p.Proof)
		}
		if p.Agreed != "" {
			fmt.Fprintf(&b, "            agrees on    %s\n", p.Agreed)
		}
		if p.Deviating != "" {
			fmt.Fprintf(&b, "            differs on   %s: the original %s; the model: %s\n", p.Deviating, p.Original, p.Model)
		}
		if len(p.Findings) > 0 {
			fmt.Fprintf(&b, "            findings     %s\n", strings.Join(p.Findings, ", "))
		}
	}
	return b.String()
}

// Counts renders the samples of a path, or returns "" if all agree and no result differs from 0,
// null or nothing.
func (p *Path) Counts() string {
	var parts []string
	if p.Telling > 0 {
		parts = append(parts, fmt.Sprintf("agrees on %d of %d with another result than 0, null or nothing", p.AgreeTell, p.Telling))
	}
	for _, k := range slices.Sorted(maps.Keys(p.Deviations)) {
		parts = append(parts, fmt.Sprintf("%d %s", p.Deviations[k], k))
	}
	if p.Declined > 0 {
		parts = append(parts, fmt.Sprintf("%d declined", p.Declined))
	}
	return strings.Join(parts, "; ")
}

// Shortened returns lines in which consecutive places of one file name it once.
func Shortened(lines []string) (short []string) {
	file := ""
	for _, l := range lines {
		if f, line, ok := strings.Cut(l, ":"); ok {
			if f == file {
				l = line
			}
			file = f
		}
		short = append(short, l)
	}
	return short
}

// Way describes the part of a path to which condition and result belong, or returns "" for the
// whole path.
func (p *Proof) Way() string {
	const differ = ", which differ in how often loops go round"
	switch {
	case p.Condition == "" || p.Ways <= 1 && !p.More:
		return ""
	case p.More && p.Ways == 1:
		return "of one way to take it; others may go round loops another number of times"
	case p.More:
		return fmt.Sprintf("of one of at least %d ways to take it", p.Ways) + differ
	}
	return fmt.Sprintf("of one of %d ways to take it", p.Ways) + differ
}

// Where returns the condition in the form that is shown.
func (p *Proof) Where() string { return cmp.Or(p.Brief, p.Condition) }

// String renders the proof, or returns "" if no solver was asked.
func (p *Proof) String() string {
	if p.Agrees == "" {
		return ""
	}
	said := func(answer, yes, no, unknown string) string {
		switch answer {
		case "sat":
			return yes
		case "unsat":
			return no
		}
		return unknown
	}
	parts := []string{
		said(p.Agrees, "some call agrees", "no call agrees", "whether a call agrees is not known"),
		said(p.Deviates, "some call deviates", "no call deviates", "whether a call deviates is not known"),
		said(p.Drops, "some call is dropped", "no call is dropped", "whether a call is dropped is not known"),
	}
	match := "no formula of the model is the path's"
	switch {
	case p.Match && (p.Ways > 1 || p.More):
		match = "a formula of the model is that of one way to take the path"
	case p.Match:
		match = "a formula of the model is the path's"
	}
	return strings.Join(append(parts, match), "; ")
}

// suspected returns the number of suspect paths as text to follow the others, or "".
func suspected(paths int) string {
	if paths == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d suspect", paths)
}

func counted(paths int) string {
	if paths == 1 {
		return "1 path"
	}
	return fmt.Sprintf("%d paths", paths)
}
