package triage

import (
	"context"
	"iter"
	"slices"

	"parallax/internal/sequence"
	"parallax/internal/wire"
)

// Operation counts the results of an operation of two types in sequences.
type Operation struct {
	Name            string   // the method, as in fs.Rename
	Runs, Agree     int      // calls, and those on which both types do the same
	Unknown         int      // further calls, which the model does not have
	Call            string   // the first call on which they differ, as Go source, or ""
	Original, Model string   // the results of that call
	Findings        []string // names of sequences in which it is the first to differ
}

// Operations runs sequences on the model and its original, and counts the results of operations, up
// to the first difference of a sequence. names holds the names of findings by input.
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
		if _, failed := Failed(results); failed { // the failing operation is unknown
			return true
		}
		model, ok := sequence.Lines(results[0].Rendered)
		original, same := sequence.Lines(results[1].Rendered)
		if !ok || !same { // an ended process has no transcript
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
