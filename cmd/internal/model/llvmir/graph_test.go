package llvmir

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const nested = `define i32 @f(i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i2, %next ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %inner, label %done
inner:
  %j = phi i32 [ 0, %outer ], [ %j2, %inner ]
  %j2 = add i32 %j, 1
  %d = icmp ult i32 %j2, %i
  br i1 %d, label %inner, label %next
next:
  %i2 = add i32 %i, 1
  br label %outer
lost:
  br label %done
done:
  ret i32 %i
}
`

func TestGraph(t *testing.T) {
	m := linkText(t, nested)
	g := NewGraph(m.Function("f"))
	if got := fmt.Sprint(g.Idom); got != "[-1 0 1 2 -1 1]" {
		t.Errorf("the dominators are %s", got)
	}
	if got := fmt.Sprint(g.Loops); got != "[{1 [1 2 3] [3]} {2 [2] [2]}]" {
		t.Errorf("the loops are %s", got)
	}
	if got := fmt.Sprint(g.Preds); got != "[[] [0 3] [1 2] [2] [] [1]]" {
		t.Errorf("the predecessors are %s", got)
	}
	if g.Reached(4) || !g.Reached(5) || !g.Dominates(1, 5) || g.Dominates(2, 5) {
		t.Error("what is reached, or what dominates, is wrong")
	}
}

// TestDominators compares the dominators of random graphs with the definition: without a, b is
// unreachable.
func TestDominators(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 2 + r.IntN(10)
		f := &Function{}
		for i := range n {
			in := &Instr{Op: OpSwitch}
			for range r.IntN(4) {
				in.Blocks = append(in.Blocks, 1+r.IntN(n-1))
			}
			f.Blocks = append(f.Blocks, &Block{Index: i, Instrs: []*Instr{in}})
		}
		g := NewGraph(f)
		for a := range n {
			seen := map[int]bool{}
			work := []int{0}
			for len(work) > 0 {
				b := work[len(work)-1]
				work = work[:len(work)-1]
				if b != a && !seen[b] {
					seen[b] = true
					work = append(work, f.Blocks[b].Successors()...)
				}
			}
			for b := range n {
				if g.Reached(b) && g.Dominates(a, b) == seen[b] {
					t.Fatalf("of %v: does %d dominate %d?", g.Succs, a, b)
				}
			}
		}
	}
}

// TestPromote checks that no local scalar of musl's functions stays in memory unless its address is
// taken, and that blocks do not change.
func TestPromote(t *testing.T) {
	m := readMusl(t)
	left := map[string]int{}
	for _, f := range m.Functions() {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if in.Op == OpAlloca && in.Source.scalar() {
					left[f.Name]++
				}
			}
		}
	}
	if len(left) > 0 {
		t.Errorf("in memory are variables of %v", left)
	}
	text, err := os.ReadFile("musl/string.ll")
	if err != nil {
		t.Fatal(err)
	}
	phis := 0
	f := m.Function("strcmp")
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if in.Op == OpPhi {
				phis++
				if len(in.Args) != len(NewGraph(f).Preds[b.Index]) {
					t.Errorf("line %d: phi has %d values", in.Line, len(in.Args))
				}
			}
		}
	}
	if phis != 3 { // both pointers, and the value of the condition
		t.Errorf("strcmp has %d phis", phis)
	}
	from := strings.Index(string(text), "@strcmp(")
	if labels := strings.Count(string(text)[from:from+strings.Index(string(text)[from:], "\n}")], "; preds"); labels+1 != len(f.Blocks) {
		t.Errorf("strcmp has %d blocks, and %d labels", len(f.Blocks), labels)
	}
}

// TestClang checks that IR with the flags of the package comment, with and without optimization, is
// parsed completely.
func TestClang(t *testing.T) {
	const source = `
struct s { char a; long b; short c[3]; };
static const struct s table[] = {{1, -2, {3, 4, 5}}, {'x', 1L << 40, {6}}};
static int hidden(const char *p, unsigned n) { int sum = 0; while (n--) sum = sum * 31 + *p++; return sum; }
long f(const char *p, unsigned n, int i) {
	long local[4] = {1, 2, 3, 4};
	switch (i) { case 0: return table[n & 1].b; case 1: return hidden(p, n); case 2: return __builtin_popcount(n) + __builtin_bswap32(n); }
	return local[i & 3] + (n > 3 ? table[1].c[n % 3] : p[0] == 'a' && p[1] == 'b');
}
`
	var want []uint64
	for _, level := range []string{"-O0", "-O1", "-O2"} {
		args := []string{level, "-g", "-S", "-emit-llvm", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-x", "c", "-o", "-", "-"}
		if level == "-O0" {
			args = append(args, "-Xclang", "-disable-O0-optnone")
		}
		cmd := exec.Command("clang-19", args...)
		cmd.Stdin = strings.NewReader(source)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal("clang-19:", err)
		}
		m := linkText(t, string(out))
		machine := NewMachine(m)
		var got []uint64
		for i := range 9 {
			machine.Reset()
			r, err := machine.Call(m.Function("f"), machine.Object("p", []byte("abxyz"), 0), 5, uint64(i))
			if err != nil {
				t.Fatal(level, err)
			}
			got = append(got, r.Values...)
			if r.Outcome != Returned {
				t.Fatal(level, r)
			}
		}
		if want == nil {
			want = got
		} else if !slices.Equal(got, want) {
			t.Errorf("%s gives %v, and -O0 %v", level, got, want)
		}
	}
}
