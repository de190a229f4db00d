package clang

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
)

// traced holds flags with which a program prints the blocks that it executes, in order. The graph
// is the fast variant's.
var traced = []string{"-gline-tables-only", "-fsanitize-coverage=trace-pc-guard,pc-table,control-flow"}

func tableOf(t *testing.T, program string) *flow.Table {
	t.Helper()
	table, err := buildTable(program)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// languages maps languages to the test programs in them.
var languages = map[string][]string{"c": {"flow.c", "other.c"}, "c++": {"flow.cc"}}

// eachBuild runs a test on each language at each level of optimization.
func eachBuild(t *testing.T, test func(t *testing.T, level string, sources []string)) {
	for language, sources := range languages {
		for _, level := range []string{"-O0", "-O1", "-O2"} {
			if language == "c++" && level == "-O1" {
				continue // they take long to compile
			}
			t.Run(language+level, func(t *testing.T) {
				t.Parallel()
				test(t, level, sources)
			})
		}
	}
}

func TestTableInvariants(t *testing.T) {
	eachBuild(t, func(t *testing.T, level string, sources []string) {
		table := tableOf(t, tableProgram(t, append([]string{level, "-no-pie"}, Fast.compileFlags()...), sources...))
		checkTable(t, table)
		relocated := tableOf(t, tableProgram(t, append([]string{level, "-pie", "-fPIE"}, Fast.compileFlags()...), sources...))
		checkTable(t, relocated)
		if a, b := shape(table), shape(relocated); a != b {
			x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
			for i := range min(len(x), len(y)) {
				if x[i] != y[i] {
					t.Errorf("not position-independent: %s\n    position-independent: %s", x[i], y[i])
				}
			}
		}
	})
}

// TestTableOfLinks checks that the table does not depend on the link's options.
func TestTableOfLinks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many times")
	}
	flags := append([]string{"-O1", "-fPIE"}, Fast.compileFlags()...)
	want := shape(tableOf(t, tableProgram(t, append([]string{"-O1", "-pie", "-fPIE"}, Fast.compileFlags()...), languages["c"]...)))
	for _, more := range [][]string{
		{"-static"}, {"-pie", "-Wl,-z,pack-relative-relocs"}, {"-no-pie", "-ffunction-sections", "-Wl,--gc-sections"}, {"-no-pie", "-g", "-gz"},
		{"-no-pie", "-gdwarf-4"}, {"-no-pie", "-Wl,--emit-relocs"},
	} {
		table := tableOf(t, tableProgram(t, append(slices.Clone(flags), more...), languages["c"]...))
		checkTable(t, table)
		if shape(table) != want {
			t.Errorf("with %v the table is another", more)
		}
	}
}

// shape formats the parts of a table that do not depend on position independence.
func shape(t *flow.Table) string {
	var s strings.Builder
	for _, f := range t.Funcs {
		fmt.Fprintln(&s, f.Name, f.Line, f.First, f.Count)
	}
	for _, b := range t.Blocks {
		// Undefined weak symbols have names in position-independent programs only.
		calls := slices.DeleteFunc(slices.Clone(b.Calls), func(c string) bool { return strings.HasPrefix(c, "nobody") })
		fmt.Fprintln(&s, b.ID, b.Func, b.Kind, b.Line, b.Col, b.Cond, b.Succs, b.Exit, b.Indirect, calls)
	}
	return s.String()
}

