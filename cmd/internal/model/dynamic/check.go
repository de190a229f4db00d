package dynamic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"parallax/cmd/internal/model/campaignfiles"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/model/verdict"
)

// Names of the files in a campaign's folder.
const (
	functionFile = "function.json"
	scopeFile    = "scope.json"
)

// Prepare finds the scope of a function's model, and writes the files by which the kind dynamic
// runs both sides.
func Prepare(ctx context.Context, f *Function, ask Asker, dir, target string, o Options) (*Sampled, error) {
	found, err := Find(ctx, f, ask, o)
	if err != nil {
		return nil, err
	}
	return found, found.write(f, dir, target)
}

func (s *Sampled) write(f *Function, dir, target string) error {
	if err := campaignfiles.WriteSeeds(dir, s.Seeds); err != nil {
		return err
	}
	text := fmt.Sprintf(`# Made by parallax model. Compare two programs on calls of %[1]s: what the language does, and what the model says.
version = 1
name = %[2]s

[input]
seeds = ["seeds"]

[[program]]
name = "original"
kind = "dynamic"
function = %[3]s
side = "original"

[[program]]
name = %[4]s
kind = "dynamic"
function = %[3]s
side = "model"
scope = %[5]s
`, f.Function, campaignfiles.Quoted(target), campaignfiles.Quoted(functionFile), campaignfiles.Quoted(f.Engine), campaignfiles.Quoted(scopeFile))
	return campaignfiles.Write(dir, campaignfiles.File{Name: functionFile, Write: f.Write}, campaignfiles.File{Name: scopeFile, Write: s.Scope.Write}, campaignfiles.Text(campaignfiles.Config, text))
}

// Judge confirms the deviations that a campaign finds, with fresh processes of both sides.
type Judge struct {
	verdict.Buckets
	function *Function
	scope    *scope.Scope
	ask      Asker // for calls that decide about cells
	fresh    func(context.Context) (Asker, func(), error)
	options  Options

	// why cells that samples did not reach are out of scope; "" means in scope
	cells map[uint64]string
	known map[string]string // why calls are no findings, by call
	lines []string          // for people
}

// NewJudge returns a judge. fresh starts a separate engine, and returns a function that ends it.
func NewJudge(f *Function, s *scope.Scope, ask Asker, fresh func(context.Context) (Asker, func(), error), o Options) *Judge {
	return &Judge{function: f, scope: s, ask: ask, fresh: fresh, options: o, cells: map[uint64]string{}, known: map[string]string{}}
}

// Veto returns why an input of a bucket is no finding, or "" to accept it. An error means that no
// answer was possible.
func (j *Judge) Veto(ctx context.Context, bucket string, flat []byte) (string, error) {
	call := j.function.Decode(flat)
	name := string(call.JSON())
	if why, there := j.known[name]; there {
		return why, nil
	}
	return j.Buckets.Veto(ctx, bucket, func() (string, error) {
		how, why, err := j.confirm(ctx, call, flat)
		quoted, open := j.function.Quote(call), &openError{}
		switch {
		case errors.As(err, &open):
			why = j.NotAnswered(j.function.Function, quoted, open.why)
			j.lines = append(j.lines, "  not answered: "+quoted+": "+open.why+"\n")
		case err != nil:
			return "", err
		case why == "":
			j.lines = append(j.lines, "  confirmed: "+quoted+"\n    by "+how+"\n")
		default:
			j.lines = append(j.lines, "  not confirmed: "+quoted+": "+why+"\n")
		}
		j.known[name] = why
		return why, nil
	})
}

// openError reports that no check can decide about a deviation.
type openError struct{ why string }

func (e *openError) Error() string { return e.why }

// Open returns the error of a Confirmer that cannot decide about a deviation, if no other check
// can.
func Open(why string) error { return &openError{why} }

// confirm asks a fresh process of the engine about the original first, so the model's run cannot
// affect it. how says which check confirms the deviation.
func (j *Judge) confirm(ctx context.Context, call Call, flat []byte) (how, why string, err error) {
	list := []json.RawMessage{call.JSON()}
	if len(j.cells) > 0 { // a fresh process is expensive, and one of these cells may be this call's
		right, err := j.ask.Calls(ctx, j.function.Function, extract.OfOriginal, list)
		if err != nil {
			return "", "", err
		}
		if why := j.cells[j.function.Key(call, right[0], PathOf(j.ask, call))]; why != "" {
			said, err := j.ask.Calls(ctx, j.function.Function, extract.OfModel, list)
			if err != nil {
				return "", "", err
			}
			return "", verdict.Outside(why, Compare(right[0], said[0])), nil
		}
	}
	ask, end, err := j.fresh(ctx)
	if err != nil {
		return "", "", err
	}
	defer end()
	right, err := ask.Calls(ctx, j.function.Function, extract.OfOriginal, list)
	if err != nil {
		return "", "", err
	}
	said, err := ask.Calls(ctx, j.function.Function, extract.OfModel, list)
	if err != nil {
		return "", "", err
	}
	if !Comparable(right[0]) {
		return "", "", Open("the original: " + Text(right[0]))
	}
	kind := Compare(right[0], said[0])
	if kind != scope.Wrong && kind != scope.Dropped {
		why := fmt.Sprintf("%s, asked for this call alone: %s: %s", j.function.Engine, kind, Text(said[0]))
		if kind == scope.Failed || kind == scope.Unknown {
			return "", "", Open(why)
		}
		return "", why, nil
	}
	how = "a fresh process of both sides"
	if c, ok := ask.(Confirmer); ok {
		if how, why, err = c.Confirm(ctx, call, right[0], said[0]); why != "" || err != nil {
			return "", why, err
		}
	}
	k := j.function.Key(call, right[0], PathOf(ask, call))
	if p := j.scope.Decided(k); p != nil { // the model's program has checked the scope
		return how, "", nil
	}
	why, there := j.cells[k]
	if !there {
		o := j.options
		o.Telling = j.scope.AgreesOnResult()
		p, err := Around(ctx, j.function, j.ask, flat, o)
		if err != nil {
			return "", "", err
		}
		if p != nil && !p.InScope {
			why = p.Why
		}
		j.cells[k] = why
	}
	return how, verdict.Outside(why, kind), nil
}

// Explain lists the cells, and the confirmed and refuted deviations.
func (j *Judge) Explain() string {
	text := Explain(j.function, j.scope)
	for _, l := range j.lines {
		text += l
	}
	return text
}
