package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// VectorsVersion is the format of test vectors: docs/guides/vectors.md. A new key does not need a
// new version.
const VectorsVersion = 1

// Vectors holds test vectors for other projects: an input for each combination of the programs'
// results, and the results.
type Vectors struct {
	Version   int             `json:"version"`
	Target    string          `json:"target"`
	Mode      string          `json:"mode"`
	Arguments []string        `json:"arguments"` // types
	Compare   []string        `json:"compare,omitempty"`
	Go        string          `json:"go"`
	Programs  []VectorProgram `json:"programs"`
	Vectors   []Vector        `json:"vectors"`
}

// VectorProgram is a program and its origin.
type VectorProgram struct {
	Name     string `json:"name"`
	Function string `json:"function"`
	Module   string `json:"module,omitempty"`
	Version  string `json:"version,omitempty"`
}

// Vector is an input and the results of the programs.
type Vector struct {
	ID       string          `json:"id"`    // of the input, as in the corpus
	Tuple    string          `json:"tuple"` // hash of outcomes and classes
	Agree    bool            `json:"agree"`
	Layer    string          `json:"layer,omitempty"` // of the disagreement
	Ignored  bool            `json:"ignored,omitempty"`
	Input    []VectorArg     `json:"input"`
	Results  []VectorResult  `json:"results"` // in the order of the programs
	Findings []VectorFinding `json:"findings,omitempty"`
	Inputs   int             `json:"inputs"` // number of findings and inputs of the corpus with the same tuple
}

// VectorArg is an argument: bytes, or a scalar.
type VectorArg struct {
	Type   string  `json:"type"`
	Base64 *string `json:"base64,omitempty"` // of []byte and string
	Text   *string `json:"text,omitempty"`   // the same, if it is UTF-8
	Value  string  `json:"value,omitempty"`  // of other types, as Go writes it
	Bits   string  `json:"bits,omitempty"`   // of floats
}

// VectorResult is the result of a program. A text that is not UTF-8 also has a Go string literal.
type VectorResult struct {
	Program       string `json:"program"`
	Outcome       string `json:"outcome"`
	Value         string `json:"value,omitempty"` // canonical
	ValueQuoted   string `json:"value_quoted,omitempty"`
	Truncated     bool   `json:"truncated,omitempty"`
	Error         string `json:"error,omitempty"`
	ErrorQuoted   string `json:"error_quoted,omitempty"`
	ErrorType     string `json:"error_type,omitempty"`
	Kind          string `json:"kind,omitempty"` // of a failure
	Message       string `json:"message,omitempty"`
	MessageQuoted string `json:"message_quoted,omitempty"`
	Class         string `json:"class,omitempty"` // of the error or message
}

// VectorFinding is a finding whose smallest input shows the vector's tuple.
type VectorFinding struct {
	ID       string `json:"id"`
	Kind     string `json:"kind"`
	Accepted string `json:"accepted,omitempty"` // the reason of its acceptance
}

// VectorOptions chooses the vectors.
type VectorOptions struct {
	Buckets     []string // ids, or prefixes of ids; each becomes a vector; empty means all findings and the corpus
	AllAgreeing bool     // every input on which the programs agree, not only the smallest of each tuple
}

// SelectVectors finds the campaign and the inputs for the vectors.
func SelectVectors(out string, o VectorOptions) (*Campaign, []Item, error) {
	p, items, err := Select(out, o.Buckets)
	if err != nil {
		return nil, nil, err
	}
	return p, items, OnlyFindings("export --vectors", items)
}

// Vectors executes the findings' inputs and, if none is named, the corpus, and writes one vector
// per tuple. Call Build before it. notes report omitted inputs. When ctx ends, it writes nothing.
func (p *Campaign) Vectors(ctx context.Context, w io.Writer, items []Item, o VectorOptions, step func(string)) (notes []string, err error) {
	v := &vectorist{past: p, all: o.AllAgreeing, named: len(o.Buckets) > 0, step: step, have: map[string]*witness{}}
	if v.accepted, err = p.accepted(); err != nil {
		return nil, err
	}
	if len(o.Buckets) == 0 {
		kept, problems, err := p.corpusItems()
		if err != nil {
			return nil, err
		}
		notes = append(append(notes, p.problems...), problems...)
		items = append(slices.Clip(items), kept...)
	}
	s := p.triager(items).Replayer()
	s.Ctx = ctx
	defer s.Close()
	if err := v.examine(s, items); err != nil {
		return nil, err
	}
	doc, err := v.document(s)
	if err != nil {
		return nil, err
	}
	data, err := finding.JSON(doc)
	if err != nil {
		return nil, exit.Infra("%w", err)
	}
	return append(notes, v.notes(doc)...), write(w, data)
}

// corpusItems returns the inputs of the corpus.
func (p *Campaign) corpusItems() (items []Item, problems []string, err error) {
	entries, problems, err := p.entries()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, []string{p.Shown() + " has no corpus"}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		items = append(items, Item{Name: e.Hash, Flat: e.Flat})
	}
	return items, problems, nil
}

