package lockstep

import (
	"context"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"

	"parallax/cmd/internal/process/diagnostic"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/normalize"
	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// digest turns one program's answers into compared values: normal forms, and classes of messages.
type digest struct {
	text      bool
	values    bool
	chain     *normalize.Chain
	classes   []class
	externals []*external
	known     map[string]string // message -> class
	buf       [][]byte
	message   []byte // buffer for a message
	words     vocabulary
}

// class is a declared class of messages.
type class struct {
	name  string
	match []*regexp.Regexp
}

// maxKnown is the number of messages remembered with their class.
const maxKnown, maxKnownMessage = 4096, 2048

func (l *lockstep) newDigest(p *Program) (*digest, error) {
	d := &digest{text: l.spec.Text, values: l.spec.Values, known: map[string]string{}}
	var steps []normalize.Step
	for _, s := range p.Normalize {
		step := normalize.Step{Builtin: s.Builtin, With: s.With}
		switch {
		case s.External != nil:
			e, err := l.openExternal("a normalizer of "+p.Name, s.External)
			if err != nil {
				d.close()
				return nil, err
			}
			d.externals = append(d.externals, e)
			step.External = e
		case s.Builtin == "":
			re, err := regexp.Compile(s.Replace)
			if err != nil {
				d.close()
				return nil, err
			}
			step.Replace = re
		}
		steps = append(steps, step)
	}
	d.chain = normalize.New(steps...)
	for _, k := range l.spec.Classes {
		if len(k.Programs) > 0 && !slices.Contains(k.Programs, p.Name) {
			continue
		}
		one := class{name: k.Name}
		for _, m := range k.Match {
			re, err := regexp.Compile(m)
			if err != nil {
				d.close()
				return nil, err
			}
			one.match = append(one.match, re)
		}
		d.classes = append(d.classes, one)
	}
	return d, nil
}

func (d *digest) close() {
	for _, e := range d.externals {
		e.close()
	}
}

// observe completes answers.
func (d *digest) observe(ctx context.Context, answers []program.Observation) error {
	if d.text {
		d.buf = d.buf[:0]
		for i := range answers {
			d.buf = append(d.buf, accepted(answers[i].Outcome, answers[i].Value))
		}
		if err := d.chain.Run(ctx, d.buf); err != nil {
			return err
		}
	}
	for i := range answers {
		a := &answers[i]
		switch {
		case a.Outcome >= oracle.Crashed && a.Class == 0:
			a.Class = hash(oracle.CrashClass(a.Message))
			a.Place = a.Class
			if a.Ended && a.Outcome == oracle.Crashed { // a limit can be reached anywhere
				c := oracle.ParseTrace([]byte(a.Detail))
				if len(c.Frames) == 0 {
					c.Class = oracle.CrashClass(string(diagnostic.Explain(a.Message, []byte(a.Detail))))
				}
				a.Class, a.Place = feature.Chain(a.Class, hash(c.Key(nil))), feature.Chain(a.Place, hash(c.Where(nil)))
			}
		case !d.text:
		case a.Outcome == oracle.Accepted:
			if a.Class, a.Digest = 0, 0; d.values {
				a.Digest = hash(string(d.buf[i]))
			}
		case a.Outcome == oracle.Rejected:
			a.Class, a.Digest = hash(d.class(a.Message)), 0
		}
	}
	return nil
}

// accepted returns the text of an acceptance, never nil, and nil for other outcomes.
func accepted(o oracle.Outcome, text []byte) []byte {
	if o != oracle.Accepted {
		return nil
	}
	if text == nil {
		return []byte{}
	}
	return text
}

// detail completes results of a Run order.
func (d *digest) detail(ctx context.Context, results []wire.RunResult) error {
	if !d.text {
		return nil
	}
	d.buf = d.buf[:0]
	for i := range results {
		d.buf = append(d.buf, accepted(oracle.Outcome(results[i].Outcome), []byte(results[i].Rendered)))
	}
	if err := d.chain.Run(ctx, d.buf); err != nil {
		return err
	}
	for i := range results {
		r := &results[i]
		switch oracle.Outcome(r.Outcome) {
		case oracle.Accepted:
			r.Rendered, r.Class, r.Value = string(d.buf[i]), 0, 0
			if d.values {
				r.Value = hash(r.Rendered)
			}
			if len(r.Rendered) > detailLimit {
				r.Rendered, r.Truncated = r.Rendered[:detailLimit], true
			}
		case oracle.Rejected:
			r.ErrorClass = d.class(r.Error)
			r.Class, r.Value, r.ErrorType = hash(r.ErrorClass), 0, ""
		}
	}
	return nil
}

// detailLimit is the maximum length of a value in a result.
const detailLimit = 64 << 10

// class returns the class of a message: the first declared one that matches, or else its text
// without numbers and quotes.
func (d *digest) class(message string) string {
	if known, ok := d.known[message]; ok {
		return known
	}
	name := d.find(message)
	if len(d.known) < maxKnown && len(message) <= maxKnownMessage {
		d.known[message] = name
	}
	return name
}

func (d *digest) find(message string) string {
	for _, c := range d.classes {
		for _, re := range c.match {
			if re.MatchString(message) {
				return c.name
			}
		}
	}
	return oracle.MessageClass(message)
}

func hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return feature.Mix(h.Sum64()) | 1
}

