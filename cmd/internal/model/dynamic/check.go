package dynamic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/judged"
	"parallax/cmd/internal/model/prepared"
	"parallax/cmd/internal/model/scope"
)

// The files of a campaign, in a folder of its own.
const (
	functionFile = "function.json"
	scopeFile    = "scope.json"
)

// Prepare finds the scope of a function's model, and writes the files by which the kind dynamic runs both sides.
func Prepare(ctx context.Context, f *Function, ask Asker, dir, target string, o Options) (*Sampled, error) {
	found, err := Find(ctx, f, ask, o)
	if err != nil {
		return nil, err
	}
	return found, found.write(f, dir, target)
}

func (s *Sampled) write(f *Function, dir, target string) error {
	if err := prepared.WriteSeeds(dir, s.Seeds); err != nil {
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
`, f.Function, prepared.Quoted(target), prepared.Quoted(functionFile), prepared.Quoted(f.Engine), prepared.Quoted(scopeFile))
	return prepared.Write(dir, prepared.File{Name: functionFile, Write: f.Write}, prepared.File{Name: scopeFile, Write: s.Scope.Write}, prepared.Text(prepared.Config, text))
}

// Judge confirms what a campaign finds, by fresh processes of both sides.
type Judge struct {
	judged.Buckets
	function *Function
	scope    *scope.Scope
	ask      Asker // for calls that decide about cells
	fresh    func(context.Context) (Asker, func(), error)
	options  Options

	cells map[uint64]string // that samples had not seen: why they are out of scope, or ""
	known map[string]string // by call: why it is no finding
	lines []string          // for people
}

// NewJudge makes a judge. fresh starts an engine of its own, and returns what ends it.
func NewJudge(f *Function, s *scope.Scope, ask Asker, fresh func(context.Context) (Asker, func(), error), o Options) *Judge {
	return &Judge{function: f, scope: s, ask: ask, fresh: fresh, options: o, cells: map[uint64]string{}, known: map[string]string{}}
}

// Why says why an input of a bucket is no finding; "": it is one. An error says that nobody could tell.
func (j *Judge) Why(ctx context.Context, bucket string, flat []byte) (string, error) {
	call := j.function.Decode(flat)
	name := string(call.JSON())
	if why, there := j.known[name]; there {
		return why, nil
	}
	return j.Buckets.Why(ctx, bucket, func() (string, error) {
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

// openError is why nobody can say whether a call is a finding.
type openError struct{ why string }

func (e *openError) Error() string { return e.why }

// Open is the error of a Confirmer that cannot say whether a deviation is one, and nobody else can.
func Open(why string) error { return &openError{why} }

// confirm asks a fresh process of the engine, the original first, so that nothing which the engine does can change it. how says who confirms it.
func (j *Judge) confirm(ctx context.Context, call Call, flat []byte) (how, why string, err error) {
	list := []json.RawMessage{call.JSON()}
	if len(j.cells) > 0 { // a process of its own is dear, and one of these cells may be this call's
		right, err := j.ask.Calls(ctx, j.function.Function, extract.OfOriginal, list)
		if err != nil {
			return "", "", err
		}
		if why := j.cells[j.function.Key(call, right[0], PathOf(j.ask, call))]; why != "" {
			said, err := j.ask.Calls(ctx, j.function.Function, extract.OfModel, list)
			if err != nil {
				return "", "", err
			}
			return "", judged.Outside(why, Compare(right[0], said[0])), nil
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
	if p := j.scope.Decided(k); p != nil { // the program of the model has looked
		return how, "", nil
	}
	why, there := j.cells[k]
	if !there {
		o := j.options
		o.Telling = j.scope.Tells()
		p, err := Around(ctx, j.function, j.ask, flat, o)
		if err != nil {
			return "", "", err
		}
		if p != nil && !p.InScope {
			why = p.Why
		}
		j.cells[k] = why
	}
	return how, judged.Outside(why, kind), nil
}

// Explain lists the cells, and what was confirmed or not.
func (j *Judge) Explain() string {
	text := Explain(j.function, j.scope)
	for _, l := range j.lines {
		text += l
	}
	return text
}
