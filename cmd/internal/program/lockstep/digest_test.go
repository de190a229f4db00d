package lockstep

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/process/execute/workertest"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/command"
	"parallax/cmd/internal/subject/kinds"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// follow follows instructions in its input: "reject why", "crash how". It accepts all other inputs
// with the input as value.
func follow(_ context.Context, in []byte, o *program.Observation) error {
	what, text, _ := strings.Cut(string(in), " ")
	switch what {
	case "reject":
		o.Outcome, o.Message = oracle.Rejected, text
	case "crash":
		o.Outcome, o.Message = oracle.Crashed, text
	case "decline":
		o.Outcome = oracle.Declined
	default:
		o.Outcome, o.Value = oracle.Accepted, append(o.Value, in...)
	}
	return nil
}

func speaker() program.Executor { return &scripted{batch: 64, run: follow} }

// filter returns a command that transforms standard input.
func filter(t *testing.T, script string) *External {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	limits := limits.Limits{Timeout: time.Minute}
	return &External{Limits: limits, Kind: "command", Settings: settings(t, command.Config{
		Name: "filter", Args: []string{"sh", "-c", script}, Env: os.Environ(), Limits: limits, Sandbox: confine.Options{Tool: self, Limits: limits, Dir: t.TempDir()},
	})}
}

// TestNormalForms checks that values are compared and reported in their normal forms, first by a
// program's own steps and then by those of all programs.
func TestNormalForms(t *testing.T) {
	spec := victims(t, "b")
	spec.Programs = []Program{{Name: "plain"}, {Name: "steps", Normalize: []Step{
		{Builtin: "trim"}, {Replace: `(\w+)=(\w+)`, With: "$2=$1"}, {External: filter(t, "tr a-z A-Z; test $(wc -c </dev/stdin) = 0")}, {Builtin: "case"},
		// Program b of package workertest is a Go function that accepts small numbers without a
		// value, and "echo" with the input.
		{External: &External{Kind: "go", Settings: workerOf(t, 1, 0, workertest.Build(t, false)), Limits: limits.Limits{Timeout: time.Minute, Memory: 1 << 30}}},
	}}}
	c := processOf(t, spec, speaker(), speaker())
	inputs := []string{" key=value\n", "12", "300", "b:echo", "", "reject  x=y ", "crash  x=y "}
	forms := []string{"value=key", "", "300", "b:echo", "", "", ""}
	all := runAll(t, c, inputs...)
	details, err := c.Detail(flats(inputs...), wire.WantDetail)
	if err != nil {
		t.Fatal(err)
	}
	for i, in := range inputs {
		plain, steps := all[i].Obs[0], all[i].Obs[1]
		if plain.Outcome != steps.Outcome || plain.Class != steps.Class {
			t.Errorf("%q: %+v, %+v", in, plain, steps)
		}
		if plain.Outcome != oracle.Accepted {
			continue
		}
		if steps.Value != hash(forms[i]) || details[i][1].Rendered != forms[i] || details[i][1].Value != steps.Value {
			t.Errorf("%q: value %x, in detail %q of value %x, want %q", in, steps.Value, details[i][1].Rendered, details[i][1].Value, forms[i])
		}
		if plain.Value != hash(in) || details[i][0].Rendered != in {
			t.Errorf("%q without steps: value %x, in detail %q", in, plain.Value, details[i][0].Rendered)
		}
	}
}