func checkTable(t *testing.T, table *flow.Table) {
	t.Helper()
	next, removed, symbols := 0, 0, map[string]bool{}
	for i, f := range table.Funcs {
		made := strings.HasPrefix(f.Name, "_GLOBAL__") // by the compiler, from nothing
		if f.First != next || f.Count < 1 || f.Name == "" || !made && (f.Line == 0 || !filepath.IsAbs(f.File)) {
			t.Errorf("function %+v, want its blocks from %d on, and a place", f, next)
		}
		if symbols[f.Symbol] {
			t.Errorf("symbol %s twice", f.Symbol)
		}
		symbols[f.Symbol] = true
		next += f.Count
		for id := f.First; id < next; id++ {
			b := table.Blocks[id]
			if b.ID != id || b.Func != i || (b.Kind == flow.Entry) != (id == f.First) || b.Kind == 0 {
				t.Errorf("block %d of %s: %+v", id, f.Name, b)
			}
			if b.Kind == flow.Removed {
				removed++
				continue
			}
			if !made && (b.Line == 0 || !filepath.IsAbs(b.File) || b.EndLine < b.Line || b.Cond == 0) {
				t.Errorf("block %d of %s has no place: %+v", id, f.Name, b)
			}
			if !slices.IsSorted(b.Succs) || !slices.IsSorted(b.Calls) {
				t.Errorf("block %d of %s is not in order: %+v", id, f.Name, b)
			}
			for _, s := range b.Succs {
				if s < f.First || s >= f.First+f.Count {
					t.Errorf("block %d of %s leads out of its function: %v", id, f.Name, b.Succs)
				}
			}
			for _, c := range b.Calls {
				if strings.HasPrefix(c, "0x") {
					t.Errorf("block %d of %s calls %s", id, f.Name, c)
				}
			}
		}
		for id, reached := range reachable(table, f) {
			if !reached && table.Blocks[f.First+id].Kind != flow.Removed {
				t.Errorf("block %d of %s is not reached: %+v", f.First+id, f.Name, table.Blocks[f.First+id])
			}
		}
	}
	if next != len(table.Blocks) {
		t.Errorf("%d of %d blocks are in functions", next, len(table.Blocks))
	}
	covered := map[int]bool{}
	for _, f := range table.Files {
		for _, l := range f.Lines {
			if len(l.Blocks) == 0 || !slices.IsSorted(l.Blocks) {
				t.Errorf("%s:%d has the blocks %v", f.Path, l.Line, l.Blocks)
			}
			for _, id := range l.Blocks {
				covered[id] = true
			}
		}
	}
	if len(covered) < len(table.Blocks)*9/10 || removed > len(table.Blocks)/50 {
		t.Errorf("of %d blocks %d have lines and %d are removed", len(table.Blocks), len(covered), removed)
	}
	again, err := flow.Decode(flow.Encode(table))
	if err != nil || !reflect.DeepEqual(again, table) {
		t.Errorf("read again it is another table (%v)", err)
	}
}

func reachable(table *flow.Table, f flow.Func) []bool {
	reached := make([]bool, f.Count)
	reached[0] = true
	for stack := []int{f.First}; len(stack) > 0; {
		b := table.Blocks[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		for _, s := range b.Succs {
			if !reached[s-f.First] {
				reached[s-f.First] = true
				stack = append(stack, s)
			}
		}
	}
	return reached
}

// TestTableHoldsWhatRuns checks executions against the graph. Consecutive blocks of a function are
// an edge. Each function that begins was called by the block before. A function returns only where
// it can end.
func TestTableHoldsWhatRuns(t *testing.T) {
	eachBuild(t, func(t *testing.T, level string, sources []string) {
		program := tableProgram(t, append([]string{level, "-no-pie"}, traced...), sources...)
		table := tableOf(t, program)
		trace := runTraced(t, program)
		if len(trace) < 100 {
			t.Fatalf("%d blocks were executed", len(trace))
		}
		edges := walkTrace(t, table, trace)
		t.Logf("%d blocks executed, %d different edges of %d", len(trace), edges, allEdges(table))
	})
}

func runTraced(t *testing.T, program string) (trace []int) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "trace")
	c := exec.Command(program)
	c.Env = append(os.Environ(), "TRACE="+name)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for ; len(data) >= 4; data = data[4:] {
		trace = append(trace, int(binary.LittleEndian.Uint32(data)))
	}
	return trace
}

