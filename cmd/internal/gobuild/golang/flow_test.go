package golang

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
)

// reader returns a program that prints the counters of packages as JSON. It declares the counters
// under the packages' link names.
func reader(tables []*flow.Table) string {
	var b strings.Builder
	for i, t := range tables {
		fmt.Fprintf(&b, "//go:linkname cov%d %s.plxCov\nvar cov%d [%d]uint64\n", i, t.Package, i, len(t.Blocks))
	}
	b.WriteString("func dump() {\n_ = json.NewEncoder(os.Stdout).Encode([][]uint64{")
	for i := range tables {
		fmt.Fprintf(&b, "slices.Clone(cov%d[:]), ", i)
	}
	b.WriteString("})\n}\n")
	return b.String()
}

// measure builds and runs a program whose main file is text, and returns the tables and counts of
// packages. More are arguments of go build.
func measure(t *testing.T, m *module, text string, pkgs []string, more ...string) ([]*flow.Table, [][]uint64) {
	t.Helper()
	files := m.goFiles(pkgs...)
	var tables []*flow.Table
	for _, p := range pkgs {
		table, err := Analyze(p, files[p], Options{wide: true})
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, table)
	}
	m.write("main.go", text+reader(tables))
	// The linker's check prevents access to another package's variables by link name.
	binary := m.build(Options{wide: true}, pkgs, append(more, "-ldflags=-checklinkname=0")...)
	var counts [][]uint64
	if err := json.Unmarshal([]byte(m.run(binary)), &counts); err != nil {
		t.Fatal(err)
	}
	return tables, counts
}

// checkFlow checks every function of a table and returns how many were executed.
func checkFlow(t *testing.T, table *flow.Table, counts []uint64, strict bool) (executed int) {
	t.Helper()
	for _, f := range table.Funcs {
		if f.Name == "init" || counts[f.First] == 0 {
			continue
		}
		executed++
		if !conserved(f, table.Blocks, counts, strict) {
			t.Errorf("%s.%s (%s:%d): counts contradict the edges", table.Package, f.Name, f.File, f.Line)
			for _, b := range table.Blocks[f.First : f.First+f.Count] {
				t.Logf("  %d %v line %d: %d hits, succs %v, exit %v", b.ID, b.Kind, b.Line, counts[b.ID], b.Succs, b.Exit)
			}
		}
	}
	return executed
}

const mainImports = `package main

import (
	"encoding/json"
	"os"
	"slices"
	_ "unsafe"
%s
)
`

// TestFlowGenerated checks flow conservation on random functions that hold every construct.
func TestFlowGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles generated programs")
	}
	const functions = 60
	m := newModule(t, "go.mod", "module x\ngo 1.23\n", "p/p.go", generatedProlog+generate(1, functions))
	var calls strings.Builder
	for i := range functions {
		fmt.Fprintf(&calls, "p.Start(i); p.F%d()\n", i)
	}
	text := fmt.Sprintf(mainImports, `"x/p"`) +
		"func main() {\nfor i := uint64(0); i < 300; i++ {\n" + calls.String() + "}\ndump()\n}\n"
	// Such functions take the compiler long to optimize, which the counts do not depend on.
	tables, counts := measure(t, m, text, []string{"x/p"}, "-gcflags=x/p="+Flag(Options{wide: true})+" -N -l")
	if n := checkFlow(t, tables[0], counts[0], true); n < functions {
		t.Errorf("only %d functions ran", n)
	}

	t.Run("mutated", func(t *testing.T) { checkMutants(t, tables[0], counts[0]) })
}

// checkMutants removes edges whose two ends were executed, one at a time. Some are not missed, as
// another path explains the counts too; a checker or a graph too lax would hardly miss any.
func checkMutants(t *testing.T, table *flow.Table, counts []uint64) {
	edges, found := 0, 0
	for _, f := range table.Funcs {
		if f.Name == "init" || counts[f.First] == 0 {
			continue
		}
		for i := f.First; i < f.First+f.Count; i++ {
			b := &table.Blocks[i]
			all := b.Succs
			for k, s := range all {
				if counts[i] == 0 || counts[s] == 0 {
					continue
				}
				edges++
				b.Succs = slices.Delete(slices.Clone(all), k, k+1)
				if !conserved(f, table.Blocks, counts, true) {
					found++
				}
			}
			b.Succs = all
		}
	}
	t.Logf("%d of %d removed edges contradict the counts", found, edges)
	if found*2 < edges {
		t.Errorf("only %d of %d removed edges contradict the counts", found, edges)
	}
}