// TestClasses checks that the first matching class for the program counts. Other messages have the
// class of their text.
func TestClasses(t *testing.T) {
	spec := &Spec{Values: true, Text: true, Programs: []Program{{Name: "a"}, {Name: "b"}}, Classes: []Class{
		{Name: "end", Match: []string{"^EOF", "unexpected end"}},
		{Name: "depth", Match: []string{"nested"}, Programs: []string{"b"}},
		{Name: "end again", Match: []string{"EOF"}},
	}}
	c := processOf(t, spec, speaker(), speaker())
	messages := []string{"EOF", "an unexpected end", "no EOF", "nested 7 deep", "nested 8 deep", "other 'x'", "other 'y'"}
	var inputs []string
	for _, m := range messages {
		inputs = append(inputs, "reject "+m)
	}
	for range 2 { // classes of messages are remembered
		all := runAll(t, c, inputs...)
		details, err := c.Detail(flats(inputs...), wire.WantDetail)
		if err != nil {
			t.Fatal(err)
		}
		for p, want := range [][]string{
			{"end", "end", "end again", oracle.MessageClass("nested 7 deep"), oracle.MessageClass("nested 8 deep"), oracle.MessageClass("other 'x'"), oracle.MessageClass("other 'y'")},
			{"end", "end", "end again", "depth", "depth", oracle.MessageClass("other 'x'"), oracle.MessageClass("other 'y'")},
		} {
			for i, class := range want {
				if got := all[i].Obs[p].Class; got != hash(class) || details[i][p].Class != got || details[i][p].ErrorClass != class || details[i][p].Error != messages[i] {
					t.Errorf("%q, program %d: class %x, in detail %q, want %q", messages[i], p, got, details[i][p].ErrorClass, class)
				}
			}
		}
	}
}

// TestCrashClasses checks that crashes share a class if their messages agree except for numbers,
// and their stacks agree if there are any.
func TestCrashClasses(t *testing.T) {
	c := processOf(t, &Spec{Values: true, Text: true, Programs: []Program{{Name: "a"}, {Name: "b"}}}, speaker(), speaker())
	all := runAll(t, c, "crash signal: aborted", "crash signal: aborted", "crash exit status 3, which is not listed")
	if x, y, z := all[0].Obs[0].Class, all[1].Obs[1].Class, all[2].Obs[0].Class; x == 0 || x != y || x == z {
		t.Errorf("classes %x, %x, %x", x, y, z)
	}
}

// TestVerdictsAlone checks that without texts, programs are compared by verdicts alone.
func TestVerdictsAlone(t *testing.T) {
	c := processOf(t, &Spec{Text: true, Programs: []Program{{Name: "a"}, {Name: "b"}}}, speaker(), speaker())
	all := runAll(t, c, "1", "2", "decline x")
	if all[0].Obs[0] != all[1].Obs[1] || all[0].Obs[0].Value != 0 {
		t.Errorf("%+v, %+v", all[0].Obs[0], all[1].Obs[1])
	}
	if all[2].Obs[0].Outcome != oracle.Declined {
		t.Errorf("%+v", all[2].Obs[0])
	}
}

// TestRepair checks that the repair function changes an input, unless it does not accept it.
func TestRepair(t *testing.T) {
	c := processOf(t, &Spec{Programs: []Program{{Name: "a"}, {Name: "b"}}}, speaker(), speaker())
	var err error
	if c.repair, err = c.openExternal("the repair function", filter(t, `read x; case "$x" in no*) exit 1;; *) printf "<%s>" "$x";; esac`)); err != nil {
		t.Fatal(err)
	}
	got, ok, err := c.Repair(flats("a\n", "no\n", "\n"))
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	for i, want := range []string{"<a>", "nil", "<>"} {
		if g := string(got[i]); g != want && (got[i] != nil || want != "nil") {
			t.Errorf("input %d becomes %q, want %s", i, got[i], want)
		}
	}
	c.Stop()
	if _, ok, err = c.Repair(flats("a")); ok || err != nil {
		t.Errorf("after Stop: %v, %v", ok, err)
	}
}

// TestOpenFails checks that a program that cannot be opened is reported, and everything opened
// before is closed.
func TestOpenFails(t *testing.T) {
	for _, spec := range []*Spec{
		{Shape: "([]byte)", Programs: []Program{{Name: "a", Kind: "command", Settings: filter(t, "true").Settings}, {Name: "b"}}},
		{Shape: "([]byte)", Programs: []Program{{Name: "a", Kind: "command", Settings: filter(t, "true").Settings}}, Repair: &External{}},
		{Shape: "([]byte)", Programs: []Program{{Name: "a", Kind: "command", Settings: filter(t, "true").Settings, Normalize: []Step{{Replace: "("}}}}},
		{Shape: "(thing)"},
	} {
		if c, err := open(context.Background(), spec, kinds.Table); err == nil {
			c.close()
			t.Errorf("%+v is opened", spec)
		}
	}
}
