package triage

import (
	"context"
	"iter"
	"slices"

	"parallax/internal/sequence"
	"parallax/internal/wire"
)

// Operation is an operation of two types, and what became of it in sequences.
type Operation struct {
	Name            string   // the method, as in fs.Rename
	Runs, Agree     int      // calls, and those on which both do the same
	Unknown         int      // calls beside these that the model says it does not have
	Call            string   // the first on which they differ, as Go source; ""
	Original, Model string   // what followed
	Findings        []string // the names of sequences in which it is the first on which they differ
}

// Operations runs sequences on both types, the model and then its original, and counts what becomes of each operation, up to the first one on which the
// two differ: what comes behind may follow from that. The operations are in the order in which they are met. Some inputs have names: those of findings.
func (j *Triager) Operations(ctx context.Context, inputs iter.Seq[[]byte], names map[string]string) ([]*Operation, error) {
	s := j.Replayer()
	s.Ctx = ctx
	defer s.Close()
	var all []*Operation
	by := map[string]*Operation{}
	err := s.RunAll(inputs, wire.WantDetail, func(flat []byte, results []wire.RunResult) bool {
		if len(results) != 2 {
			return false
		}
		if _, failed := Failed(results); failed { // no operation is known to be the one
			return true
		}
		model, ok := sequence.Lines(results[0].Rendered)
		original, same := sequence.Lines(results[1].Rendered)
		if !ok || !same { // a process that ended has no transcript
			return true
		}
		for i, line := range original {
			call, what := sequence.Split(line)
			o := by[sequence.Operation(call)]
			if o == nil {
				o = &Operation{Name: sequence.Operation(call)}
				by[o.Name] = o
				all = append(all, o)
			}
			if sequence.Unknown(line) {
				o.Unknown++
				break
			}
			o.Runs++
			if i < len(model) && model[i] == line {
				o.Agree++
				continue
			}
			if name := names[string(flat)]; name != "" && !slices.Contains(o.Findings, name) {
				o.Findings = append(o.Findings, name)
			}
			if o.Call == "" {
				o.Call, o.Original = call, what
				if i < len(model) {
					o.Model = model[i]
					if as, said := sequence.Split(model[i]); as == call {
						o.Model = said
					}
				}
			}
			break
		}
		return true
	})
	return all, err
}
