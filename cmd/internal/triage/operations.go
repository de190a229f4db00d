package triage

import (
	"context"
	"iter"

	"parallax/internal/sequence"
	"parallax/internal/wire"
)

// Operation is an operation of two types, and what became of it in sequences.
type Operation struct {
	Name            string // the method, as in fs.Rename
	Runs, Agree     int    // calls, and those on which both do the same
	Unknown         int    // calls beside these that the model says it does not have
	Call            string // the first on which they differ, as Go source; ""
	Original, Model string // what followed
}

// Operations runs sequences on both types, the model and then its original, and counts what becomes of each operation, up to the first one on which the
// two differ: what comes behind may follow from that. The operations are in the order in which they are met.
func (j *Triager) Operations(ctx context.Context, inputs iter.Seq[[]byte]) ([]*Operation, error) {
	s := j.Replayer()
	s.Ctx = ctx
	defer s.Close()
	var all []*Operation
	by := map[string]*Operation{}
	err := s.RunAll(inputs, wire.WantDetail, func(_ []byte, results []wire.RunResult) bool {
		if len(results) != 2 {
			return false
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
