package confirm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/extract/extracttest"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/smt/solver"
)

// recorded returns a model that an engine extracted.
func recorded(t *testing.T, function string) *formula.Model {
	t.Helper()
	a := extracttest.Answer(t, function)
	m, err := formula.New(call.SignatureOf(a), a.Paths, function)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// answers is a file with an engine's answers to questions. This command asks the engine again, in
// parallax's environment in the folder CACHE:
//
//	go test ./internal/model/confirm -run TestConfirmRecorded -record CACHE
const answers = "testdata/angr-9.2.213.jsonl"

var record = flag.String("record", "", "parallax's cache folder: ask the engine there and write its answers to "+answers)

// exchange is a line of the file.
type exchange struct {
	Question extract.Question
	Outcomes []extract.Outcome
}

// recording is an engine that replays recorded answers, or records new ones.
type recording struct {
	t      *testing.T
	engine *extract.Engine
	known  []exchange
	used   int
}

func openRecording(t *testing.T) *recording {
	t.Helper()
	r := &recording{t: t}
	if *record != "" {
		env, err := extract.Environment(context.Background(), *record, "angr", "9.2.213", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.engine = extract.Open(env, extract.Options{})
		t.Cleanup(func() {
			r.engine.Close()
			var file bytes.Buffer
			for lines := json.NewEncoder(&file); len(r.known) > 0; r.known = r.known[1:] {
				if err := lines.Encode(r.known[0]); err != nil {
					t.Error(err)
				}
			}
			if err := os.WriteFile(answers, file.Bytes(), 0o644); err != nil {
				t.Error(err)
			}
		})
		return r
	}
	data, err := os.ReadFile(answers)
	if err != nil {
		t.Fatal(err)
	}
	for lines := json.NewDecoder(bytes.NewReader(data)); lines.More(); {
		var e exchange
		if err := lines.Decode(&e); err != nil {
			t.Fatal(err)
		}
		r.known = append(r.known, e)
	}
	return r
}

func (r *recording) Ask(ctx context.Context, q extract.Question) ([]extract.Outcome, error) {
	for _, e := range r.known {
		if fmt.Sprint(e.Question) == fmt.Sprint(q) {
			r.used++
			return e.Outcomes, nil
		}
	}
	if r.engine != nil {
		outcomes, err := r.engine.Ask(ctx, q)
		for i := range outcomes { // times differ from run to run
			outcomes[i].Seconds, outcomes[i].CPU = 0, 0
		}
		r.known = append(r.known, exchange{q, outcomes})
		return outcomes, err
	}
	return nil, fmt.Errorf("nothing is recorded of %v", q)
}

// literal returns a call of values: numbers, and strings for buffers.
func literal(s *call.Signature, values ...any) call.Call {
	c := s.Decode(nil)
	for i, v := range values {
		switch v := v.(type) {
		case int:
			c[i].Int = uint64(v)
		case rune:
			c[i].Int = uint64(v)
		case string:
			copy(c[i].Data, v)
		}
	}
	return c
}

// both returns the answers of the original and the model to a call.
func both(t *testing.T, m *formula.Model, c call.Call) (call.Effect, formula.Answer) {
	t.Helper()
	o, err := original.Musl(m.Signature)
	if err != nil {
		t.Fatal(err)
	}
	run, err := o.Run(c)
	if err != nil || run.Undefined != "" {
		t.Fatal(run.Undefined, err)
	}
	answer, err := m.Evaluate(context.Background(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return run.Effect, answer
}

// TestConfirmRecorded checks verdicts on deviations of an engine's models, with the engine's own
// answers.
func TestConfirmRecorded(t *testing.T) {
	engine := openRecording(t)
	for _, test := range []struct {
		function  string
		values    []any
		confirmed bool
		solvers   string // parts of their answers
		library   string
		engine    string
		reason    string
		symbols   string // the engine's answer with symbols that confirms the deviation
	}{
		{
			"strchr", []any{"abca", 0}, false,
			"unsat: none of the model's 1 path permits that the call returns arg_0+4; sat: path 1 permits that it returns NULL",
			"returns arg_0+4", "answers rightly", "answers rightly", "returns NULL, as its model says",
		},
		{
			"strncpy", []any{"aabb", "a\x00aa", 3}, true,
			`permits that the call returns arg_0, writes "\000\000" at arg_0+1; sat: path 1 permits that it returns arg_0, writes "\000" at arg_0+1`,
			`returns arg_0, writes "\000\000" at arg_0+1`, `returns arg_0, writes "\000" at arg_0+1, as its model says`, "", `writes "\000" at arg_0+1, as its model says`,
		},
		{
			"atoi", []any{" 1b"}, true,
			"permits that the call returns 1; sat: path 1 permits that it returns 0", "returns 1", "returns 0, as its model says", "", "returns 0, as its model says",
		},
		{ // with symbolic bytes, the engine's strcmp is 1 for all different strings
			"strcmp", []any{"abb\xff", "ba"}, false,
			"permits that the call returns a negative number; sat: path 1 permits that it returns a positive number",
			"returns a negative number", "answers rightly when it is asked for this call alone: returns a negative number",
			"angr 9.2.213: answers rightly when it is asked for this call alone", "returns a positive number, as its model says",
		},
		{
			"memchr", []any{"aabb", 'b', 1}, false,
			"unsat: none of the model's 1 path has the call", "returns NULL", "answers rightly", "angr 9.2.213: answers rightly",
			"does not return: no path of the model returns",
		},
		{
			"strtol", []any{"0a", "", 64}, false,
			"has the call", "returns 0, and musl returns 0, stores arg_0 in *arg_1: the two differ", "", "the two differ", "",
		},
		{ // the engine has no prototype of its own
			"strtoul", []any{"zz", "", 36}, false,
			"has the call", "returns 1295, stores arg_0+2 in *arg_1", "answers rightly", "answers rightly",
			"does not return: no path of the model returns",
		},
		{
			"strcat", []any{"abaa", "bb"}, false,
			`sat: path 1 permits that it returns arg_0, writes "bb\000\000\000" at arg_0+4`, `writes "bb\000" at arg_0+4`, "answers rightly", "answers rightly",
			`writes "bb\000\000\000" at arg_0+4, as its model says`,
		},
		{"toupper", []any{'a'}, false, "", "", "", "the model says what the original does: returns 65", ""},
	} {
		m := recorded(t, test.function)
		o := Options{Engine: "angr 9.2.213", Prototype: m.Signature.Prototype}
		c := literal(m.Signature, test.values...)
		right, answer := both(t, m, c)
		for _, o.Concrete = range []bool{true, false} {
			k := New(m.Signature, m, engine, o)
			v, err := k.Confirm(context.Background(), c, m.Signature.Comparator(), right, answer)
			k.Close()
			if err != nil {
				t.Errorf("%s: %v", m.Signature.Quote(c), err)
				continue
			}
			var text [4]string
			for i, s := range v.Steps {
				text[i] = s.Answer
			}
			confirmed, reason, engine, remark := test.confirmed, test.reason, test.engine, ""
			if !o.Concrete && test.symbols != "" {
				if !confirmed { // by values
					remark = test.engine
				}
				confirmed, reason, engine = true, "", test.symbols
			}
			if v.Confirmed != confirmed || v.Confirmed != (v.Reason == "") || !strings.Contains(v.Reason, reason) || !strings.Contains(text[0], test.solvers) ||
				!strings.Contains(text[1], test.library) || !strings.Contains(text[2], engine) || !strings.Contains(v.Remark, remark) || (remark == "") != (v.Remark == "") ||
				(text[3] == "") != (o.Concrete || test.symbols == "") {
				t.Errorf("concrete %v: %s: %+v", o.Concrete, m.Signature.Quote(c), v)
			}
		}
	}
	if *record == "" && engine.used != 21 {
		t.Errorf("the engine was asked %d times", engine.used)
	}
}

// answering is an engine with one answer.
type answering struct {
	outcome extract.Outcome
	err     error
}

func (s answering) Ask(_ context.Context, q extract.Question) ([]extract.Outcome, error) {
	return []extract.Outcome{s.outcome}, s.err
}

// TestEngineStates checks the states of engine answers, for a result of 0 that should be 1 and for
// a dropped call.
func TestEngineStates(t *testing.T) {
	s := signature("atoi", "s:i")
	c := literal(s, "1")
	number := func(value string, unique bool) extract.Outcome {
		return extract.Outcome{Status: extract.OK, Form: "scalar", Value: value, Unique: unique}
	}
	wrote := func(w extract.Wrote) extract.Outcome {
		o := number("1", true)
		o.Written = []extract.Wrote{w}
		return o
	}
	for _, test := range []struct {
		o              extract.Outcome
		wrong, dropped State
		answer         string
	}{
		{number("0", true), Confirms, Confirms, "returns 0"},
		{number("5", true), Confirms, Confirms, "returns 5, which is wrong too, but its model"},
		{number("4294967295", true), Confirms, Confirms, "returns -1"},
		{number("-1", true), Confirms, Confirms, "returns -1"},
		{number("1", true), Refutes, Refutes, "answers rightly"},
		{number("0", false), Open, Open, "as one of several answers"},
		{number("", true), Open, Open, "cannot be read"},
		{extract.Outcome{Status: extract.Crash, Reason: "TypeError"}, Open, Confirms, "crashes: TypeError"},
		{extract.Outcome{Status: extract.Nothing, Reason: "no path"}, Open, Confirms, "does not return: no path"},
		{extract.Outcome{Status: extract.Timeout, Reason: "a minute"}, Open, Open, "timeout: a minute"},
		{extract.Outcome{Status: extract.Unsupported, Reason: "variadic"}, Open, Open, "unsupported: variadic"},
		{wrote(extract.Wrote{Arg: 0, Offset: 1, Hex: "2a"}), Confirms, Confirms, `writes "*" at arg_0+1`},
		// after the guard bytes
		{wrote(extract.Wrote{Arg: 0, Offset: 21, Hex: "2a"}), Confirms, Confirms, `writes "*" at arg_0+21`},
		{wrote(extract.Wrote{Arg: 1, Hex: "2a"}), Open, Open, "argument 1, which points to nothing"},
		{wrote(extract.Wrote{Arg: 0, Offset: -9, Hex: "2a"}), Open, Open, "cannot be read"},
		{wrote(extract.Wrote{Arg: 0, Hex: "x"}), Open, Open, "cannot be read"},
		{wrote(extract.Wrote{Arg: 0, Into: 1, Value: "2"}), Confirms, Confirms, "stores arg_0+2 in *arg_0"},
	} {
		k := New(s, nil, answering{outcome: test.o}, Options{Foreign: true, Concrete: true})
		memory := [][]byte{call.Whole(&s.Arguments[0], c[0])}
		right := call.Effect{Ret: 1, Memory: memory}
		for want, answer := range map[State]formula.Answer{
			test.wrong + "/wrong":     {Kind: formula.Returned, Effect: call.Effect{Memory: memory}},
			test.dropped + "/dropped": {Kind: formula.Dropped},
		} {
			v, err := k.Confirm(context.Background(), c, call.Exact, right, answer)
			if err != nil || len(v.Steps) != 3 {
				t.Fatalf("%+v: %+v, %v", test.o, v, err)
			}
			got := v.Steps[2]
			state, _, _ := strings.Cut(string(want), "/")
			if string(got.State) != state || !strings.Contains(got.Answer, test.answer) || v.Confirmed != (got.State == Confirms) {
				t.Errorf("%+v: %+v, want %s", test.o, v, want)
			}
		}
		k.Close()
	}
}

// modes is an engine that answers symbols and values in different ways. It records the modes of the
// questions.
type modes struct {
	symbols, values extract.Outcome
	asked           string
}

func (m *modes) Ask(_ context.Context, q extract.Question) ([]extract.Outcome, error) {
	if q.Symbolic {
		m.asked += "s"
		return []extract.Outcome{m.symbols}, nil
	}
	m.asked += "v"
	return []extract.Outcome{m.values}, nil
}

// TestModes checks that the engine's answer to symbols decides. A right answer to values is a
// remark, and values decide where symbols say nothing.
func TestModes(t *testing.T) {
	s := signature("atoi", "s:i")
	c := literal(s, "1")
	right := extract.Outcome{Status: extract.OK, Form: "scalar", Value: "1", Unique: true}
	wrong := extract.Outcome{Status: extract.OK, Form: "scalar", Value: "0", Unique: true}
	silent := extract.Outcome{Status: extract.Timeout, Reason: "a minute"}
	for _, test := range []struct {
		name            string
		symbols, values extract.Outcome
		concrete        bool
		asked           string
		confirmed, open bool
		remark          string
	}{
		{"both wrong", wrong, wrong, false, "sv", true, false, ""},
		{"values right", wrong, right, false, "sv", true, false, "angr with values: answers rightly when it is asked for this call alone: returns 1"},
		{"values silent", wrong, silent, false, "sv", true, false, ""},
		{"symbols right", right, wrong, false, "s", false, false, ""},
		{"symbols silent", silent, wrong, false, "sv", true, false, ""},
		{"symbols silent, values right", silent, right, false, "sv", false, true, ""},
		{"concrete, values wrong", right, wrong, true, "v", true, false, ""},
		{"concrete, values right", wrong, right, true, "v", false, false, ""},
	} {
		engine := &modes{symbols: test.symbols, values: test.values}
		k := New(s, nil, engine, Options{Engine: "angr", Foreign: true, Concrete: test.concrete})
		memory := [][]byte{call.Whole(&s.Arguments[0], c[0])}
		v, err := k.Confirm(context.Background(), c, call.Exact, call.Effect{Ret: 1, Memory: memory}, formula.Answer{Kind: formula.Returned, Effect: call.Effect{Memory: memory}})
		k.Close()
		if err != nil || v.Confirmed != test.confirmed || v.Open != test.open || v.Remark != test.remark || engine.asked != test.asked {
			t.Errorf("%s: asked %s, %+v, %v", test.name, engine.asked, v, err)
		}
		if n := len(v.Steps); test.remark != "" && (n != 4 || v.Steps[3].State != Remark) {
			t.Errorf("%s: %+v", test.name, v.Steps)
		}
	}
}

// TestEngineAddresses checks that an address of the engine's own memory is recognized wherever it
// lies.
func TestEngineAddresses(t *testing.T) {
	s := signature("strchr", "si:a")
	c := literal(s, "a", 'a')
	for _, test := range []struct {
		into  int
		value string
		want  string
	}{
		{0, "0", "returns NULL"}, {1, "3", "returns arg_0+3"}, {1, "-1", "returns arg_0-1"}, {extract.Fresh, "16", "returns memory of its own"},
		{extract.Nowhere, "0", "returns an address outside of all buffers"},
	} {
		e, err := effect(s, c, &extract.Outcome{Into: test.into, Value: test.value})
		if got := s.Text(c, &e, call.Offset); err != nil || got != test.want {
			t.Errorf("%d %s: %q, %v, want %q", test.into, test.value, got, err, test.want)
		}
	}
}

// fake returns a solver with one answer.
func fake(t *testing.T, p solver.Program, answer string) *solver.Solver {
	t.Helper()
	path := filepath.Join(t.TempDir(), p.Name)
	script := `#!/bin/sh
while read -r line; do
	case $line in
	"(check-sat)"*) echo ` + answer + ` ;;
	"(get-info"*) echo '(:reason-unknown "incomplete")' ;;
	"(echo"*) line=${line#'(echo "'}; echo "${line%'")'}" ;;
	esac
done
`
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	s := solver.New(p, solver.Options{LookPath: func(string) (string, error) { return path, nil }})
	t.Cleanup(func() { s.Close() })
	return s
}

// TestSolverStates checks when solvers refute a deviation and when they leave it open.
func TestSolverStates(t *testing.T) {
	m := recorded(t, "strchr")
	c := literal(m.Signature, "abca", 0)
	right, answer := both(t, m, c)
	ctx := context.Background()
	other := answer
	other.Effect.To = call.Pointer{Into: 1, Offset: 2}
	unconstrained, err := formula.New(m.Signature, []extract.Path{{
		Ret: "offset",
		SMT: "(declare-const ret (_ BitVec 64))(declare-const ret_into (_ BitVec 8))(assert (bvule ret #x000000000000000f))(assert (bvule ret_into #x01))",
	}}, "open")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		m       *formula.Model
		answer  formula.Answer
		solvers [2]string
		state   State
		text    string
	}{
		"confirmed":                    {m, answer, [2]string{}, Confirms, "unsat: none of the model's 1 path"},
		"computed wrongly":             {m, other, [2]string{}, Refutes, "unsat: path 1 of the model does not permit that the call returns arg_0+2"},
		"not dropped":                  {m, formula.Answer{Kind: formula.Dropped}, [2]string{}, Refutes, "sat: path 1 of the model has the call"},
		"permitted":                    {unconstrained, answer, [2]string{}, Refutes, "sat: path 1 of the model permits that the call returns arg_0+4"},
		"one does not know":            {m, answer, [2]string{"unsat", "unknown"}, Open, "path 1 of the model: not known: cvc5 does not know: incomplete"},
		"the other one":                {m, answer, [2]string{"unknown", "unsat"}, Open, "z3 does not know: incomplete"},
		"both do not know":             {m, answer, [2]string{"unknown", "unknown"}, Open, "z3: incomplete; cvc5: incomplete"},
		"they disagree":                {m, answer, [2]string{"sat", "unsat"}, Open, "z3 says sat and cvc5 says unsat"},
		"one dies once":                {m, answer, [2]string{"unknown; test -e \"$0.died\" || { touch \"$0.died\"; exit 1; }", "unsat"}, Open, "z3 does not know: incomplete"},
		"one dies always":              {m, answer, [2]string{"unknown; exit 1", "unsat"}, Open, "! z3 does not answer the simplest question, so that nothing can be confirmed: z3 died: exit status 1"},
		"one prints what is no answer": {m, answer, [2]string{"unsat", "perhaps"}, Open, "! cvc5 does not answer the simplest question"},
	} {
		o := Options{Foreign: true}
		for i, p := range []solver.Program{solver.Z3, solver.CVC5} {
			if test.solvers[i] != "" {
				o.Solvers[i] = fake(t, p, test.solvers[i])
			}
		}
		k := New(test.m.Signature, test.m, nil, o)
		v, err := k.Confirm(ctx, c, call.Offset, right, test.answer)
		k.Close()
		if text, broken := strings.CutPrefix(test.text, "! "); broken {
			if exit.Code(err) != exit.InfraCode || !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || v.Steps[0].State != test.state || !strings.Contains(v.Steps[0].Answer, test.text) || v.Confirmed != (test.state == Confirms) {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
		if !v.Confirmed && !strings.HasPrefix(v.Reason, "z3 and cvc5: ") {
			t.Errorf("%s: the reason is %q", name, v.Reason)
		}
	}
}

// TestConfirmWithout checks that unavailable checks do not count, that nothing is confirmed without
// any check of the model, and that equal effects are no deviation.
func TestConfirmWithout(t *testing.T) {
	m := recorded(t, "strchr")
	c := literal(m.Signature, "abca", 0)
	right, answer := both(t, m, c)
	ctx := context.Background()

	k := New(m.Signature, nil, nil, Options{Foreign: true})
	defer k.Close()
	if v, err := k.Confirm(ctx, c, call.Offset, right, answer); err != nil || v.Confirmed || v.Reason != "no solver could be asked" {
		t.Errorf("nobody to ask: %+v, %v", v, err)
	}

	// For a model in code, the C library can confirm that the original is right.
	k = New(m.Signature, nil, nil, Options{})
	defer k.Close()
	crashed := formula.Answer{Kind: formula.Crashed, Detail: "it reads out of bounds"}
	if v, err := k.Confirm(ctx, c, call.Offset, right, crashed); err != nil || !v.Confirmed {
		t.Errorf("a model that is code: %+v, %v", v, err)
	}
	for _, kind := range []formula.Kind{formula.Unconstrained, formula.Undefined, formula.Unknown} {
		v, err := k.Confirm(ctx, c, call.Offset, right, formula.Answer{Kind: kind})
		if err != nil || v.Confirmed || len(v.Steps) > 0 || !strings.Contains(v.Reason, kind.String()) {
			t.Errorf("%s: %+v, %v", kind, v, err)
		}
	}

	// The C library contradicts a wrong original.
	wrong := right
	wrong.To.Offset = 2
	k = New(m.Signature, m, nil, Options{})
	defer k.Close()
	v, err := k.Confirm(ctx, c, call.Offset, wrong, answer)
	if err != nil || v.Confirmed || !strings.Contains(v.Reason, "returns arg_0+4, and musl returns arg_0+2: the two differ") {
		t.Errorf("a wrong original: %+v, %v", v, err)
	}

	for name, test := range map[string]struct {
		s    *call.Signature
		o    Options
		text string
	}{
		"a function that acts":       {signature("kill", "ii:i"), Options{}, "leave the machine alone"},
		"one that the library lacks": {signature("__shlim", "bl:v"), Options{}, "lacks __shlim, so musl alone counts"},
		"another original":           {m.Signature, Options{Foreign: true}, "is not called, since the original is not its function"},
		"a type that C lacks":        {&call.Signature{Function: "abs", Result: extract.Result{Kind: "scalar", Bits: 128}}, Options{}, "128 bits, and no integer of C has"},
	} {
		k := New(test.s, nil, nil, test.o)
		s, err := k.library(ctx, &deviation{call: test.s.Decode(nil)})
		if err != nil || s.State != Absent || !strings.Contains(s.Answer, test.text) {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		k.Close()
	}
}

// TestConfirmErrors checks that an error names what the machine lacks and how to install it. Errors
// of the engine and the context are returned unchanged.
func TestConfirmErrors(t *testing.T) {
	m := recorded(t, "strchr")
	c := literal(m.Signature, "abca", 0)
	right, answer := both(t, m, c)
	absent := func(string) (string, error) { return "", exec.ErrNotFound }
	confirm := func(ctx context.Context, engine Asker, o Options) error {
		k := New(m.Signature, m, engine, o)
		defer k.Close()
		_, err := k.Confirm(ctx, c, call.Offset, right, answer)
		return err
	}
	ctx := context.Background()
	for _, p := range []solver.Program{solver.Z3, solver.CVC5} {
		var o Options
		i := map[string]int{"z3": 0, "cvc5": 1}[p.Name]
		o.Solvers[i] = solver.New(p, solver.Options{LookPath: absent})
		if err := confirm(ctx, nil, o); exit.Code(err) != exit.InfraCode || !strings.Contains(err.Error(), p.Install) {
			t.Errorf("without %s: %v", p.Name, err)
		}
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if err := confirm(ctx, nil, Options{LookPath: absent}); exit.Code(err) != exit.InfraCode || !strings.Contains(err.Error(), compilerFix) {
		t.Errorf("without a compiler: %v", err)
	}
	gone := errors.New("the engine is gone")
	if err := confirm(ctx, answering{err: gone}, Options{}); !errors.Is(err, gone) {
		t.Errorf("an engine that does not start: %v", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	if err := confirm(ctx, nil, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}
