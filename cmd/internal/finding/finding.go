// Package finding holds the records of what campaigns find, and their JSON. A Candidate (pending/)
// becomes a Finding (outputs.json), which belongs to a Bucket (bucket.json). The Summary of a
// campaign (summary.json) has a Row for each bucket.
// A Page adds what reports show of a finding beyond its record. Package reproducer writes files
// that show a finding without parallax. Campaigns fill the records, and packages of the wing show
// render them.
//
// Inputs, outputs, error texts and names of programs are untrusted: none of them reaches a JSON
// string unescaped. Equal records give equal bytes.
package finding

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding/history"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/tape"
)

// A Finding is the whole record of one finding. Inputs are in the flat form of Shape; the files
// next to the report hold the file form.
type Finding struct {
	Bucket          string
	Variant         string // of the bucket
	Kind            string // discrepancy, crash, timeout, oom, failure, change
	Layer           string // of a discrepancy: verdict, value or class; of a change also cost
	Program         string // of a failure, the program that fails: others may fail on the same input, which is another finding; "" in old records
	Target          string
	Shape           input.Shape
	Parameters      []string  // the names of the arguments of Shape; nil means not known
	Programs        []Program // in the target's order
	Input           []byte    // as it was found
	Minimized       []byte    // the smallest input that shows the same
	Drawn           string    // what a generator makes of Minimized, a line a draw, or the call that it is; empty: neither
	Generated       []byte    // and the input itself, in the flat form of Takes, if the programs take such; nil without a generator, or if it hands over values
	Takes           input.Shape
	Made            bool     // by Given, which moved Generated to Minimized
	Holes           []Hole   // of Minimized
	Parent          []byte   // the corpus input it was mutated from; nil for a seed or a fresh input
	Operators       []string // from Parent to Input
	Origin          string   // of Input: the seed that it is or was made from; empty if not recorded
	MinimizedOrigin string   // of Minimized, if it is a seed
	Location        string   // file:line
	Caller          string   // of a crash in a dependency: file:line of the call in the tested code
	Odd             []string // the programs in the minority
	Count           uint64   // inputs seen in this bucket
	FoundAt         uint64   // inputs that the campaign had run before
	Replay          string   // a command line, given in the finding's folder

	Compare []string // the layers that the campaign compares; empty: not known. Not part of outputs.json

	Fuzz       *FuzzHarness // nil if no fuzz test found it
	Reproducer Reproducer   // nil if none can be written; not part of outputs.json
}

// A Reproducer writes files that show a finding without parallax.
type Reproducer interface {
	// Files returns the files by path in the finding's folder.
	Files(f *Finding) (map[string][]byte, error)
}

// A FuzzHarness is the fuzz test that found a finding, as its package's test files declare it.
type FuzzHarness struct {
	Package    string `json:"package"`              // the name in the package clause of its file: "toml" or "toml_test"
	ImportPath string `json:"import_path"`          // of the package under test, which go test takes
	Name       string `json:"name"`                 // FuzzXxx
	Constraint string `json:"constraint,omitempty"` // the expression of its file's //go:build line
	Tags       string `json:"tags,omitempty"`       // -tags of the build
	Generated  bool   `json:"generated,omitempty"`  // it takes what a generator makes of the finding's input, and knows nothing of that
}

// A Program holds the result of one program on the minimized input. The fields with Quoted in their
// names are set in JSON only.
type Program struct {
	Name string `json:"name"`
	oracle.Detail
	Message       string `json:"message,omitempty"`        // of a crash
	MessageQuoted string `json:"message_quoted,omitempty"` // the message as Go text, if it is not UTF-8
	InGenerator   bool   `json:"in_generator,omitempty"`   // the crash is in a generator of the user's, and not in what is tested
	Stack         string `json:"stack,omitempty"`          // of a crash, a line a frame or call
	Output        string `json:"output,omitempty"`         // what a fuzz test logged
	Deciding      string `json:"deciding,omitempty"`       // file:line where its path left the others': that of the best ranked place, where there is one

	Ranked []Place `json:"ranked,omitempty"` // best first
	Kind   string  `json:"kind,omitempty"`   // of programs that do not share a process: go, command, persistent, http
	Runs   string  `json:"runs,omitempty"`   // and what runs: a function, a command line or an address

	Blocks    uint64 `json:"blocks,omitempty"`    // executed, if the costs differ
	Allocated uint64 `json:"allocated,omitempty"` // bytes, if the costs of Go programs differ

	Refused string `json:"refused,omitempty"` // how it is allowed what the kernel has refused to it, as it seems
	Sources string `json:"sources,omitempty"` // hash of the source lines at its places, as they were when the finding was recorded
}

