package model

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/finding/reproducer"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/formula"
	originals "parallax/cmd/internal/model/kind/original"
	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/smt/solver"
)

// WriteScript implements reproducer.Runner. It asks z3 about each path of the model: whether it has
// the call, and whether it permits the original's effect. A model in C is compiled and called.
func (s *Settings) WriteScript(w *reproducer.Writer) error {
	o, kept, err := originals.Load(s.Extraction)
	if err != nil {
		return err
	}
	c, by := o.Signature.Decode(w.Flat()), originals.Comparator(o.Signature, s.Compare)
	if kept.Code != nil && kept.Code.Model != nil {
		return originals.Alone(w, kept.Code.Model, o.Signature, c, by, true)
	}
	m, err := formula.New(o.Signature, kept.Paths, s.Extraction)
	if err != nil {
		return err
	}
	run, err := o.Run(c)
	if err != nil {
		return err
	}
	right := o.Signature.Text(c, &run.Effect, by)
	text, err := questions(m, c, &run, by, right)
	if err != nil {
		w.Unable(err.Error())
		return nil
	}
	w.Printf("# Two answers for each path of the model: whether it has the call, and whether it permits what the original does.\n")
	originals.Solve(w, text)
	w.Printf("elif [ -z \"$(awk 'NR %% 2 == 1 && $1 == \"sat\"' \"$box/out\")\" ]; then verdict=rejected why=\"unsat: the model has no path for this call\"\n")
	w.Printf("elif [ -n \"$(awk 'NR %% 2 == 0 && $1 == \"sat\"' \"$box/out\")\" ]; then verdict=accepted why=\"sat: the model permits what the original does\"\n")
	w.Printf("\tprintf '%%s\\n' %s >\"$box/value\"\n", shell.Text(right))
	w.Printf("else verdict=accepted why=\"unsat: the model excludes what the original does\"\n\techo \"$why\" >\"$box/value\"\nfi\n")
	w.Compare("out")
	return nil
}

// questions returns the questions to z3.
func questions(m *formula.Model, c call.Call, run *original.Run, by call.Comparator, right string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "; %s: the original %s\n", m.Signature.Quote(c), right)
	for i, p := range m.Paths {
		given := m.CallTerms(p, c)
		like, err := m.Permits(p, c, &run.Effect, by)
		if err != nil {
			return "", err
		}
		for _, q := range []struct {
			comment string
			query   solver.Query
		}{
			{"has the call", solver.Query{Assertions: given}},
			{"permits what the original does", solver.Query{Assertions: append(given[:len(given):len(given)], like)}},
		} {
			text, err := solver.Script(q.query)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "(reset)\n; Path %d of the model %s:\n%s(check-sat)\n", i+1, q.comment, text)
		}
	}
	return b.String(), nil
}