// vectorist collects vectors. It keeps only the tuples of inputs, since values may be large, and
// executes the chosen inputs again.
type vectorist struct {
	past     *Campaign
	all      bool // also inputs on which the programs agree
	named    bool // the user named the inputs
	step     func(string)
	accepted *accept.File
	have     map[string]*witness // by input
	list     []*witness
	wavering int
	gone     []string // findings that no longer reproduce
}

// witness is an input that may become a vector.
type witness struct {
	flat     []byte
	settle   bool // its effects may fail a little later
	tuple    string
	agree    bool
	findings []VectorFinding
	inputs   int // of its tuple, if it represents the tuple
}

// examine executes each input twice. An input with varying results is no vector.
func (v *vectorist) examine(s *triage.Replayer, items []Item) error {
	for i, it := range items {
		if i%500 == 0 {
			v.step(fmt.Sprintf("running %s of %s inputs", units.Thousands(uint64(i)), units.Thousands(uint64(len(items)))))
		}
		w := v.have[string(it.Flat)]
		if w == nil {
			w = &witness{flat: it.Flat, settle: it.Bucket != nil && !triage.Disagrees(it.Bucket.Kind)}
			v.have[string(it.Flat)] = w
			results, err := v.execute(s, w)
			if err != nil {
				return err
			}
			w.tuple = v.tuple(results, it.Flat)
			again, err := v.execute(s, w)
			if err != nil {
				return err
			}
			if v.tuple(again, it.Flat) != w.tuple {
				v.wavering++
				w.tuple = ""
				continue
			}
			w.agree = v.layer(results) == ""
			v.list = append(v.list, w)
		}
		if it.Bucket != nil && w.tuple != "" {
			v.finding(w, it.Bucket)
		}
	}
	return nil
}

// finding records the finding of an input.
func (v *vectorist) finding(w *witness, b *findings.Group) {
	if w.agree {
		v.gone = append(v.gone, b.ID)
		return
	}
	f := VectorFinding{ID: b.ID, Kind: b.Kind}
	if entry, ok := findings.AcceptedAs(v.accepted, &b.Bucket); ok && findings.WhollyAccepted(v.accepted, &b.Bucket) {
		f.Accepted = entry.Reason
	}
	w.findings = append(w.findings, f)
}

func (v *vectorist) execute(s *triage.Replayer, w *witness) ([]wire.RunResult, error) {
	flags := uint64(wire.WantDetail)
	if w.settle {
		s.Fresh()
		flags |= wire.Settle
	}
	results, err := s.Run(w.flat, flags)
	if err != nil && s.Ctx.Err() == nil {
		err = exit.Infra("executing %s: %w", quote.Input(v.past.Shape, w.flat, 60), err)
	}
	return results, err
}

// layer returns the layer of a disagreement. It returns "failure" if a program failed, and "" if
// the programs agree.
func (v *vectorist) layer(results []wire.RunResult) string {
	if _, failed := triage.Failed(results); failed {
		return "failure"
	}
	if l := triage.Layer(v.past.Options.Layers, results); l != 0 {
		return l.String()
	}
	return ""
}

