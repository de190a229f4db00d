// Package dynamic is the kind of functions that take values of a dynamic language, and of an engine's models of them (model/dynamic). An engine's process
// runs both sides, each program having one of its own. An input is a call. Where the outcome cell of a call is out of the model's scope, the model
// declines it; so it does where it gives no answer, or one of several.
package dynamic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"parallax/cmd/internal/config/document"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/extract"
	"parallax/cmd/internal/model/dynamic"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/report"
	"parallax/internal/oracle"
)

// Kind is the row.
var Kind = program.Kind{
	Name: "dynamic", Keys: []string{"function", "side", "scope"},
	Parse: func(t *document.Table, c *program.Common) program.Settings {
		s := &Settings{Function: t.Text("function"), Scope: t.Text("scope")}
		if s.Function == "" {
			t.Bad(t.At(), `function is missing: the file of a function, as parallax model writes it`)
		}
		if s.Side = extract.Side(t.Word("side", string(extract.OfOriginal), string(extract.OfModel))); s.Side == "" {
			t.Bad(t.At(), `side is missing: write side = "original" or side = "model"`)
		}
		for _, path := range []*string{&s.Function, &s.Scope} {
			if *path != "" && !filepath.IsAbs(*path) {
				*path = filepath.Join(c.Dir, *path)
			}
		}
		return s
	},
	Open: program.Opener(func(_ context.Context, s Settings) (*executor, error) { return open(&s) }),
}

// Settings are what a configuration says of one.
type Settings struct {
	Function string // file
	Side     extract.Side
	Scope    string // file; "": every call is in scope
	Env      *extract.Env

	shown   string
	covered *report.Scope
}

// Runs implements program.Settings.
func (s *Settings) Runs() string { return string(s.Side) }

// Traits implements program.Settings.
func (s *Settings) Traits() program.Traits {
	return program.Traits{NoCoverage: true, CostlyInputs: true}
}

// Prepare implements program.Settings.
func (s *Settings) Prepare(_ *program.Common, p *program.Preparation) (program.Prepared, error) {
	f, err := dynamic.Read(s.Function)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	say := func(string) {}
	if p != nil && p.Ctx != nil {
		ctx = p.Ctx
	}
	if p != nil && p.Say != nil {
		say = p.Say
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil, exit.Infra("finding the folder for caches: %w: set XDG_CACHE_HOME", err)
	}
	if s.Env, err = extract.Environment(ctx, filepath.Join(dir, "parallax"), f.Engine, f.Version, say); err != nil {
		return nil, exit.Infra("%w", err)
	}
	e, err := open(s)
	if err != nil {
		return nil, err
	}
	s.shown, s.covered = f.Function+" itself", &report.Scope{Outside: map[string]int{}}
	if s.Side == extract.OfModel {
		s.shown, s.covered.Models, s.covered.Extracted = "model of "+f.Function, 1, 1
	}
	if e.scope != nil {
		s.shown += fmt.Sprintf(" (scope: %d of %d outcome cells)", e.scope.InScope(), len(e.scope.Paths))
		s.covered.Paths, s.covered.InScope = len(e.scope.Paths), e.scope.InScope()
		for kind, n := range e.scope.Outside() {
			s.covered.Outside[string(kind)] = n
		}
	}
	return s, e.Close()
}

// Covers implements program.Scoped.
func (s *Settings) Covers() *report.Scope { return s.covered }

// Shown implements program.Prepared.
func (s *Settings) Shown() string { return s.shown }

// Line implements program.Prepared.
func (s *Settings) Line() string { return s.shown }

// patience is how long the calls of a batch may take together.
const patience = 5 * time.Minute

func open(s *Settings) (*executor, error) {
	e := &executor{side: s.Side}
	var err error
	if e.function, err = dynamic.Read(s.Function); err != nil {
		return nil, err
	}
	if s.Scope != "" && s.Side == extract.OfModel {
		if e.scope, err = scope.Read(s.Scope); err != nil {
			return nil, err
		}
		if e.scope.Function != e.function.Function {
			return nil, fmt.Errorf("%s is the scope of %s, and the model is of %s", s.Scope, e.scope.Function, e.function.Function)
		}
	}
	e.engine = extract.Open(s.Env, extract.Options{Workers: 1, Timeout: patience})
	return e, nil
}

// engine is what runs calls, and ends.
type engine interface {
	dynamic.Asker
	Close()
}

// executor has an engine run calls.
type executor struct {
	function *dynamic.Function
	side     extract.Side
	scope    *scope.Scope // nil: all
	engine   engine
}

func (e *executor) Features() int { return dynamic.Features }
func (e *executor) Batch() int    { return 16 }

func (e *executor) Close() error {
	e.engine.Close()
	return nil
}

func (e *executor) Execute(ctx context.Context, inputs [][]byte, obs []program.Observation) error {
	var calls []dynamic.Call
	var list []json.RawMessage
	for _, in := range inputs {
		c := e.function.Decode(in)
		calls, list = append(calls, c), append(list, c.JSON())
	}
	right, err := e.ask(ctx, extract.OfOriginal, list)
	if err != nil {
		return err
	}
	var asked []int
	var questions []json.RawMessage
	for i := range inputs {
		o := &obs[i]
		if !dynamic.Comparable(right[i]) {
			o.Outcome, o.Message = oracle.Declined, "nothing to compare: "+dynamic.Text(right[i])
			continue
		}
		if e.side == extract.OfOriginal {
			o.Outcome, o.Value = oracle.Accepted, append(o.Value[:0], dynamic.Text(right[i])...)
			cover(o, dynamic.FeaturesOf(calls[i], right[i]))
			continue
		}
		if e.scope != nil {
			// nil: no sample was in the cell, and who confirms findings decides about it.
			if p := e.scope.Find(dynamic.Key(calls[i], right[i])); p != nil && !p.InScope {
				o.Outcome, o.Message = oracle.Declined, "out of scope: "+p.Why
				continue
			}
		}
		asked, questions = append(asked, i), append(questions, list[i])
	}
	said, err := e.ask(ctx, extract.OfModel, questions)
	if err != nil {
		return err
	}
	for k, i := range asked {
		o := &obs[i]
		switch kind := dynamic.Compare(right[i], said[k]); kind {
		case scope.Agrees, scope.Wrong:
			o.Outcome, o.Value = oracle.Accepted, append(o.Value[:0], dynamic.Text(said[k])...)
			cover(o, dynamic.FeaturesOf(calls[i], said[k]))
		default:
			o.Outcome, o.Message = oracle.Declined, fmt.Sprintf("the model's answer is %s: %s", kind, said[k].Value)
		}
	}
	return nil
}

// ask has the engine run calls.
func (e *executor) ask(ctx context.Context, side extract.Side, list []json.RawMessage) ([]extract.Said, error) {
	said, err := e.engine.Calls(ctx, e.function.Function, side, list)
	if err != nil && ctx.Err() == nil && errors.Is(err, extract.ErrUnavailable) {
		return nil, &program.Failure{Code: exit.InfraCode, What: err.Error()}
	}
	return said, err
}

// cover tells features, each once and in their order.
func cover(o *program.Observation, features []uint32) {
	slices.Sort(features)
	for _, f := range slices.Compact(features) {
		o.Features, o.Counts = append(o.Features, f), append(o.Counts, 1)
	}
}

// Quote implements program.Quoter.
func (e *executor) Quote(input []byte) string { return e.function.Quote(e.function.Decode(input)) }
