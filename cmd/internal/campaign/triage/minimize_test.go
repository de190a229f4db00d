package triage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"parallax/cmd/internal/finding"
	"slices"
	"testing"

	"parallax/cmd/internal/process/execute"
	"parallax/internal/oracle"
)

// TestMinimize minimizes findings as the minimize command does: completely, stopped, and canceled.
func TestMinimize(t *testing.T) {
	j := newTriager(t)
	bucket := triaged(t, j, finding.Candidate{Flat: []byte("0003000"), Layer: oracle.VerdictLayer}).Bucket
	tests := []struct {
		input, kind, layer string
		budget             int
		small              string // "-" means no finding
	}{
		{"0003000", finding.KindDiscrepancy, "verdict", 2000, "300"},
		{"0003000", finding.KindDiscrepancy, "verdict", 0, "0003000"},
		{"0003000", finding.KindDiscrepancy, "value", 2000, "-"},
		{"12", finding.KindDiscrepancy, "verdict", 2000, "-"},
		{"12", oracle.KindCrash, "", 2000, "-"},
		{"xxa:error", oracle.KindCrash, "", 2000, "a:error"},
		{"xa:later", oracle.KindCrash, "", 40, "a:later"},
	}
	for _, test := range tests {
		m, err := j.Minimize(context.Background(), []byte(test.input), bucket, test.kind, test.layer, NoProgram, test.budget)
		if err != nil {
			t.Errorf("%q: %v", test.input, err)
			continue
		}
		f := m.Result
		switch {
		case f == nil && test.small == "-":
		case f == nil || test.small == "-":
			t.Errorf("%q: %+v", test.input, f)
		case test.kind == finding.KindDiscrepancy && len(f.Minimized) != len(test.small), test.kind != finding.KindDiscrepancy && string(f.Minimized) != test.small:
			t.Errorf("%q: minimized to %q, want one like %q", test.input, f.Minimized, test.small)
		case f.Results == nil:
			t.Errorf("%q: without results", test.input)
		case m.Tried > test.budget || m.Done != (test.budget == 2000):
			t.Errorf("%q: %d tried of %d, done: %v", test.input, m.Tried, test.budget, m.Done)
		case m.Done:
			again, err := j.Minimize(context.Background(), f.Minimized, bucket, test.kind, test.layer, NoProgram, test.budget)
			if err != nil || !bytes.Equal(again.Result.Minimized, f.Minimized) || !again.Done || fmt.Sprint(again.Result.Holes) != fmt.Sprint(f.Holes) {
				t.Errorf("%q: again: %+v, %v", f.Minimized, again.Result, err)
			}
		}
	}
	// A campaign stops sooner if runs are long. The command does not.
	long := []byte("0000000000000300")
	j.blocks = 1
	if f := triaged(t, j, finding.Candidate{Flat: long, Layer: oracle.VerdictLayer}); len(f.Minimized) <= len("300") || f.Bucket != bucket {
		t.Errorf("with a block: minimized to %q, bucket %s", f.Minimized, f.Bucket)
	}
	if m, err := j.Minimize(context.Background(), long, bucket, finding.KindDiscrepancy, "verdict", NoProgram, 2000); err != nil || len(m.Result.Minimized) != len("300") || !m.Done {
		t.Errorf("the command: %+v, %v", m, err)
	}
	j.blocks = 0
	// The original input may replace the minimized one.
	found := triaged(t, j, finding.Candidate{Flat: []byte("0003000"), Layer: oracle.VerdictLayer})
	small := string(found.Minimized)
	refuses := func(not ...string) func(string, []byte) (kind, why string, err error) {
		return func(_ string, flat []byte) (kind, why string, err error) {
			if slices.Contains(not, string(flat)) {
				return "unconfirmed", "of " + string(flat), nil
			}
			return "", "", nil
		}
	}
	if kind, why, err := j.Confirmed(context.Background(), found, refuses(small, "0003000")); kind != "unconfirmed" || why != "of "+small || err != nil || string(found.Minimized) != small {
		t.Errorf("refused: %q, %q, %v: %q", kind, why, err, found.Minimized)
	}
	if kind, _, err := j.Confirmed(context.Background(), found, refuses()); kind != "" || err != nil || string(found.Minimized) != small {
		t.Errorf("confirmed: %q, %v: %q", kind, err, found.Minimized)
	}
	runs := found.Runs
	kind, why, err := j.Confirmed(context.Background(), found, refuses(small))
	whole := found
	if kind != "" || why != "" || err != nil || whole == nil || string(whole.Minimized) != "0003000" || whole.Bucket == "" || whole.Layer != oracle.VerdictLayer || len(whole.Results) != 2 || whole.Results[1].Error == "" || whole.Runs <= runs {
		t.Errorf("as it was found: %+v, %v", whole, err)
	}
	found.Flat = []byte("12") // the programs agree on it
	if whole, err := j.Whole(context.Background(), found); whole != nil || err != nil {
		t.Errorf("what shows nothing: %+v, %v", whole, err)
	}
	// Smaller inputs of other buckets are not taken.
	m, err := j.Minimize(context.Background(), []byte("0003000"), "another", finding.KindDiscrepancy, "verdict", NoProgram, 2000)
	if err != nil || string(m.Result.Minimized) != "0003000" || m.Result.Results == nil || !m.Moved {
		t.Errorf("across buckets: %+v, %v", m, err)
	}
	// Of programs that did not change, the input shows its bucket.
	j.Unchanged = true
	m, err = j.Minimize(context.Background(), []byte("0003000"), "another", finding.KindDiscrepancy, "verdict", NoProgram, 2000)
	j.Unchanged = false
	if err != nil || string(m.Result.Minimized) != small || m.Moved {
		t.Errorf("of the same programs: %+v, %v", m, err)
	}
	// A finding that wavers differs from one that no longer shows.
	for _, in := range []string{"b:count", "b:process"} {
		if m, err = j.Minimize(context.Background(), []byte(in), "any", finding.KindDiscrepancy, "value", NoProgram, 2000); err != nil || !m.Wavers || m.Result != nil {
			t.Errorf("%s: %+v, %v", in, m, err)
		}
	}
}

