package check

import (
	"context"
	"fmt"
	"strings"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/confirm"
	"parallax/cmd/internal/model/csource"
	"parallax/cmd/internal/model/judged"
	"parallax/cmd/internal/model/scope"
)

// relationalAround is how many calls are made around one whose path no sample took, where each has to be asked about.
const relationalAround = 100

// Asked is a deviation that was looked at before it was filed.
type Asked struct {
	Call    string          `json:"call"`
	Verdict confirm.Verdict `json:"verdict"`
}

// Judge confirms what a campaign finds of a model.
type Judge struct {
	judged.Buckets
	model     *Model
	confirmer *confirm.Confirmer
	shared    *csource.Shared   // the user's original, or nil
	Asked     []Asked           // in the order in which they were found
	known     map[string]string // by call: why it is no finding
	paths     map[uint64]string // that the samples had not decided about: why they are out of scope, or ""
}

// Judge makes a judge of findings. engine is nil for a model that is no engine's. Close ends it.
func (m *Model) Judge(engine confirm.Asker, o confirm.Options) *Judge {
	o.Foreign = m.Record.Code != nil && m.Record.Code.Original != nil
	j := &Judge{model: m, known: map[string]string{}, paths: map[uint64]string{}}
	if o.Foreign {
		o.Native = j.native
	}
	j.confirmer = confirm.New(m.Original.Signature, m.Formula, engine, o)
	return j
}

// Close ends what the judge started.
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

// Why says why an input of a bucket is no finding; "": it is one. An error says that nobody could tell.
func (j *Judge) Why(ctx context.Context, bucket string, flat []byte) (string, error) {
	c := j.model.Original.Signature.Decode(flat)
	name := string(j.model.Original.Signature.Encode(c))
	if why, there := j.known[name]; there { // many inputs become the same small one
		return why, nil
	}
	return j.Buckets.Why(ctx, bucket, func() (string, error) { return j.ask(ctx, c, name) })
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
	if out, err := j.outside(ctx, c, run.Path); out != "" || err != nil {
		return judged.Outside(out, kind), err
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

// Silent counts the questions that the engine was asked about calls, and those of them to which it said nothing: its process ended, or took too long. why is
// the last one's.
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

// outside says why a call is out of scope that takes a path which the samples had not seen, or not often; "": it is not.
func (j *Judge) outside(ctx context.Context, c call.Call, path uint64) (string, error) {
	if j.model.Scope.Decided(path) != nil {
		return "", nil // the model's program has looked
	}
	why, there := j.paths[path]
	if !there {
		o := scope.Options{Threshold: j.model.Scope.Threshold, Compare: j.model.Scope.Compare, Declared: j.model.Scope.Declared, Source: j.model.Scope.Source, Telling: j.model.Scope.Tells()}
		if j.model.Asks() {
			o.Samples = relationalAround
		}
		p, err := scope.Around(ctx, j.model.Original, j.model.Evaluate, c, o)
		if err != nil {
			return "", err
		}
		if p != nil && !p.InScope {
			why = p.Why
		}
		j.paths[path] = why
	}
	return why, nil
}

// Explain lists what was looked at: who confirmed it, or who did not.
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
