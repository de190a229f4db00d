package check

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/confirm"
	"parallax/cmd/internal/model/csource"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/model/verdict"
)

// relationalAround limits the samples around a call on an unsampled path, if each needs a question
// to a solver.
const relationalAround = 100

// Asked is a deviation with the verdict of the confirmer.
type Asked struct {
	Call    string          `json:"call"`
	Verdict confirm.Verdict `json:"verdict"`
}

// Judge confirms the deviations that a campaign finds. Deviations that are not confirmed are no
// findings.
type Judge struct {
	verdict.Buckets
	model     *Model
	confirmer *confirm.Confirmer
	shared    *csource.Shared   // the user's original, or nil
	Asked     []Asked           // in the order of the campaign
	notes     *notes            // on findings, of earlier runs too
	known     map[string]string // reasons why calls are no findings, by input
	// decisions about paths that samples left undecided; nil means that C does not define the calls
	undecided map[uint64]*scope.Path
}

// Judge returns a judge of the model's deviations. A nil engine means that no engine made the
// model. The caller must call Close.
func (m *Model) Judge(engine confirm.Asker, o confirm.Options) *Judge {
	o.Foreign = m.Record.Code != nil && m.Record.Code.Original != nil
	j := &Judge{model: m, known: map[string]string{}, undecided: map[uint64]*scope.Path{}, notes: readNotes(filepath.Dir(m.Config))}
	if o.Foreign {
		o.Native = j.native
	}
	j.confirmer = confirm.New(m.Original.Signature, m.Formula, engine, o)
	return j
}

// Close releases what the judge started.
func (j *Judge) Close() {
	j.confirmer.Close()
	if j.shared != nil {
		j.shared.Close()
	}
}

// native compiles the user's original for this machine.
func (j *Judge) native(ctx context.Context) (library, function string, err error) {
	part := j.model.Record.Code.Original
	if j.shared == nil {
		if j.shared, err = part.Shared(ctx); err != nil {
			return "", "", err
		}
	}
	return j.shared.Path, part.Function, nil
}

// Veto returns why an input of a bucket is no finding, or "" to accept it. An error means that no
// answer was possible.
func (j *Judge) Veto(ctx context.Context, bucket string, flat []byte) (string, error) {
	c := j.model.Original.Signature.Decode(flat)
	name := string(j.model.Original.Signature.Encode(c))
	if why, there := j.known[name]; there { // many inputs shrink to the same one
		return why, nil
	}
	return j.Buckets.Veto(ctx, bucket, func() (string, error) { return j.ask(ctx, c, name) })
}

func (j *Judge) ask(ctx context.Context, c call.Call, name string) (why string, err error) {
	sig, by := j.model.Original.Signature, j.model.Scope.Compare
	run, err := j.model.Original.Run(c)
	if err != nil {
		return "", err
	}
	answer, err := j.model.Evaluate(ctx, c)
	if err != nil {
		return "", err
	}
	kind := scope.Compare(sig, by, c, &run, &answer)
	path, err := j.path(ctx, c, run.Path)
	if err != nil {
		return "", err
	}
	if path != nil && !path.InScope && j.model.Scope.Decided(run.Path) == nil {
		return verdict.Outside(path.Why, kind), nil
	}
	verdict := confirm.Verdict{Reason: "the model does not deviate"}
	if kind == scope.Wrong || kind == scope.Dropped || kind == scope.Crashes {
		if verdict, err = j.confirmer.Confirm(ctx, c, by, run.Effect, answer); err != nil {
			return "", err
		}
	}
	quoted := sig.Quote(c)
	switch {
	case verdict.Confirmed:
		err = j.notes.add(quoted, note(path, &verdict))
	case verdict.Open:
		why = j.NotAnswered(sig.Function, quoted, verdict.Reason)
	default:
		why = verdict.Reason
	}
	j.known[name] = why
	j.Asked = append(j.Asked, Asked{Call: quoted, Verdict: verdict})
	return why, err
}

// Silent counts the calls about which the engine was asked, and those about which it answered
// nothing since its process ended or took too long. why is the reason of the last one.
func (j *Judge) Silent() (asked, silent int, why string) {
	for _, a := range j.Asked {
		questions, unanswered, last := 0, 0, ""
		for _, s := range a.Verdict.Steps {
			if !s.Engine {
				continue
			}
			if questions++; s.Silent {
				unanswered, last = unanswered+1, s.Answer
			}
		}
		if questions == 0 {
			continue
		}
		if asked++; unanswered == questions {
			silent, why = silent+1, last
		}
	}
	return asked, silent, why
}

// path returns the path of a call with the decision whether it is in scope. It is nil if C does not
// define the call.
func (j *Judge) path(ctx context.Context, c call.Call, key uint64) (*scope.Path, error) {
	if p := j.model.Scope.Decided(key); p != nil {
		return p, nil // the model's program has checked the scope
	}
	p, there := j.undecided[key]
	if !there {
		o := scope.Options{Threshold: j.model.Scope.Threshold, Compare: j.model.Scope.Compare, Declared: j.model.Scope.Declared, Source: j.model.Scope.Source, Beside: j.model.Scope, Branch: j.model.side.Branch}
		if j.model.NeedsSolver() {
			o.Samples = relationalAround
		}
		var err error
		if p, err = scope.Around(ctx, j.model.Original, j.model.Evaluate, c, o); err != nil {
			return nil, err
		}
		j.undecided[key] = p
	}
	return p, nil
}

// Explain lists the deviations, and who confirmed or refuted each.
func (j *Judge) Explain() string {
	var b strings.Builder
	for _, a := range j.Asked {
		if !a.Verdict.Confirmed {
			fmt.Fprintf(&b, "  %s: %s: %s\n", map[bool]string{false: "not confirmed", true: "not answered"}[a.Verdict.Open], a.Call, a.Verdict.Reason)
			continue
		}
		fmt.Fprintf(&b, "  confirmed: %s\n", a.Call)
		for _, s := range a.Verdict.Steps {
			fmt.Fprintf(&b, "    %s: %s\n", s.By, s.Answer)
		}
	}
	return b.String()
}