// quoted returns the result as JSON has it: texts that are not UTF-8 also have their quoted form.
func (p Program) quoted() Program {
	p.ValueQuoted, p.ErrorQuoted, p.MessageQuoted = quotedBeside(p.Value), quotedBeside(p.Error), quotedBeside(p.Message)
	return p
}

// unquoted reverses quoted.
func (p Program) unquoted() Program {
	p.Value, p.Error, p.Message = unquoted(p.Value, p.ValueQuoted), unquoted(p.Error, p.ErrorQuoted), unquoted(p.Message, p.MessageQuoted)
	p.ValueQuoted, p.ErrorQuoted, p.MessageQuoted = "", "", ""
	return p
}

// A Place is a branch of a program that separates inputs that disagree from nearby inputs that
// agree. Places are ranked, best first.
type Place struct {
	Location string  `json:"location"`           // file:line of the condition, or of the line that was changed
	Changed  bool    `json:"changed,omitempty"`  // the line differs between the programs, which are versions of each other
	Function string  `json:"function,omitempty"` // as in stack traces, with its package
	Branch   string  `json:"branch,omitempty"`   // what the finding's input did there: "then", "else", "case", "right operand", ...; "not " before it for what it did not do
	Score    float64 `json:"score"`              // Ochiai's, 0 to 1
	With     int     `json:"with"`               // inputs near the finding's that disagree like it and did the same here
	Without  int     `json:"without"`            // inputs near it on which the programs agree, and that did the same here
	Forwards bool    `json:"forwards,omitempty"` // the function calls a package of the standard library that has no counters
	Rejects  bool    `json:"rejects,omitempty"`  // it ends the check at which the program rejects, and no call in it returned the error
	Rivals   int     `json:"rivals,omitempty"`   // other changes between versions that the input executed, if this is one
}

// A Hole is a range of bytes of the minimized input, in flat form. Other bytes of the same class in
// the range show the finding, too.
type Hole struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Of    string `json:"of"` // the class of bytes that show the finding: "byte", "digit", "letter", "letter or digit", "printable"; of a scalar, "value"
}

// A Record is a finding as outputs.json has it. JSON strings cannot hold bytes that are not UTF-8.
// A string with such bytes also has a Go-quoted form, under a key of its own.
type Record struct {
	Version         int          `json:"version"`
	Bucket          string       `json:"bucket"`
	Variant         string       `json:"variant,omitempty"`
	Kind            string       `json:"kind"`
	Layer           string       `json:"layer,omitempty"`
	Program         string       `json:"program,omitempty"`
	Target          string       `json:"target"`
	Shape           string       `json:"shape"`
	Parameters      []string     `json:"parameters,omitempty"`
	Programs        []Program    `json:"programs"`
	Odd             []string     `json:"odd,omitempty"`
	Location        string       `json:"location"`
	Count           uint64       `json:"count"`
	FoundAt         uint64       `json:"found_at,omitempty"`
	Input           *inputJSON   `json:"input"`
	Minimized       *inputJSON   `json:"minimized"`
	Drawn           string       `json:"drawn,omitempty"`
	Generated       *inputJSON   `json:"generated,omitempty"`
	Takes           string       `json:"takes,omitempty"`
	Holes           []Hole       `json:"holes,omitempty"`
	Parent          *inputJSON   `json:"parent,omitempty"`
	Operators       []string     `json:"operators,omitempty"`
	Origin          string       `json:"origin,omitempty"`           // of the input: the seed that it is ("seed: ..."), or that it was mutated from
	MinimizedOrigin string       `json:"minimized_origin,omitempty"` // of the minimized input, if it is a seed
	Replay          string       `json:"replay"`
	Fuzz            *FuzzHarness `json:"fuzz,omitempty"`
	Caller          string       `json:"caller,omitempty"` // of a crash in a dependency: file:line of the call in the tested code
	Beside
}