// TestFlowStd checks flow conservation on real code.
func TestFlowStd(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	pkgs := []string{"encoding/json", "x/strconv", "x/internal/strconv", "net/netip", "text/template/parse", "regexp/syntax"}
	m := newModule(t, "go.mod", "module x\ngo 1.23\n")
	// The runtime imports one of these packages. Instrumented in place, all of the standard library
	// would have to be recompiled.
	m.std("internal/strconv", strings.NewReplacer())
	m.std("strconv", strings.NewReplacer(`"internal/strconv"`, `"x/internal/strconv"`, `"internal/stringslite"`, `stringslite "strings"`, "//go:build compiler_bootstrap", ""), "bytealg.go")
	text := fmt.Sprintf(mainImports, `"math/rand/v2"; "x/strconv"; "net/netip"; "text/template/parse"; "regexp/syntax"; "bytes"`) + `
var seeds = []string{
	"{\"a\":[1,2.5e3,true,null,\"x\\u00e9\\n\"],\"b\":{\"c\":{}}}", "[[[]],{}]", "-0.001e-7", "123456789012345678901", "0x1p-4",
	"1.2.3.4", "::ffff:1.2.3.4%eth0", "fe80::1/64", "10.0.0.0/8",
	"{{range $i, $e := .X}}{{if and $i (eq $e 1)}}a{{else with .Y}}b{{end}}{{end}}{{/* c */}}{{template \"t\" .}}",
	"(?i)a+(b|c)*?[^x-z\\d]{2,5}$|\\pL(?P<n>\\x{10FFFF})", "'\\u1234'", "\"a\\tb\"", "Inf", "nan", "0b1_0",
}

type record struct {
	A []any          ` + "`json:\"a,omitempty\"`" + `
	B map[string]any ` + "`json:\"b\"`" + `
	C *record
	D json.Number
	E float64
	F [3]int
}

func main() {
	r := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < 20000; i++ {
		s := []byte(seeds[r.IntN(len(seeds))])
		for k := r.IntN(4); k > 0; k-- {
			o := seeds[r.IntN(len(seeds))]
			switch at := r.IntN(len(s) + 1); r.IntN(3) {
			case 0:
				s = append(append(slices.Clone(s[:at]), o[r.IntN(len(o)):]...), s[at:]...)
			case 1:
				if at < len(s) {
					s[at] = o[r.IntN(len(o))]
				}
			default:
				s = s[:at]
			}
		}
		run(s)
	}
	dump()
}

func run(s []byte) {
	var v any
	if json.Unmarshal(s, &v) == nil {
		_, _ = json.MarshalIndent(v, "", " ")
	}
	var rec record
	if json.Unmarshal(s, &rec) == nil {
		_, _ = json.Marshal(rec)
	}
	_ = json.Compact(new(bytes.Buffer), s)
	t := string(s)
	f, _ := strconv.ParseFloat(t, 64)
	_, _ = strconv.ParseFloat(t, 32)
	for _, bits := range []int{32, 64} {
		_ = strconv.FormatFloat(f, "efgEGxXb"[len(s)%8], len(s)%25-1, bits)
		_ = strconv.FormatFloat(f, "efg"[len(s)%3], -1, bits)
	}
	c, _ := strconv.ParseComplex(t, 128)
	_ = strconv.FormatComplex(c, 'g', -1, 128)
	n, _ := strconv.ParseInt(t, 0, 64)
	_ = strconv.FormatInt(n, 2+len(s)%35)
	_ = strconv.AppendUint(nil, uint64(len(s)), 10)
	_, _ = strconv.Atoi(t)
	b, _ := strconv.ParseBool(t)
	_ = strconv.AppendBool(nil, b)
	_, _ = strconv.Unquote(t)
	_ = strconv.Quote(t)
	_ = strconv.QuoteToASCII(t)
	_ = strconv.QuoteToGraphic(t)
	_ = strconv.AppendQuoteRune(nil, rune(n))
	_, _ = strconv.QuotedPrefix(t)
	_ = strconv.CanBackquote(t)
	_, _ = netip.ParseAddr(t)
	_, _ = netip.ParsePrefix(t)
	_, _ = netip.ParseAddrPort(t)
	_, _ = parse.Parse("x", t, "", "", map[string]any{"and": 1, "eq": 1})
	if re, err := syntax.Parse(t, syntax.Perl); err == nil {
		_ = re.String()
		_, _ = syntax.Compile(re.Simplify())
	}
}
`
	tables, counts := measure(t, m, text, pkgs)
	for i, table := range tables {
		// Elsewhere panics are part of the trade: json's encoder and the two parsers report errors
		// by them.
		strict := strings.HasSuffix(table.Package, "strconv") || table.Package == "net/netip"
		if n := checkFlow(t, table, counts[i], strict); n < 15 {
			t.Errorf("%s: only %d functions ran", table.Package, n)
		} else {
			t.Logf("%s: %d of %d functions ran", table.Package, n, len(table.Funcs))
		}
	}
}
