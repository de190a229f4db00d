package model

import (
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/model/dynamic"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/node"
	"parallax/cmd/internal/show/text"
	"parallax/cmd/internal/show/ui"
	"parallax/cmd/internal/subject"
	"parallax/cmd/internal/subject/config"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// TestForemost checks that an error that the user can fix decides the exit code if several models
// have errors. All are printed.
func TestForemost(t *testing.T) {
	infra, other, usage := exit.Infra("infra"), errors.New("other"), exit.Usage("usage")
	for _, test := range []struct {
		errs, others []error
		first        error
	}{
		{nil, nil, nil},
		{[]error{infra}, nil, infra},
		{[]error{infra, other}, []error{other}, infra},
		{[]error{infra, other, usage}, []error{infra, other}, usage},
	} {
		others, first := foremost(test.errs)
		if first != test.first || !slices.Equal(others, test.others) {
			t.Errorf("%v: %v, %v", test.errs, first, others)
		}
	}
}

// TestIncomplete checks that a model is checked, and named, if the engine cannot give some of its
// paths.
func TestIncomplete(t *testing.T) {
	f := &checking{name: "angr", version: "1"}
	f.Given = func(string) bool { return false }
	f.prepare(t.Context(), nil, []extract.Answer{{Function: "strlen", Status: extract.OK}, {Function: "memset", Status: extract.OK, Failed: []string{"TypeError: no", "KeyError: 1"}}}, nil)
	text := text.Models(nil, &finding.Scope{Models: 2, Extracted: 2, Incomplete: f.incomplete}, true)
	want := "\nextracted in part:\n  memset: the engine fails on some paths of its model: TypeError: no; KeyError: 1\n\nmodels"
	if len(f.runs) != 2 || !strings.HasPrefix(text, want) {
		t.Errorf("%d models, %s", len(f.runs), text)
	}
}

// TestDeclarations checks that functions without a prototype of the engine get parallax's, and any
// function the user's. A function of a variable number of arguments gets one with a format.
func TestDeclarations(t *testing.T) {
	listed := []extract.Listed{{Function: "strtoul", Reason: "the engine has no prototype of it"}, {Function: "strchr", Prototype: "char *strchr(char *, int)"}, {Function: "odd"},
		{Function: "sscanf", Prototype: "int sscanf(char *, char *, ...)", Reason: "variadic"}}
	const strtoul, sscanf = "unsigned long strtoul(char *string, char **tail, int base);", "int sscanf(char *text, char *format, int *number);"
	for _, test := range []struct {
		flags []string
		want  map[string]string
		err   string
	}{
		{nil, map[string]string{"strtoul": strtoul, "sscanf": sscanf}, ""},
		{[]string{"int odd(int)", "char *strchr(void *, int)", "int sscanf(char *, char *)"}, map[string]string{"strtoul": strtoul, "odd": "int odd(int)", "strchr": "char *strchr(void *, int)", "sscanf": "int sscanf(char *, char *)"}, ""},
		{[]string{"int"}, nil, `--prototype "int" declares no function`},
		{[]string{"int strlen(char *)"}, nil, `--prototype "int strlen(char *)" declares strlen, which is not among the functions that are checked`},
	} {
		f := &checking{name: "angr"}
		f.Declared = test.flags
		declared, err := f.declarations(listed)
		var got map[string]string
		for name, d := range declared {
			if got == nil {
				got = map[string]string{}
			}
			if got[name] = d.Text; (d.Held != nil) != (d.Text == sscanf) {
				t.Errorf("%q: %s holds %v", test.flags, name, d.Held)
			}
		}
		if !maps.Equal(got, test.want) || (err == nil) != (test.err == "") || err != nil && !strings.HasPrefix(err.Error(), test.err) {
			t.Errorf("%q: %v, %v", test.flags, got, err)
		}
	}
}

// TestUnheard checks that a flag is refused if it concerns no checked model, with the remedy.
func TestUnheard(t *testing.T) {
	for _, test := range []struct {
		flag  string
		kinds []string
		want  string
	}{
		{"elements", []string{ofStub}, "--elements says nothing of models in C, but of models of C functions from an engine, models of Python's methods from an engine, formulas beside PHP: " +
			"leave it out; the key elements of [[model.parameter]] says how many a buffer has"},
		{"proofs", []string{ofGo, ofNode}, "--proofs says nothing of Go functions and models in JavaScript, but of models of C functions from an engine, models in SMT-LIB, models in C: leave it out"},
		{"compare-results", []string{ofPHP}, "the key compare of the configuration says how results are compared"},
		{"base", []string{ofSMT}, "--base says nothing of models in SMT-LIB"},
		{"samples", []string{ofGoType}, "--samples says nothing of Go types"},
		{"threshold", []string{ofGoType}, "the key unsupported of the configuration says what a type leaves out"},
		{"samples", []string{ofGoType, ofSMT}, ""}, // it is for one of them
		{"threshold", []string{ofNode}, ""},
		{"elements", []string{ofPHP}, ""},
		{"confirm", []string{ofEngine}, ""},
		{"seed", []string{ofGo}, ""},
	} {
		err := unheard(func(flag string) bool { return flag == test.flag }, test.kinds)
		if (err == nil) != (test.want == "") || err != nil && (exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("--%s for %v: %v", test.flag, test.kinds, err)
		}
	}
	file := &config.Models{List: []config.Model{{Go: &config.GoModel{}}, {Go: &config.GoModel{Type: true}}, {Node: &node.Model{}}, {Beside: &dynamic.Function{}}, {SMT: "f.smt2"}, {}, {}}}
	if got := kindsOf("", file); !slices.Equal(got, []string{ofGo, ofGoType, ofNode, ofPHP, ofSMT, ofStub}) {
		t.Errorf("kinds are %q", got)
	}
	if got := append(kindsOf("angr", nil), kindsOf("crosshair", nil)...); !slices.Equal(got, []string{ofEngine, ofValues}) {
		t.Errorf("kinds of engines are %q", got)
	}
}

// TestDone checks that the solvers and drivers of a model end when its turn is over.
func TestDone(t *testing.T) {
	f := &checking{}
	f.Campaign.Budget.Inputs = 1
	ended := 0
	for range 3 {
		f.runs = append(f.runs, fuzzing.Run{Done: f.release, Build: func(*campaign.Options) (subject.Target, error) {
			if len(f.needed) > 0 {
				t.Errorf("%d were not ended", len(f.needed))
			}
			f.needed = append(f.needed, func() { ended++ })
			return nil, errLeftOut
		}})
	}
	f.TakeTurns(t.Context(), nil, f.runs, ui.New(io.Discard, "none", nil))
	if ended != 3 {
		t.Errorf("%d of 3 were ended", ended)
	}
}

// TestSamplingTold checks that the messages of sampling end with the number of samples. If sampling
// was quick, they have no number, however long earlier steps took.
func TestSamplingTold(t *testing.T) {
	for _, test := range []struct {
		each time.Duration // of a call
		want string
	}{
		{time.Second, ""},
		{2 * time.Second, "x: 3 of 5 calls sampled; x: 5 of 5 calls sampled"},
	} {
		var told []string
		now := time.Unix(1000, 0)
		s := sampling{step: func(text string) { told = append(told, text) }, text: "x", now: func() time.Time { return now }}
		now = now.Add(time.Hour)
		for i := range 5 {
			s.before(i, 5)
			now = now.Add(test.each)
		}
		s.end()
		if got := strings.Join(told, "; "); got != test.want {
			t.Errorf("%v a call: %q", test.each, got)
		}
	}
}

// TestLapses checks that a crash of the original is no crash of the model. For two types, the model
// is the first program.
func TestLapses(t *testing.T) {
	fine, crash := wire.RunResult{Outcome: uint64(oracle.Accepted)}, wire.RunResult{Outcome: uint64(oracle.Crashed)}
	for _, test := range []struct {
		results         []wire.RunResult
		types, original bool
	}{
		{[]wire.RunResult{crash, fine}, false, true},
		{[]wire.RunResult{fine, crash}, false, false},
		{[]wire.RunResult{crash, fine}, true, false},
		{[]wire.RunResult{fine, crash}, true, true},
		{[]wire.RunResult{crash, crash}, true, true},
		{nil, true, false},
	} {
		if got := lapses(test.results, test.types); got != test.original {
			t.Errorf("%+v: %v", test, got)
		}
	}
}
