package extract

import (
	"fmt"
	"slices"
	"strings"
)

// AddNull adds the model's paths for calls in which argument i is a null pointer: those of an answer to the same request with Null. In the scripts of both,
// the argument's address tells which calls they are of: it is 0 in these, and not in the others.
func (a *Answer) AddNull(i int, null *Answer) {
	a.Arguments = slices.Clone(a.Arguments)
	a.Arguments[i].Nullable = true
	var paths []Path
	for _, p := range a.Paths {
		p.SMT = held(p.SMT, i, "(assert (not (= addr_%d #x0000000000000000)))\n")
		paths = append(paths, p)
	}
	for _, p := range null.Paths {
		p.SMT = held(p.SMT, i, "(assert (= addr_%d #x0000000000000000))\n")
		paths = append(paths, p)
	}
	a.Paths = paths
	for _, why := range null.Failed {
		a.Failed = append(slices.Clip(a.Failed), fmt.Sprintf("with a null arg_%d: %s", i, why))
	}
}

// held adds what holds of an argument's address to a script, which may know the address or not.
func held(script string, i int, format string) string {
	script = strings.TrimRight(script, "\n") + "\n"
	if declaration := fmt.Sprintf("(declare-const addr_%d (_ BitVec 64))\n", i); !strings.Contains(script, declaration) {
		script += declaration
	}
	return script + fmt.Sprintf(format, i)
}
