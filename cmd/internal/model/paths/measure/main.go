// Command measure prints what can be proved of the models in a recording (extract/record), a row for each function with an original:
//
//	go run ./internal/model/paths/measure extract/testdata/angr-9.2.213.jsonl.gz
//
// It is for bench/model: the paper's matching of formulas stands beside the answers of a solver.
package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"parallax/cmd/internal/extract"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/paths"
	"parallax/cmd/internal/smt/solver"
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
	return nil
}

func find(ctx context.Context, a *extract.Answer) (*paths.Result, error) {
	s := call.Of(a)
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
	return paths.Find(ctx, o, m, s.Comparator(), z, paths.Options{})
}

// count are the columns of a function: right and partly right, for inputs that are not dropped, are agreement without deviation.
func count(r *paths.Result) []int {
	keys, _ := r.Keys()
	row := make([]int, len(columns))
	row[0], row[1] = len(r.Paths), len(keys)
	for _, p := range r.Paths {
		a, d := p.A.Answer, p.D.Answer
		at := 7
		switch {
		case p.R.Answer == solver.Unsat:
			at = 6
		case a == solver.Sat && d == solver.Unsat && p.N.Answer == solver.Unsat:
			at = 2
		case a == solver.Sat && d == solver.Unsat:
			at = 3
		case a == solver.Sat && d == solver.Sat:
			at = 4
		case a == solver.Unsat && d == solver.Sat:
			at = 5
		}
		row[at]++
		if p.Match {
			row[8]++
			if at == 5 || at == 6 {
				row[9]++
			}
		}
	}
	return row
}
