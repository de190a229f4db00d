package scope

import (
	"fmt"
	"strings"
)

// Explain lists the paths of an original in words: in scope or not and why, with the lines of the source and a call of each kind.
func (s *Scope) Explain() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s: %d paths of the original, %d in scope (%d different calls sampled, results compared by %s)\n", s.Function, len(s.Paths), s.InScope(), s.Samples, s.Compare)
	for _, p := range s.Paths {
		where := "outside "
		if p.InScope {
			where = "in scope"
		}
		fmt.Fprintf(&b, "  %s  %016x  %s\n", where, uint64(p.Key), p.Why)
		fmt.Fprintf(&b, "            %s\n", strings.Join(shortened(p.Lines), " "))
		if p.Agreed != "" {
			fmt.Fprintf(&b, "            agrees on    %s\n", p.Agreed)
		}
		if p.Deviating != "" {
			fmt.Fprintf(&b, "            differs on   %s: the original %s; the model: %s\n", p.Deviating, p.Original, p.Model)
		}
	}
	return b.String()
}

// shortened are lines of which those of one file name it once.
func shortened(lines []string) (short []string) {
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
