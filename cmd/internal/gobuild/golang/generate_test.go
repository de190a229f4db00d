package golang

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A generator writes random functions with every construct that the builder supports. They always
// end: ok() counts down, and every loop calls it.
type generator struct {
	r   *rand.Rand
	out strings.Builder
	n   int // labels so far
	scope
}

// A scope holds the labels that jumps may name inside one function.
type scope struct {
	gotos  []string // labels a goto may name here
	loops  []string // labeled loops around
	breaks []string // labeled statements around that are not loops
	inLoop int
}

func generate(seed uint64, functions int) (source string) {
	g := &generator{r: rand.New(rand.NewPCG(seed, 1))}
	for i := range functions {
		fmt.Fprintf(&g.out, "func F%d() (r int) {\n", i)
		g.function(3)
		g.out.WriteString("return\n}\n")
	}
	return g.out.String()
}

// function writes the statements of a function body, with labels at its top level for gotos in both
// directions.
func (g *generator) function(depth int) {
	saved := g.scope
	g.scope = scope{}
	for range g.r.IntN(3) {
		g.n++
		g.gotos = append(g.gotos, fmt.Sprintf("L%d", g.n))
	}
	for _, l := range g.gotos {
		g.line("if ok() && c() { goto %s }", l)
	}
	labels := g.gotos
	for _, l := range labels {
		g.list(depth)
		switch g.r.IntN(4) {
		case 0:
			g.line("%s:\n for ok() && c() {", l)
			g.inLoop++
			g.list(depth - 1)
			g.inLoop--
			g.line("}")
		case 1:
			g.line("%s: r++", l)
		case 2:
			g.line("%s: { r += b2i(c() || c()) }", l)
		default:
			g.line("%s:", l)
		}
		g.list(depth)
	}
	g.list(depth)
	g.scope = saved
}

func (g *generator) line(format string, args ...any) { fmt.Fprintf(&g.out, format+"\n", args...) }

func (g *generator) list(depth int) {
	for range g.r.IntN(4) {
		g.statement(depth)
	}
}

// cond writes a condition with short circuits.
func (g *generator) cond(depth int) string {
	switch k := g.r.IntN(6); {
	case depth > 0 && k == 0:
		return g.cond(depth-1) + " && " + g.cond(depth-1)
	case depth > 0 && k == 1:
		return "(" + g.cond(depth-1) + " || " + g.cond(depth-1) + ")"
	case depth > 0 && k == 2:
		return "!(" + g.cond(depth-1) + ")"
	case depth > 0 && k == 3:
		return "(b2i(" + g.cond(depth-1) + ") == b2i(" + g.cond(depth-1) + "))"
	}
	return "c()"
}

func (g *generator) statement(depth int) {
	if depth <= 0 {
		g.line("r += b2i(%s)", g.cond(1))
		return
	}
	g.n++
	label := fmt.Sprintf("S%d", g.n)
	nest := func(list *[]string, loop int) {
		*list = append(*list, label)
		g.inLoop += loop
		g.list(depth - 1)
		g.inLoop -= loop
		*list = (*list)[:len(*list)-1]
	}
	switch g.r.IntN(17) {
	case 0, 1:
		g.line("if %s {", g.cond(2))
		g.list(depth - 1)
		g.line("}")
	case 2:
		g.line("if x := c(); x || %s {", g.cond(1))
		g.list(depth - 1)
		g.line("} else if %s {", g.cond(1))
		g.list(depth - 1)
		g.line("} else {")
		g.list(depth - 1)
		g.line("}")
	case 3:
		g.line("%s: for i := 0; ok() && (%s); i += b2i(%s) {\n if c() && c() && c() { continue %s }", label, g.cond(1), g.cond(1), label)
		nest(&g.loops, 1)
		g.line("}")
	case 4:
		g.line("%s: for { if !ok() { break %s }", label, label)
		nest(&g.loops, 1)
		g.line("if c() { break }\n}")
	case 5:
		seq := []string{"3", "[]int{1, 2, 3}", "seq(4)", "map[int]int{1: 2}"}[g.r.IntN(4)]
		g.line("%s: for x := range %s { r += x\n if !ok() || c() && c() { break %s }", label, seq, label)
		nest(&g.loops, 1)
		g.line("}")
	case 6:
		g.line("%s: switch { case %s: if c() { break %s }", label, g.cond(2), label)
		nest(&g.breaks, 0)
		g.line("case %s, %s:", g.cond(1), g.cond(1))
		nest(&g.breaks, 0)
		g.line("}")
	case 7:
		g.line("switch n(4) { case 0:")
		g.list(depth - 1)
		g.line("fallthrough\ncase 1, b2i(%s):", g.cond(1))
		g.list(depth - 1)
		g.line("default:")
		g.list(depth - 1)
		g.line("fallthrough\ncase 2:")
		g.list(depth - 1)
		g.line("}")
	case 8:
		g.line("switch x := dyn().(type) { case int: r += x; if c() { break }")
		g.list(depth - 1)
		g.line("case string, nil:")
		g.list(depth - 1)
		g.line("}")
	case 9:
		g.line("select { case <-closed:\n if c() { break }")
		g.list(depth - 1)
		g.line("case x := <-closed: r += x")
		g.list(depth - 1)
		g.line("}")
	case 10:
		g.line("select { case full <- b2i(%s):\n default:", g.cond(1))
		g.list(depth - 1)
		g.line("}")
	case 11:
		g.line("r += func() (r int) {")
		g.function(depth - 1)
		g.line("return }()")
	case 12:
		g.line("defer func(b bool) { if b { r++ } }(%s)", g.cond(1))
	case 13:
		if g.r.IntN(3) == 0 {
			g.line("if %s { return %d }", g.cond(0), g.r.IntN(9))
		}
	case 14:
		if len(g.gotos) > 0 {
			g.line("if ok() && %s { goto %s }", g.cond(0), g.gotos[g.r.IntN(len(g.gotos))])
		}
	case 15:
		if g.inLoop > 0 {
			word := []string{"break", "continue"}[g.r.IntN(2)]
			if len(g.loops) > 0 && g.r.IntN(2) == 0 {
				word += " " + g.loops[g.r.IntN(len(g.loops))]
			}
			g.line("if ok() && c() { %s }", word)
		}
	default:
		g.line("{")
		g.list(depth - 1)
		g.line("}")
	}
}

// generatedProlog declares the functions that generated code calls.
const generatedProlog = `package p

var state, fuel uint64 = 1, 0

func Start(seed uint64) { state, fuel = seed*0x9e3779b97f4a7c15+1, 40 }

func rnd() uint64 { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state >> 20 }

func c() bool { return rnd()%2 == 0 }

func n(k int) int { return int(rnd() % uint64(k)) }

func ok() bool {
	if fuel == 0 {
		return false
	}
	fuel--
	return true
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func seq(k int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < k && yield(i); i++ {
		}
	}
}

func dyn() any { return []any{nil, 1, "", 2.0}[n(4)] }

var closed = func() chan int { c := make(chan int); close(c); return c }()

var full chan int
`