type inputJSON struct {
	Hash      string   `json:"hash"` // of the file form, as in the corpus
	Size      int      `json:"size"`
	Arguments []string `json:"arguments"` // Go expressions
	Flat      string   `json:"flat"`      // Go-quoted
}

// JSON returns the record for outputs.json. ParseFinding reverses it, except for Reproducer.
func (f *Finding) JSON() ([]byte, error) { return f.JSONWith(Beside{}) }

// Beside is the part of a bucket's record that is not in outputs.json.
type Beside struct {
	Similar   []Similar       `json:"similar,omitempty"`
	SameCause []Sharer        `json:"same_cause,omitempty"`    // between versions, in all targets
	State     string          `json:"state,omitempty"`         // new, confirmed, accepted, fixed or again
	Owner     string          `json:"owner,omitempty"`         // who takes care of it
	Link      string          `json:"link,omitempty"`          // address of an issue
	History   []history.Entry `json:"history,omitempty"`       // oldest first
	Older     bool            `json:"older_sources,omitempty"` // its lines are of sources before an edit
}

// JSONWith returns the record with the current facts about its bucket. `parallax show --json`
// prints it.
func (f *Finding) JSONWith(beside Beside) ([]byte, error) {
	j := Record{
		Version: Version, Bucket: f.Bucket, Variant: f.Variant, Kind: f.Kind, Layer: f.Layer, Program: f.Program, Target: f.Target, Shape: f.Shape.String(), Parameters: f.ArgumentNames(),
		Programs: []Program{}, Odd: f.Odd, Location: f.Location, Count: f.Count, FoundAt: f.FoundAt,
		Input: f.inputJSON(f.Input), Minimized: f.inputJSON(f.Minimized), Drawn: f.Drawn, Holes: f.Holes, Operators: f.Operators, Replay: f.Replay,
		Origin: f.Origin, MinimizedOrigin: f.MinimizedOrigin, Fuzz: f.Fuzz, Caller: f.Caller, Beside: beside,
	}
	if f.Parent != nil {
		j.Parent = f.inputJSON(f.Parent)
	}
	if given := f.ProgramInput(); given != f {
		j.Generated, j.Takes = given.inputJSON(given.Minimized), given.Shape.String()
	}
	for _, p := range f.Programs {
		j.Programs = append(j.Programs, p.quoted())
	}
	return encode(j)
}

func (f *Finding) inputJSON(flat []byte) *inputJSON {
	return &inputJSON{
		Hash: f.Hash(flat), Size: len(flat), Arguments: quote.Literals(f.Shape, flat), Flat: escape.Quote(string(flat)),
	}
}

func (f *Finding) Hash(flat []byte) string {
	if f.Shape.Check(flat) != nil {
		return ""
	}
	return corpus.Hash(f.Shape.Encode(flat))
}

