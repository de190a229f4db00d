// Command measure prints what solvers prove about the models in a recording (experiment/record),
// with a row for each function with an original:
//
//	go run ./internal/experiment/measure model/extract/testdata/angr-9.2.213.jsonl.gz
//
// It serves bench/model. It compares the paper's matching of formulas with the answers of a solver,
// and ends with a table of wrong mappings by cause.
package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/paths"
	"parallax/cmd/internal/model/smt/solver"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: measure RECORDING.jsonl.gz")
		os.Exit(2)
	}
	if err := measure(ctx, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

// columns are counts of paths.
var columns = strings.Split("paths,edge sets,right,partly,suspect,wrong,dropped,unknown,matched,matched wrongly", ",")

func measure(ctx context.Context, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	fmt.Printf("| function | %s | all | seeds | seconds |\n|---|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)+3))
	all := make([]int, len(columns))
	functions, complete, seeds, seconds := 0, 0, 0, 0.0
	blame := blamed{}
	for lines := json.NewDecoder(bufio.NewReader(z)); ; {
		var a extract.Answer
		err := lines.Decode(&a)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		r, err := find(ctx, &a)
		var none *original.NoneError
		if errors.As(err, &none) || a.Status != extract.OK {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", a.Function, err)
		}
		row := count(r)
		blame.add(a.Function, r)
		proof := "no"
		if r.Left.Complete {
			proof = "yes"
			complete++
		}
		text := ""
		for i, n := range row {
			all[i] += n
			text += fmt.Sprintf(" %d |", n)
		}
		functions, seeds, seconds = functions+1, seeds+len(r.Seeds), seconds+r.Seconds
		fmt.Printf("| %s |%s %s | %d | %.2f |\n", a.Function, text, proof, len(r.Seeds), r.Seconds)
		if r.Left.Doubtful > 0 {
			fmt.Fprintf(os.Stderr, "%s: %d inputs of the solver did not do what they should\n", a.Function, r.Left.Doubtful)
		}
	}
	text := ""
	for _, n := range all {
		text += fmt.Sprintf(" %d |", n)
	}
	fmt.Printf("| %d functions |%s %d | %d | %.1f |\n", functions, text, complete, seeds, seconds)
	blame.print()
	return nil
}

// blamed counts wrong mappings of paths by cause, and for each by function.
type blamed map[[2]string]map[string]int

// The kinds of wrong mappings, in the order of the output.
const (
	matchedWrongly = "matched, and the model never agrees"
	unmatched      = "not matched, and the model always agrees"
)

func (b blamed) add(function string, r *paths.Result) {
	for _, p := range r.Paths {
		wrong := ""
		switch at := verdict(p); {
		case p.Match && (at == wholly || at == dropped):
			wrong = matchedWrongly
		case !p.Match && (at == right || at == partly):
			wrong = unmatched
		default:
			continue
		}
		cause := strings.Join(p.Causes, ", or ")
		if cause == "" {
			cause = "conditions are not compared"
		}
		key := [2]string{wrong, cause}
		if b[key] == nil {
			b[key] = map[string]int{}
		}
		b[key][function]++
	}
}

func (b blamed) print() {
	fmt.Print("\n| paths | cause | number | functions |\n|---|---|---|---|\n")
	keys := slices.SortedFunc(maps.Keys(b), func(x, y [2]string) int { return slices.Compare(x[:], y[:]) })
	for _, key := range keys {
		n := 0
		var functions []string
		for _, function := range slices.Sorted(maps.Keys(b[key])) {
			n += b[key][function]
			functions = append(functions, fmt.Sprintf("%s %d", function, b[key][function]))
		}
		fmt.Printf("| %s | %s | %d | %s |\n", key[0], key[1], n, strings.Join(functions, ", "))
	}
}

func find(ctx context.Context, a *extract.Answer) (*paths.Result, error) {
	s := call.SignatureOf(a)
	o, err := original.Musl(s)
	if err != nil {
		return nil, err
	}
	m, err := formula.New(s, a.Paths, a.Function)
	if err != nil {
		return nil, err
	}
	z := solver.New(solver.Z3, solver.Options{Timeout: paths.Question})
	defer z.Close()
	return paths.Find(ctx, o, m, s.Comparator(), z, paths.Options{Causes: true})
}

// The columns of the proofs about a path.
const (
	right = iota + 2
	partly
	suspect
	wholly // wrong
	dropped
	unknown
)

// verdict returns the column of a path. Right and partly right mean agreement without deviation,
// for inputs that are not dropped.
func verdict(p *paths.Path) int {
	switch a, d := p.A.Answer, p.D.Answer; {
	case p.R.Answer == solver.Unsat:
		return dropped
	case a == solver.Sat && d == solver.Unsat && p.N.Answer == solver.Unsat:
		return right
	case a == solver.Sat && d == solver.Unsat:
		return partly
	case a == solver.Sat && d == solver.Sat:
		return suspect
	case a == solver.Unsat && d == solver.Sat:
		return wholly
	}
	return unknown
}

// count returns the columns of a function.
func count(r *paths.Result) []int {
	keys, _ := r.Keys()
	row := make([]int, len(columns))
	row[0], row[1] = len(r.Paths), len(keys)
	for _, p := range r.Paths {
		at := verdict(p)
		row[at]++
		if p.Match {
			row[8]++
			if at == wholly || at == dropped {
				row[9]++
			}
		}
	}
	return row
}