func allEdges(table *flow.Table) (n int) {
	for _, b := range table.Blocks {
		n += len(b.Succs)
	}
	return n
}

// walkTrace tracks the stack of running functions, as far as their blocks show it.
func walkTrace(t *testing.T, table *flow.Table, trace []int) (edges int) {
	t.Helper()
	seen := map[[2]int]bool{}
	var stack []int // the last block of each function that runs
	for i, id := range trace {
		b := table.Blocks[id]
		name := table.Funcs[b.Func].Name
		if b.Kind == flow.Entry {
			// Called by the innermost that calls it; those within have returned. From nowhere: by
			// main's caller, or a constructor.
			k := len(stack) - 1
			for ; k >= 0; k-- {
				last := table.Blocks[stack[k]]
				if slices.Contains(last.Calls, table.Funcs[b.Func].Symbol) || last.Indirect || callsBack(last) {
					break
				}
				if !last.Exit && !throws(last) {
					t.Fatalf("step %d: %s was called after block %d (%s:%d), which calls %v and does not return", i, name, last.ID, last.File, last.Line, last.Calls)
				}
			}
			stack = append(stack[:k+1], id)
			continue
		}
		k, jumped := len(stack)-1, false
		for ; k >= 0; k-- {
			last := table.Blocks[stack[k]]
			jumped = jumped || slices.Contains(last.Calls, "longjmp")
			if jumped && last.Func == b.Func {
				break // setjmp has returned again
			}
			if last.Func == b.Func && slices.Contains(last.Succs, id) {
				break
			}
			if !last.Exit && !throws(last) {
				t.Fatalf("step %d: block %d of %s (line %d) after block %d of %s (line %d), which leads to %v", i, id, name, b.Line,
					last.ID, table.Funcs[last.Func].Name, last.Line, last.Succs)
			}
		}
		if k < 0 {
			t.Fatalf("step %d: block %d of %s (line %d) comes from nowhere", i, id, name, b.Line)
		}
		if !jumped {
			seen[[2]int{stack[k], id}] = true
		}
		stack[k] = id
		stack = stack[:k+1]
	}
	return len(seen)
}

// callsBack reports whether a block calls a foreign function that may call a function of ours.
func callsBack(b flow.Block) bool {
	return slices.ContainsFunc(b.Calls, func(c string) bool {
		return c == "qsort" || c == "pthread_once" || strings.HasPrefix(c, "_ZNSt") || strings.HasPrefix(c, "_ZSt")
	})
}

// throws reports whether a block may leave its function otherwise than by returning.
func throws(b flow.Block) bool {
	return slices.ContainsFunc(b.Calls, func(c string) bool {
		return c == "longjmp" || strings.HasPrefix(c, "__cxa") || c == "_Unwind_Resume"
	})
}

// TestSameBlocks checks that the operands variant numbers the same blocks if the same functions are
// not built in. From -O2 on, built-in memcmp and strcmp change the control flow of their callers.
func TestSameBlocks(t *testing.T) {
	var first []string
	for _, c := range []struct {
		level, language string
	}{{"-O1", "c"}, {"-O2", "c"}, {"-O2", "c++"}} {
		a := tableProgram(t, append([]string{c.level, "-no-pie"}, Fast.compileFlags()...), languages[c.language]...)
		b := tableProgram(t, append([]string{c.level, "-no-pie"}, CmpLog.compileFlags()...), languages[c.language]...)
		if same, err := SameBlocks(a, b); !same || err != nil {
			t.Errorf("%v: the operands variant numbers other blocks (%v)", c, err)
		}
		first = append(first, a)
	}
	if same, err := SameBlocks(first[0], first[2]); same || err != nil {
		t.Errorf("two programs number the same blocks: %v, %v", same, err)
	}
	if _, err := SameBlocks(first[0], "/bin/true"); err == nil {
		t.Error("a program without counters has blocks")
	}
}
