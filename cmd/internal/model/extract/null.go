package extract

import (
	"fmt"
	"slices"
	"strings"
)

// AddNull adds the model's paths for calls with a null pointer as argument i: those of an answer to
// the same request with Null. In the scripts, the argument's address distinguishes the paths: it is
// 0 for the added ones, and not 0 for the others.
func (a *Answer) AddNull(i int, null *Answer) {
	a.Arguments = slices.Clone(a.Arguments)
	a.Arguments[i].Nullable = true
	var paths []Path
	for _, p := range a.Paths {
		p.SMT = constrainAddress(p.SMT, i, "(assert (not (= addr_%d #x0000000000000000)))\n")
		paths = append(paths, p)
	}
	for _, p := range null.Paths {
		p.SMT = constrainAddress(p.SMT, i, "(assert (= addr_%d #x0000000000000000))\n")
		paths = append(paths, p)
	}
	a.Paths = paths
	for _, why := range null.Failed {
		a.Failed = append(slices.Clip(a.Failed), fmt.Sprintf("with a null arg_%d: %s", i, why))
	}
}

// constrainAddress adds a constraint on an argument's address to a script, and declares the address
// if necessary.
func constrainAddress(script string, i int, format string) string {
	script = strings.TrimRight(script, "\n") + "\n"
	if declaration := fmt.Sprintf("(declare-const addr_%d (_ BitVec 64))\n", i); !strings.Contains(script, declaration) {
		script += declaration
	}
	return script + fmt.Sprintf(format, i)
}