// tuple hashes the results of the programs: outcomes, classes, and which of the accepting programs
// return the same value.
func (v *vectorist) tuple(results []wire.RunResult, flat []byte) string {
	h := sha256.New()
	j := triage.Triager{Shape: v.past.Shape}
	for i, r := range results {
		fmt.Fprintf(h, "%s %q %v", oracle.Outcome(r.Outcome), j.Class(r, flat), r.Ignored)
		for _, q := range results[:i] {
			fmt.Fprintf(h, " %v", q.Outcome == r.Outcome && q.Value == r.Value)
		}
		h.Write([]byte{'\n'})
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// choose returns the smallest input of each tuple and, if all agreeing inputs are wanted, the
// others of such a tuple.
func (v *vectorist) choose() []*witness {
	byTuple := map[string][]*witness{}
	for _, w := range v.list {
		byTuple[w.tuple] = append(byTuple[w.tuple], w)
	}
	var chosen []*witness
	for _, group := range byTuple {
		slices.SortFunc(group, func(a, b *witness) int { return bySize(a.flat, b.flat) })
		if v.named {
			for _, w := range group {
				w.inputs = len(group)
			}
			chosen = append(chosen, group...)
			continue
		}
		first := group[0]
		first.inputs = len(group)
		for _, w := range group[1:] {
			first.findings = append(first.findings, w.findings...)
			w.findings, w.inputs = nil, len(group)
		}
		slices.SortFunc(first.findings, func(a, b VectorFinding) int { return strings.Compare(a.ID, b.ID) })
		if chosen = append(chosen, first); v.all && first.agree {
			chosen = append(chosen, group[1:]...)
		}
	}
	slices.SortFunc(chosen, func(a, b *witness) int {
		if a.agree != b.agree {
			if b.agree {
				return -1
			}
			return 1
		}
		return bySize(a.flat, b.flat)
	})
	return chosen
}

// bySize orders inputs by length, and then by content.
func bySize(a, b []byte) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return bytes.Compare(a, b)
}

// document executes the chosen inputs again, and describes them.
func (v *vectorist) document(s *triage.Replayer) (*Vectors, error) {
	p := v.past
	doc := &Vectors{
		Version: VectorsVersion, Target: p.Config.Target, Mode: p.Config.Identity.Mode, Compare: p.Config.Identity.Compare,
		Go: p.facts.Plan.GoVersion, Vectors: []Vector{},
	}
	for _, k := range p.Shape {
		doc.Arguments = append(doc.Arguments, k.String())
	}
	for _, prog := range p.facts.Plan.Programs {
		doc.Programs = append(doc.Programs, VectorProgram{Name: prog.Name, Function: prog.Function, Module: prog.Module, Version: prog.Version})
	}
	chosen := v.choose()
	for i, w := range chosen {
		if i%500 == 0 {
			v.step(fmt.Sprintf("describing %s of %s inputs", units.Thousands(uint64(i)), units.Thousands(uint64(len(chosen)))))
		}
		results, err := v.execute(s, w)
		if err != nil {
			return nil, err
		}
		again, err := v.execute(s, w)
		if err != nil {
			return nil, err
		}
		if v.tuple(results, w.flat) != w.tuple || v.tuple(again, w.flat) != w.tuple {
			v.wavering++
			continue
		}
		doc.Vectors = append(doc.Vectors, v.vector(w, results, again))
	}
	return doc, nil
}

// vector describes an input. It omits a text that differs between both runs, such as a message with
// an address.
func (v *vectorist) vector(w *witness, results, again []wire.RunResult) Vector {
	p := v.past
	vec := Vector{
		ID: corpus.Hash(p.Shape.Encode(w.flat)), Tuple: w.tuple, Agree: w.agree, Layer: v.layer(results), Ignored: results[0].Ignored,
		Input: vectorArgs(p.Shape, w.flat), Findings: w.findings, Inputs: w.inputs,
	}
	j := triage.Triager{Shape: p.Shape}
	for i, r := range results {
		out := VectorResult{Program: p.facts.Names[i], Outcome: oracle.Outcome(r.Outcome).String(), ErrorType: r.ErrorType}
		q := again[i]
		if r.Rendered == q.Rendered && oracle.Outcome(r.Outcome) == oracle.Accepted {
			out.Value, out.ValueQuoted, out.Truncated = jsonText(r.Rendered), quotedText(r.Rendered), r.Truncated
		}
		if r.Error == q.Error {
			out.Error, out.ErrorQuoted = jsonText(r.Error), quotedText(r.Error)
		}
		if oracle.Outcome(r.Outcome) >= oracle.Crashed {
			out.Kind = triage.Kind(&r)
			if r.Panic == q.Panic {
				out.Message, out.MessageQuoted = jsonText(r.Panic), quotedText(r.Panic)
			}
		}
		if _, class, ok := strings.Cut(j.Class(r, w.flat), "\n"); ok {
			out.Class = jsonText(class)
		}
		vec.Results = append(vec.Results, out)
	}
	return vec
}

// vectorArgs returns the arguments of an input.
func vectorArgs(shape input.Shape, flat []byte) []VectorArg {
	values, err := shape.Unpack(flat)
	if err != nil {
		return nil // unlikely: an executed input has the shape
	}
	var args []VectorArg
	for i, value := range values {
		a := VectorArg{Type: shape[i].String()}
		switch x := value.(type) {
		case []byte:
			a.text(string(x))
		case string:
			a.text(x)
		case float64:
			a.Value, a.Bits = strconv.FormatFloat(x, 'g', -1, 64), fmt.Sprintf("%016x", math.Float64bits(x))
		case float32:
			a.Value, a.Bits = strconv.FormatFloat(float64(x), 'g', -1, 32), fmt.Sprintf("%08x", math.Float32bits(x))
		default:
			a.Value = fmt.Sprint(x)
		}
		args = append(args, a)
	}
	return args
}

func (a *VectorArg) text(s string) {
	coded := base64.StdEncoding.EncodeToString([]byte(s))
	a.Base64 = &coded
	if utf8.ValidString(s) {
		a.Text = &s
	}
}

// jsonText returns a valid JSON string. quotedText returns the exact literal of a text that is not
// UTF-8.
func jsonText(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

func quotedText(s string) string {
	if utf8.ValidString(s) {
		return ""
	}
	return escape.Quote(s)
}

// notes describes the omitted inputs.
func (v *vectorist) notes(doc *Vectors) (notes []string) {
	if v.wavering > 0 {
		notes = append(notes, fmt.Sprintf("left out: %d inputs on which the outcomes of the programs vary", v.wavering))
	}
	if len(v.gone) > 0 {
		notes = append(notes, "findings that can no longer be reproduced: "+strings.Join(v.gone, ", "))
	}
	disagree := 0
	for i := range doc.Vectors {
		if !doc.Vectors[i].Agree {
			disagree++
		}
	}
	return append(notes, fmt.Sprintf("%d vectors from %s inputs: the programs disagree or fail on %d, and agree on %d",
		len(doc.Vectors), units.Thousands(uint64(len(v.have))), disagree, len(doc.Vectors)-disagree))
}
