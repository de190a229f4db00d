package dynamic

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/model/scope"
)

// Explain lists the cells of a scope.
func Explain(f *Function, s *scope.Scope) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s: %d outcome cells of the original, %d in scope (%d different calls sampled)\n", s.Function, len(s.Paths), s.InScope(), s.Samples)
	b.WriteString("  The original has no blocks to distinguish paths by: scope is agreement over how calls end, for which classes of arguments")
	if f.Formula != nil {
		b.WriteString(", and which conditions of the formula hold, if it has few")
	}
	b.WriteString(".\n")
	if s.Declared != "" {
		fmt.Fprintf(&b, "  declared%s: %s\n", s.DeclaredBy(), strings.Join(strings.Fields(s.Declared), " "))
	}
	for _, p := range s.Paths {
		where := "outside "
		if p.InScope {
			where = "in scope"
		}
		fmt.Fprintf(&b, "  %s  %016x  %s\n            %s\n", where, uint64(p.Key), p.Why, p.Lines[0])
		if counts := p.Counts(); counts != "" {
			fmt.Fprintf(&b, "            calls        %s\n", counts)
		}
		if p.Agreed != "" {
			fmt.Fprintf(&b, "            agrees on    %s\n", p.Agreed)
		}
		if p.Deviating != "" {
			fmt.Fprintf(&b, "            differs on   %s: the original %s; the model: %s\n", p.Deviating, p.Original, p.Model)
		}
	}
	return b.String()
}
