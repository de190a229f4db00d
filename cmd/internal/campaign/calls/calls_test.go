package calls

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/process/execute/workertest"
	"parallax/cmd/internal/subject"
	"parallax/internal/input"
)

func TestMain(m *testing.M) { workertest.Main(m) }

// victim is a target of the programs of workertest. They call functions through pointers in the
// block that through names.
type victim struct {
	subject.Target
	facts   *subject.Facts
	spec    execute.Spec
	through int
}

func (v *victim) About() *subject.Facts              { return v.facts }
func (v *victim) Spec(*subject.Options) execute.Spec { return v.spec }

// newVictim returns the programs with a table as compilers of C make it. It has symbols and calls
// by name, and marks the block with a call through a pointer.
func newVictim(t *testing.T) *victim {
	t.Helper()
	table := workertest.Table(t)
	v := &victim{through: -1}
	for i := range table.Funcs {
		f := &table.Funcs[i]
		f.Symbol = f.Name[strings.LastIndexByte(f.Name, '.')+1:]
		switch f.Symbol {
		case "A", "B":
			f.Symbol = "LLVMFuzzer" + f.Symbol // the runtime calls these
			table.Blocks[f.First].Calls = []string{"program"}
		case "program":
			v.through = f.First + 1
			table.Blocks[f.First+f.Count-1].Calls = []string{"misbehave"}
		case "strict":
			table.Blocks[f.First].Calls = []string{"tooLarge"}
		}
	}
	if v.through < 0 {
		t.Fatal("there is no function program")
	}
	table.Blocks[v.through].Indirect = true
	space := &flow.Space{}
	space.Add(table, 0, 1)
	v.facts = &subject.Facts{Plan: &gobuild.Plan{}, Names: []string{"a", "b"}, Shape: input.Shape{input.Bytes}, Space: space}
	v.spec = execute.Spec{Binary: workertest.Build(t, true), Dir: t.TempDir(), MaxFlat: 4096, Timeout: time.Minute, Memory: 2 << 30}
	return v
}

// called returns the names of the functions that the block calls, in order.
func (v *victim) called() string {
	var names []string
	v.facts.Space.Functions(func(_ *flow.Table, f flow.Func, first int) {
		if slices.Contains(v.facts.Space.Calls().Callees(v.through), first) {
			names = append(names, f.Symbol)
		}
	})
	return strings.Join(names, " ")
}

// TestSee checks that calls through pointers are those that inputs show, and that calls by name do
// not count.
func TestSee(t *testing.T) {
	seeds := t.TempDir()
	if err := os.WriteFile(filepath.Join(seeds, "large"), []byte("300"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		inputs []string
		want   string
	}{
		{"a call through a pointer", []string{"12"}, "lenient strict"},
		{"a call by name", []string{"a:echo"}, ""},
		{"a call by name first", []string{"a:echo", "12"}, "lenient strict"},
		{"seeds, which also call by name", nil, "lenient strict"},
		{"too many inputs", append(slices.Repeat([]string{"none:"}, mostSeen), "12"), ""},
	} {
		v := newVictim(t)
		if v.called() != "" {
			t.Fatalf("%s: the table has the calls of %s", test.name, v.called())
		}
		var inputs [][]byte
		for _, in := range test.inputs {
			inputs = append(inputs, []byte(in))
		}
		if err := See(t.Context(), v, &subject.Options{Seeds: []string{seeds}}, inputs); err != nil || v.called() != test.want {
			t.Errorf("%s: %q, %v, want %q", test.name, v.called(), err, test.want)
		}
	}
}

// TestSeeErrors checks that seeds that cannot be read are an error, and the end of the context is.
func TestSeeErrors(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		ctx    context.Context
		seeds  string
		inputs [][]byte
	}{
		"no folder of seeds": {t.Context(), filepath.Join(t.TempDir(), "none"), nil},
		"canceled":           {canceled, t.TempDir(), [][]byte{[]byte("12")}},
	} {
		v := newVictim(t)
		if err := See(test.ctx, v, &subject.Options{Seeds: []string{test.seeds}}, test.inputs); err == nil || v.called() != "" {
			t.Errorf("%s: %q, %v", name, v.called(), err)
		}
	}
}