// TestMinimizeStops checks that stopping returns the smallest input so far that belongs to the
// bucket.
func TestMinimizeStops(t *testing.T) {
	j := newTriager(t)
	flat := []byte("00000000000000000000000030000000000000000000000000")
	bucket := triaged(t, j, finding.Candidate{Flat: flat, Layer: oracle.VerdictLayer}).Bucket
	asked := 0
	j.Stop = func() bool { asked++; return asked > 60 }
	m, err := j.Minimize(context.Background(), flat, bucket, finding.KindDiscrepancy, "verdict", NoProgram, 2000)
	if err != nil || m.Result == nil || m.Done || m.Result.Results == nil {
		t.Fatalf("%+v, %v", m, err)
	}
	if n := len(m.Result.Minimized); n > len(flat) || n < 3 || m.Tried > 60 {
		t.Errorf("%q after %d inputs", m.Result.Minimized, m.Tried)
	}
}

// TestMinimizeCanceled checks that the smallest input so far is kept whenever the context ends, and
// that Minimize reports which searches are complete.
func TestMinimizeCanceled(t *testing.T) {
	j := newTriager(t)
	flat := []byte("00000000000000000000000030000000000000000000000000")
	bucket := triaged(t, j, finding.Candidate{Flat: flat, Layer: oracle.VerdictLayer}).Bucket
	small := []byte("300")
	asks := 0
	j.Stop = func() bool { asks++; return false }
	all, err := j.Minimize(context.Background(), small, bucket, finding.KindDiscrepancy, "verdict", NoProgram, 2000)
	if err != nil || !all.Done || !all.Holed || len(all.Result.Holes) == 0 {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, test := range []struct {
		name         string
		flat         []byte
		kind, bucket string
		after        int // number of calls of Stop
		smaller      bool
		done         bool
	}{
		{"at once", flat, finding.KindDiscrepancy, bucket, 1, false, false},
		{"while making it smaller", flat, finding.KindDiscrepancy, bucket, 60, true, false},
		{"a crash", []byte("xxxxxxxxxxxxxxxxa:error"), oracle.KindCrash, "any", 40, true, false},
		{"while looking for holes", small, finding.KindDiscrepancy, bucket, asks - 1, false, true},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		n := 0
		j.Stop = func() bool {
			if n++; n == test.after {
				cancel()
			}
			return false
		}
		layer := ""
		if test.kind == finding.KindDiscrepancy {
			layer = "verdict"
		}
		m, err := j.Minimize(ctx, test.flat, test.bucket, test.kind, layer, NoProgram, 2000)
		if err != nil || m.Result == nil || m.Result.Results == nil || m.Done != test.done || m.Holed {
			t.Errorf("%s: %+v, %v", test.name, m, err)
		} else if got := len(m.Result.Minimized); (got < len(test.flat)) != test.smaller || !bytes.Equal(m.Result.Minimized, test.flat) != test.smaller {
			t.Errorf("%s: %q", test.name, m.Result.Minimized)
		}
		cancel()
	}

	// The worker that records the order of blocks takes time to build.
	j.Stop = nil
	ctx, cancel := context.WithCancel(context.Background())
	j.Ordered = func(ctx context.Context) (execute.Spec, error) {
		cancel()
		select {
		case <-ctx.Done():
			return execute.Spec{}, ctx.Err()
		default:
			t.Error("the build is not interrupted")
			return j.Spec, nil
		}
	}
	m, err := j.Minimize(ctx, flat, bucket, finding.KindDiscrepancy, "verdict", NoProgram, 2000)
	if err != nil || m.Done || m.Holed || m.Tried != 0 || !bytes.Equal(m.Result.Minimized, flat) || m.Result.Results == nil {
		t.Errorf("while building: %+v, %v", m, err)
	}
	if m, err = j.Minimize(ctx, flat, bucket, finding.KindDiscrepancy, "verdict", NoProgram, 2000); !errors.Is(err, context.Canceled) || m.Result != nil {
		t.Errorf("before it was run: %+v, %v", m, err)
	}
}

func TestFurthest(t *testing.T) {
	for n := 0; n < 20; n++ {
		var steps [][]byte
		for i := 0; i < n; i++ {
			steps = append(steps, []byte{byte(i)})
		}
		for last := -1; last < n; last++ { // the last step that belongs
			got, looks := -1, 0
			taken, err := (&Triager{}).lastBelonging(steps, func(b []byte) (bool, error) {
				looks++
				if int(b[0]) <= last {
					got = int(b[0])
				}
				return int(b[0]) <= last, nil
			})
			if err != nil || taken != (last >= 0) || got != last || looks > 6 {
				t.Errorf("%d steps, the last is %d: took %d after %d looks", n, last, got, looks)
			}
		}
	}
}