// ParseFinding reads outputs.json. It ignores unknown keys. A newer version, or an input that does
// not have the shape, is an error.
func ParseFinding(data []byte) (*Finding, error) {
	var j Record
	if err := json.Unmarshal(data, &j); err != nil {
		return nil, fmt.Errorf("the finding is not valid: %w", err)
	}
	if err := checkVersion(j.Version); err != nil {
		return nil, fmt.Errorf("finding: %w", err)
	}
	for _, word := range []string{j.Kind, j.Layer} {
		if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
			return nil, fmt.Errorf("finding: %s is neither a kind of finding nor a layer", escape.Quote(word))
		}
	}
	shape, err := input.ParseShape(j.Shape)
	if err != nil {
		return nil, fmt.Errorf("finding: %w", err)
	}
	f := &Finding{
		Bucket: j.Bucket, Variant: j.Variant, Kind: j.Kind, Layer: j.Layer, Program: j.Program, Target: j.Target, Shape: shape, Parameters: j.Parameters, Odd: j.Odd,
		Location: j.Location, Count: j.Count, FoundAt: j.FoundAt, Drawn: j.Drawn, Holes: j.Holes, Operators: j.Operators, Replay: j.Replay,
		Origin: j.Origin, MinimizedOrigin: j.MinimizedOrigin, Fuzz: j.Fuzz, Caller: j.Caller,
	}
	if j.Generated != nil {
		flat, err := strconv.Unquote(j.Generated.Flat)
		if f.Takes, _ = input.ParseShape(j.Takes); err == nil && f.Takes.Check([]byte(flat)) == nil {
			f.Generated = []byte(flat)
		}
	}
	for _, p := range j.Programs {
		f.Programs = append(f.Programs, p.unquoted())
	}
	for _, in := range []struct {
		name string
		from *inputJSON
		to   *[]byte
	}{{"input", j.Input, &f.Input}, {"minimized", j.Minimized, &f.Minimized}, {"parent", j.Parent, &f.Parent}} {
		if in.from == nil {
			if in.name != "parent" {
				return nil, fmt.Errorf("the finding has no %s", in.name)
			}
			continue
		}
		flat, err := strconv.Unquote(in.from.Flat)
		if err == nil {
			err = shape.Check([]byte(flat))
		}
		if err != nil {
			return nil, fmt.Errorf("finding: %s: %w", in.name, err)
		}
		*in.to = []byte(flat)
	}
	return f, nil
}

func quotedBeside(s string) string {
	if utf8.ValidString(s) {
		return ""
	}
	return escape.Quote(s)
}

func unquoted(s, quoted string) string {
	if u, err := strconv.Unquote(quoted); err == nil {
		return u
	}
	return s
}

// Failing returns the index of the program whose failure the finding is: the one that it names, or
// else the first that fails. It returns -1 for a finding that is no failure.
func (f *Finding) Failing() int {
	if f.Layer != "" {
		return -1
	}
	if at := slices.IndexFunc(f.Programs, func(p Program) bool { return f.Program != "" && p.Name == f.Program }); at >= 0 {
		return at
	}
	return slices.IndexFunc(f.Programs, func(p Program) bool { return p.Failed() })
}

// Failed reports whether the program crashed, failed or ran into a limit.
func (p *Program) Failed() bool {
	o, err := oracle.ParseOutcome(p.Outcome)
	return err == nil && o >= oracle.Crashed
}

// ProgramInput returns the finding with the input that a generator made of the tape, and gave to
// the programs. Reproducers then need no generator.
func (f *Finding) ProgramInput() *Finding {
	if f.Generated == nil || f.Takes.Check(f.Generated) != nil {
		return f
	}
	given := *f
	given.Shape, given.Minimized, given.Generated, given.Made = f.Takes, f.Generated, nil, true
	return &given
}

// HarnessInput returns the finding with the input that its programs or its FuzzXxx take. That is
// the tape if the FuzzXxx draws from it itself.
func (f *Finding) HarnessInput() *Finding {
	if f.Fuzz != nil && !f.Fuzz.Generated {
		return f
	}
	return f.ProgramInput()
}

// Smaller reports whether the minimized input is better to read than another one: it is shorter, or
// less if they have one length. For tapes, the text that is drawn counts first: a short tape may
// leave most choices to chance. Then a tape without such choices is better, and then a simpler one.
func (f *Finding) Smaller(than *Finding) bool {
	a, b := f.Minimized, than.Minimized
	if s, t := quote.Tape(a), quote.Tape(b); s != nil && t != nil {
		switch n, m := len(f.Drawn), len(than.Drawn); {
		case n != m && n > 0 && m > 0:
			return n < m
		case (s.Rest == 0) != (t.Rest == 0):
			return s.Rest == 0
		case s.Simpler(t) || t.Simpler(s):
			return s.Simpler(t)
		}
	}
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return bytes.Compare(a, b) < 0
}

// Quote returns the minimized input on one line: the arguments with their names, or the text of
// QuoteDrawn.
func (f *Finding) Quote(limit int) string {
	if text := f.named(limit); text != "" {
		return text
	}
	return QuoteDrawn(f.Shape, f.Minimized, f.Drawn, limit)
}

