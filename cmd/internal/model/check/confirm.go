package check

import (
	"context"
	"fmt"
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
	known     map[string]string // reasons why calls are no findings, by input
	// reasons why paths that samples left undecided are out of scope; "" means in scope
	undecided map[uint64]string
}

// Judge returns a judge of the model's deviations. A nil engine means that no engine made the
// model. The caller must call Close.
func (m *Model) Judge(engine confirm.Asker, o confirm.Options) *Judge {
	o.Foreign = m.Record.Code != nil && m.Record.Code.Original != nil
	j := &Judge{model: m, known: map[string]string{}, undecided: map[uint64]string{}}
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
	if reason, err := j.outside(ctx, c, run.Path); reason != "" || err != nil {
		return verdict.Outside(reason, kind), err
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
	case verdict.Open:
		why = j.NotAnswered(sig.Function, quoted, verdict.Reason)
	default:
		why = verdict.Reason
	}
	j.known[name] = why
	j.Asked = append(j.Asked, Asked{Call: quoted, Verdict: verdict})
	return why, nil
}

// Silent counts the questions to the engine about calls, and those that it left unanswered since
// its process ended or took too long. why is the reason of the last one.
func (j *Judge) Silent() (asked, silent int, why string) {
	for _, a := range j.Asked {
		for _, s := range a.Verdict.Steps {
			if !s.Engine {
				continue
			}
			if asked++; s.Silent {
				silent, why = silent+1, s.Answer
			}
		}
	}
	return asked, silent, why
}

// outside returns why a call is out of scope if samples did not decide its path, or "".
func (j *Judge) outside(ctx context.Context, c call.Call, path uint64) (string, error) {
	if j.model.Scope.Decided(path) != nil {
		return "", nil // the model's program has checked the scope
	}
	why, there := j.undecided[path]
	if !there {
		o := scope.Options{Threshold: j.model.Scope.Threshold, Compare: j.model.Scope.Compare, Declared: j.model.Scope.Declared, Source: j.model.Scope.Source, Telling: j.model.Scope.AgreesOnResult()}
		if j.model.NeedsSolver() {
			o.Samples = relationalAround
		}
		p, err := scope.Around(ctx, j.model.Original, j.model.Evaluate, c, o)
		if err != nil {
			return "", err
		}
		if p != nil && !p.InScope {
			why = p.Why
		}
		j.undecided[path] = why
	}
	return why, nil
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
