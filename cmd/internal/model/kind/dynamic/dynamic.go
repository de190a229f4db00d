// Package dynamic is the program kind of functions on values of a dynamic language, and of their
// models (model/dynamic). An engine runs both sides, with a process per program. Or the language's
// process runs the original, and the model is a formula (model/language).
//
// An input is a call. The model declines calls whose outcome cell is out of scope, and calls for
// which it has no single answer.
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

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/model/dynamic"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/language"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/model/verdict"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/persistent"
	"parallax/internal/oracle"
)

// Kind is the entry in the table of program kinds.
var Kind = program.Kind{
	Name: "dynamic", Keys: []string{"function", "side", "scope"},
	Parse: func(t *tomldoc.Table, c *program.Common) program.Settings {
		s := &Settings{Function: t.Text("function"), Scope: t.Text("scope")}
		if s.Function == "" {
			t.Reportf(t.Position(), `function is missing: the file of a function, as parallax model writes it`)
		}
		if s.Side = extract.Side(t.OneOf("side", string(extract.OfOriginal), string(extract.OfModel))); s.Side == "" {
			t.Reportf(t.Position(), `side is missing: write side = "original" or side = "model"`)
		}
		for _, path := range []*string{&s.Function, &s.Scope} {
			if *path != "" && !filepath.IsAbs(*path) {
				*path = filepath.Join(c.Dir, *path)
			}
		}
		return s
	},
	Open: program.Opener(func(ctx context.Context, s Settings) (*executor, error) { return open(ctx, &s) }),
}

// Settings holds the configuration of a program.
type Settings struct {
	Function string // file
	Side     extract.Side
	Scope    string // file; empty means that every call is in scope
	Env      *extract.Env
	Driver   *persistent.Config // of the original, if the model is a formula

	shown   string
	covered *finding.Scope
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
	if f.Language != "" {
		if err := language.Find(f.Language).Missing(); err != nil {
			return nil, err
		}
		driver := language.Driver(f, filepath.Dir(s.Function), p.Tool, p.Dir)
		s.Driver = &driver
	} else {
		dir, err := os.UserCacheDir()
		if err != nil {
			return nil, exit.Infra("finding the folder for caches: %w: set XDG_CACHE_HOME", err)
		}
		if s.Env, err = extract.Environment(ctx, filepath.Join(dir, "parallax"), f.Engine, f.Version, say); err != nil {
			return nil, exit.Infra("%w", err)
		}
	}
	e, err := open(ctx, s)
	if err != nil {
		return nil, err
	}
	s.shown, s.covered = f.Function+" itself", &finding.Scope{Outside: map[string]int{}}
	if s.Side == extract.OfModel {
		s.shown, s.covered.Models, s.covered.Extracted = "model of "+f.Function, 1, 1
	}
	if e.scope != nil {
		s.shown += fmt.Sprintf(" (scope: %d of %d outcome cells)", e.scope.InScope(), len(e.scope.Paths))
		verdict.Covers(e.scope, s.covered)
	}
	if f.Language != "" {
		return &alone{s}, e.Close()
	}
	return s, e.Close()
}

// Covers implements program.Scoped.
func (s *Settings) Covers() *finding.Scope { return s.covered }

// Shown implements program.Prepared.
func (s *Settings) Shown() string { return s.shown }

// Line implements program.Prepared.
func (s *Settings) Line() string { return s.shown }

// patience limits the time of a batch of calls.
const patience = 5 * time.Minute

func open(ctx context.Context, s *Settings) (*executor, error) {
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
	if e.function.Language == "" {
		e.engine = extract.Open(s.Env, extract.Options{Workers: 1, Timeout: patience})
		if e.asker, err = dynamic.Within(e.function, e.engine); err != nil {
			e.engine.Close()
			return nil, fmt.Errorf("%s: the scope: %w", s.Function, err)
		}
		return e, nil
	}
	if s.Driver == nil {
		return nil, fmt.Errorf("%s is not prepared: it has no driver", s.Function)
	}
	asker, err := language.Open(ctx, e.function, *s.Driver)
	if err != nil {
		return nil, err
	}
	e.engine, e.asker = asker, asker
	return e, nil
}

// engine runs calls until it is closed.
type engine interface {
	dynamic.Asker
	Close()
}

// executor runs calls on an engine.
type executor struct {
	function *dynamic.Function
	side     extract.Side
	scope    *scope.Scope // nil means all cells
	engine   engine
	asker    dynamic.Asker // the engine with the declared scope
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
			cover(o, e.function.FeaturesOf(calls[i], right[i], dynamic.PathOf(e.engine, calls[i])))
			continue
		}
		if e.scope != nil {
			// Nil means that no sample reached the cell. The judge of findings decides about it.
			if p := e.scope.Decided(e.function.Key(calls[i], right[i], dynamic.PathOf(e.engine, calls[i]))); p != nil && !p.InScope {
				o.Outcome, o.Message = oracle.Declined, "out of scope: "+p.Why
				continue
			}
		}
		if why := dynamic.Meant(e.asker, calls[i]); why != nil {
			o.Outcome, o.Message = oracle.Declined, why.Error()
			continue
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
			cover(o, e.function.FeaturesOf(calls[i], said[k], dynamic.PathOf(e.engine, calls[i])))
		case scope.Dropped:
			o.Outcome, o.Message = oracle.Rejected, "the model has no path for this call"
		default:
			o.Outcome, o.Message = oracle.Declined, fmt.Sprintf("the model's answer is %s: %s", kind, said[k].Value)
		}
	}
	return nil
}

// ask has the engine run calls.
func (e *executor) ask(ctx context.Context, side extract.Side, list []json.RawMessage) ([]extract.Said, error) {
	said, err := e.asker.Calls(ctx, e.function.Function, side, list)
	if err != nil && ctx.Err() == nil && errors.Is(err, extract.ErrUnavailable) {
		return nil, &program.Failure{Code: exit.InfraCode, What: err.Error()}
	}
	return said, err
}

// cover reports features, each once and sorted.
func cover(o *program.Observation, features []uint32) {
	slices.Sort(features)
	for _, f := range slices.Compact(features) {
		o.Features, o.Counts = append(o.Features, f), append(o.Counts, 1)
	}
}

// Quote implements program.Quoter.
func (e *executor) Quote(input []byte) string { return e.function.Quote(e.function.Decode(input)) }