// QuoteDrawn returns an input on one line. That is drawn, the text that a generator made of it,
// with a line for each draw. If drawn is empty, it returns the text of quote.Input.
func QuoteDrawn(shape input.Shape, flat []byte, drawn string, limit int) string {
	if drawn == "" {
		return quote.Input(shape, flat, limit)
	}
	if quote.Tape(flat) == nil { // a call
		return escape.Cut(escape.Text(strings.ReplaceAll(drawn, "\n", "; ")), limit)
	}
	return escape.Cut(escape.Text(tape.OneLine(drawn)), limit)
}

// hex returns the beginning of an input that is not text. It returns "" for a tape.
func (f *Finding) hex() string {
	if f.Drawn != "" {
		return ""
	}
	return escape.HexLine(f.Shape, f.Minimized, 16)
}

// Summarize returns the finding's row in the summary. The caller adds paths and the life of the
// bucket.
func (f *Finding) Summarize() Row {
	b := Row{
		ID: f.Bucket, Kind: f.Kind, Layer: f.Layer, Failed: Failed{f.Program, f.Caller}, Count: f.Count, Location: f.Location, Odd: f.Odd,
		Quoted: QuoteDrawn(f.Shape, f.Minimized, f.Drawn, 200), Named: f.named(200), Hex: f.hex(),
		General: f.GeneralForm(200), Origin: f.From(), Outcomes: map[string]string{},
	}
	put := func(m *map[string]string, program, s string) {
		if s == "" {
			return
		}
		if *m == nil {
			*m = map[string]string{}
		}
		(*m)[program] = s
	}
	for _, p := range f.Programs {
		b.Outcomes[p.Name] = p.Outcome
		put(&b.Classes, p.Name, escape.Text(p.ErrorClass))
		result := f.Excerpt(&p, 200)
		if f.Layer == CostLayer { // what else they say is the same
			result = p.Cost()
		}
		put(&b.Results, p.Name, result)
		put(&b.Deciding, p.Name, p.Deciding)
		if p.Doubtful() {
			b.Doubtful = append(b.Doubtful, p.Name)
		}
	}
	return b
}

// CostLayer is the layer of findings of cost.
var CostLayer = oracle.CostLayer.String()

func (p *Program) Cost() string {
	text := units.Plural(p.Blocks, "block") + " executed"
	if p.Allocated > 0 {
		text += ", " + units.Plural(p.Allocated, "byte") + " allocated"
	}
	return text
}

// LaterLayer returns the layer of a disagreement whose input may show one in an earlier layer.
// Empty means that it cannot.
func (f *Finding) LaterLayer() string {
	switch f.Layer {
	case oracle.ValueLayer.String(), oracle.ClassLayer.String():
		if len(f.Programs) > 2 {
			return f.Layer
		}
	}
	return ""
}

// MayShowOthers reports whether the input of a finding may show other findings: a program fails,
// and either another one fails or two others may disagree.
func (f *Finding) MayShowOthers() bool {
	failing := 0
	for _, p := range f.Programs {
		if o, err := oracle.ParseOutcome(p.Outcome); err == nil && o >= oracle.Crashed {
			failing++
		}
	}
	return failing > 1 || failing == 1 && len(f.Programs) > 2
}

// IsCall reports whether the input is a call of a function, which Drawn has in words, and no tape.
func (f *Finding) IsCall() bool {
	return f.Drawn != "" && quote.Tape(f.Minimized) == nil
}

// FromTape reports whether Minimized is a tape of choices, and Drawn the text that a generator
// makes of it.
func (f *Finding) FromTape() bool { return f.Drawn != "" && !f.IsCall() }

// CallLanguage returns the language of the calls: "go" for functions of one build, "js" for
// drivers, and else "c".
func (f *Finding) CallLanguage() string {
	for i := range f.Programs {
		switch f.Programs[i].Kind {
		case "":
		case "persistent":
			return "js"
		default:
			return "c"
		}
	}
	return "go"
}

// Outcome returns the word for how a program ended in a finding of a kind: a test failed, and did
// not crash.
func Outcome(kind, outcome string) string {
	if kind == "failure" && outcome == "crashed" {
		return "failed"
	}
	return outcome
}