// external is a program of the user that transforms bytes: a Go function or a command.
type external struct {
	what    string
	program *running
	answers []program.Observation
	out     [][]byte
	passed  int    // number of values passed to it
	refused int    // number of values that it did not accept
	why     string // the last reason
	noted   bool
}

func (l *lockstep) openExternal(what string, e *External) (*external, error) {
	m, err := l.opened(e.Kind, e.Settings, program.Opening{Name: what, Limits: e.Limits, MaxInput: l.spec.MaxFlat, Text: true})
	if err != nil {
		return nil, err
	}
	return &external{what: what, program: m}, nil
}

func (x *external) close() { x.program.exec.Close() }

// transform returns the transformed inputs, and nil for those that are not accepted.
func (x *external) transform(ctx context.Context, inputs [][]byte) ([][]byte, error) {
	for len(x.answers) < len(inputs) {
		x.answers = append(x.answers, program.Observation{})
	}
	answers := x.answers[:len(inputs)]
	if err := x.program.observe(ctx, inputs, answers); err != nil {
		return nil, err
	}
	x.out = x.out[:0]
	for i := range answers {
		x.out = append(x.out, accepted(answers[i].Outcome, answers[i].Value))
	}
	return x.out, nil
}

// Normalize implements normalize.External. A value that is not accepted stays unchanged.
func (x *external) Normalize(ctx context.Context, values [][]byte) error {
	var which []int
	var inputs [][]byte
	for i, v := range values {
		if v != nil {
			which, inputs = append(which, i), append(inputs, v)
		}
	}
	if len(inputs) == 0 {
		return nil
	}
	out, err := x.transform(ctx, inputs)
	if err != nil {
		return err
	}
	x.passed += len(inputs)
	for k, i := range which {
		if out[k] != nil {
			values[i] = out[k]
			continue
		}
		if x.refused++; x.answers[k].Outcome >= oracle.Crashed || x.why == "" {
			x.why = x.answers[k].Message
		}
	}
	return nil
}

var _ normalize.External = (*external)(nil)

// enoughValues is the number of values after which a normalizer that leaves half of them unchanged
// is reported, once.
const enoughValues = 16

// note reports a normalizer that rejects most values. Values of some programs may legitimately have
// another form.
func (x *external) note() []string {
	if x.noted || x.passed < enoughValues || 2*x.refused < x.passed {
		return nil
	}
	x.noted = true
	return []string{fmt.Sprintf("%s does not accept %d of %d values and leaves them unchanged (%s)", x.what, x.refused, x.passed, x.why)}
}
