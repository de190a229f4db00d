package scope

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract/extracttest"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/original"
)

// TestDecide checks which paths are in scope for given samples and proofs.
func TestDecide(t *testing.T) {
	wrong := func(n int) map[Kind]int { return map[Kind]int{Wrong: n} }
	for name, test := range map[string]struct {
		path, other Path // the second has agreeing calls of its own
		in          bool
		why         string
	}{
		"always":           {Path{Runs: 100, Agree: 100, Telling: 100, AgreeTell: 100}, Path{}, true, "agrees on 100 of 100 calls"},
		"with a mistake":   {Path{Runs: 100, Agree: 87, Telling: 90, AgreeTell: 80, Deviations: wrong(13)}, Path{}, true, "agrees on 87 of 100 calls"},
		"at the threshold": {Path{Runs: 10, Agree: 4, Telling: 10, AgreeTell: 4, Deviations: wrong(6)}, Path{}, true, "agrees on 4 of 10 calls"},
		"below it":         {Path{Runs: 100, Agree: 33, Telling: 90, AgreeTell: 30, Deviations: wrong(67)}, Path{}, false, "agrees on 33 of 100 calls, less than 40 %: wrong value"},
		"never":            {Path{Runs: 5, Deviations: map[Kind]int{Dropped: 4, Wrong: 1}}, Path{}, false, "never agrees: dropped"},
		"by chance":        {Path{Runs: 100, Agree: 60, Telling: 40, Deviations: wrong(40)}, Path{AgreeTell: 1}, false, "agrees on 60 of 100 calls, but only where the result is 0 or null"},
		"trivially":        {Path{Runs: 100, Agree: 100}, Path{Runs: 9, Agree: 9, Telling: 9, AgreeTell: 9}, true, "agrees on 100 of 100 calls"},
		"trivially, alone": {Path{Runs: 100, Agree: 100}, Path{}, false, "agrees, but the result is always 0 or null, and there is no path on which another result agrees"},
		"declined":         {Path{Declined: 3}, Path{}, false, "the model says that it does not have these calls"},
		"sampled once":     {Path{Runs: 1, Agree: 1, Telling: 1, AgreeTell: 1}, Path{}, false, "one call takes it: too few to say"},
	} {
		p, other := test.path, test.other
		p.Key, other.Key = 1, 2
		s := &Scope{Threshold: DefaultThreshold, Paths: []*Path{&p, &other}}
		s.Decide()
		if p.InScope != test.in || p.Why != test.why {
			t.Errorf("%s: %v, %s; not %v, %s", name, p.InScope, p.Why, test.in, test.why)
		}
	}
}

// TestDecideBranches checks paths whose result is always 0. They are in scope unless most of their
// calls are answered by a branch of the model that is wrong on paths outside.
func TestDecideBranches(t *testing.T) {
	const zero, digits = 7, 8 // branches of a model that reads a number
	for name, test := range map[string]struct {
		branches branches
		taken    map[uint64]int
		in       bool
	}{
		"unknown":            {nil, nil, true},
		"never another":      {branches{digits: {2: {9, 9}}}, map[uint64]int{zero: 40}, true},
		"the same branch":    {branches{digits: {2: {9, 9}}}, map[uint64]int{digits: 40}, true},
		"wrong outside":      {branches{digits: {2: {9, 9}}, zero: {3: {20, 0}}}, map[uint64]int{zero: 40}, false},
		"mostly":             {branches{digits: {2: {9, 9}}, zero: {3: {20, 0}}}, map[uint64]int{zero: 30, digits: 10}, false},
		"partly":             {branches{digits: {2: {9, 9}}, zero: {3: {20, 0}}}, map[uint64]int{zero: 10, digits: 30}, true},
		"a defect inside":    {branches{digits: {2: {9, 9}}, zero: {2: {20, 0}}}, map[uint64]int{zero: 40}, true},
		"also right outside": {branches{digits: {2: {9, 9}}, zero: {3: {20, 1}}}, map[uint64]int{zero: 40}, true},
	} {
		p := &Path{Key: 1, Runs: 40, Agree: 40, taken: test.taken}
		s := &Scope{Threshold: DefaultThreshold, branches: test.branches, Paths: []*Path{p, {Key: 2, Runs: 9, Agree: 9, Telling: 9, AgreeTell: 9}}}
		if s.Decide(); p.InScope != test.in || !test.in && p.Why != "agrees on 40 of 40 calls, but always on 0 or null, by the branch of the model that answers so on paths outside" {
			t.Errorf("%s: %v, %s", name, p.InScope, p.Why)
		}
	}
}

// TestSuspects checks that a path whose formula matches is in scope if the model never or hardly
// ever agrees, and counts apart.
func TestSuspects(t *testing.T) {
	match := func(agrees string) *Proof { return &Proof{Agrees: agrees, Match: true} }
	for name, test := range map[string]struct {
		path    Path
		suspect bool
		why     string
	}{
		"dropped":       {Path{Runs: 10, Deviations: map[Kind]int{Dropped: 10}, Proof: match("unsat")}, true, "suspect: a formula of the model is the path's, and it agrees on 0 of 10 calls: dropped"},
		"hardly ever":   {Path{Runs: 20, Agree: 2, Deviations: map[Kind]int{Wrong: 18}, Proof: match("sat")}, true, "suspect: a formula of the model is the path's, and it agrees on 2 of 20 calls: wrong value"},
		"now and then":  {Path{Runs: 20, Agree: 3, Telling: 20, AgreeTell: 3, Deviations: map[Kind]int{Wrong: 17}, Proof: match("sat")}, false, "agrees on 3 of 20 calls, less than 40 %: wrong value"},
		"no match":      {Path{Runs: 10, Deviations: map[Kind]int{Dropped: 10}, Proof: &Proof{Agrees: "unsat"}}, false, "never agrees, proved: dropped"},
		"no claim":      {Path{Runs: 10, Deviations: map[Kind]int{Unconstrained: 10}, Proof: match("unsat")}, false, "never agrees, proved: unconstrained"},
		"too few calls": {Path{Runs: 1, Deviations: map[Kind]int{Wrong: 1}, Proof: match("")}, false, "one call takes it: too few to say"},
	} {
		p := test.path
		s := &Scope{Threshold: DefaultThreshold, Paths: []*Path{&p}}
		s.Decide()
		n := map[bool]int{true: 1}[test.suspect]
		if p.Suspect != test.suspect || p.InScope != test.suspect || p.Why != test.why || s.Suspects() != n || s.InScope() != 0 {
			t.Errorf("%s: %+v", name, p)
		}
		if strings.Contains(s.Explain(), " and 1 suspect (") != test.suspect || strings.Contains(s.List(), "  suspect   ") != test.suspect {
			t.Errorf("%s: %s", name, s.Explain())
		}
	}
}

// TestDecided checks that a path with one sample is undecided, unless it is proved or declared.
func TestDecided(t *testing.T) {
	s := &Scope{Threshold: DefaultThreshold, Paths: []*Path{
		{Key: 1, Runs: 1, Agree: 1, Telling: 1, AgreeTell: 1}, {Key: 2, Runs: 2, Deviations: map[Kind]int{Wrong: 2}}, {Key: 3, Runs: 1, Proof: &Proof{Agrees: "unsat"}}, {Key: 4, Declined: 1},
		{Key: 5, Runs: 1, Proof: &Proof{Agrees: "sat", Deviates: "unsat", Drops: "unsat"}},
	}}
	s.Decide()
	for k, want := range map[uint64]bool{1: false, 2: true, 3: true, 4: true, 5: true, 6: false} {
		if got := s.Decided(k) != nil; got != want {
			t.Errorf("path %d: decided %v, not %v", k, got, want)
		}
	}
	if !s.AgreesOnResult() || s.Find(1) == nil {
		t.Error("what one call says is lost")
	}
}

// TestOutsideOfScope checks that deviations that are no findings are counted by kind, and that
// paths that are always wrong are named.
func TestOutsideOfScope(t *testing.T) {
	s := &Scope{Threshold: DefaultThreshold, Paths: []*Path{
		{Key: 1, Runs: 90, Agree: 60, Telling: 80, AgreeTell: 55, Deviations: map[Kind]int{Wrong: 12, Dropped: 3, Crashes: 2, Failed: 4, Unconstrained: 5, Unknown: 4}, Declined: 7},
		{Key: 2, Runs: 9, Deviations: map[Kind]int{Wrong: 9}},
		{Key: 3, Runs: 9, Deviations: map[Kind]int{Wrong: 8, Dropped: 1}},
		{Key: 4, Runs: 1, Deviations: map[Kind]int{Wrong: 1}},
		{Key: 5, Runs: 2, Agree: 2},
		{Key: 6, Runs: 3, Deviations: map[Kind]int{Wrong: 1, Crashes: 2}},
		{Key: 7, Runs: 20, Agree: 2, Deviations: map[Kind]int{Wrong: 18}},
		{Key: 8, Runs: 20, Agree: 3, Deviations: map[Kind]int{Wrong: 17}},
	}}
	s.Decide()
	want := map[Kind]int{Wrong: 54, Crashes: 2, Dropped: 1, Failed: 4, Unconstrained: 5, Unknown: 4, Declined: 7}
	if got := s.Outside(); !maps.Equal(got, want) {
		t.Errorf("outside: %v, not %v", got, want)
	}
	if never := s.Never(); len(never) != 3 || never[0].Key != 2 || never[1].Key != 6 || never[2].Key != 7 {
		t.Errorf("never agree: %v", never)
	}
	for i, want := range []string{
		"agrees on 55 of 80 with another result than 0, null or nothing; 2 crashes; 3 dropped; 4 failed; 5 unconstrained; 4 unknown; 12 wrong value; 7 declined",
		"9 wrong value", "1 dropped; 8 wrong value", "1 wrong value", "",
	} {
		if got := s.Paths[i].Counts(); got != want {
			t.Errorf("path %d: %q, not %q", i+1, got, want)
		}
	}
}

// TestDecideDeclared checks that a declared scope alone decides.
func TestDecideDeclared(t *testing.T) {
	s := &Scope{Threshold: DefaultThreshold, Declared: "true", Paths: []*Path{{Key: 1, Runs: 50, Deviations: map[Kind]int{Wrong: 50}}}}
	if s.Decide(); !s.Paths[0].InScope || s.Paths[0].Why != "declared; agrees on 0 of 50 calls" {
		t.Errorf("%+v", s.Paths[0])
	}
}

// TestSimilarCalls checks that similar calls decide about an unsampled path. Deviating calls are
// among the seeds of a campaign.
func TestSimilarCalls(t *testing.T) {
	o, m := strchr(t)
	at := call.Call{{Data: []byte("abc\x00\x00")}, {Int: 'b'}}
	for i := range at { // as many bytes as in the recording
		if n := o.Signature.Arguments[i].Bytes; n > 0 {
			at[i].Data = append(at[i].Data, make([]byte, n)...)[:n]
		}
	}
	p, err := Around(context.Background(), o, m, at, Options{})
	if err != nil || p == nil || !p.InScope || p.Runs < 20 {
		t.Fatalf("%+v, %v", p, err)
	}
	// A path that always returns null is in scope if another path, which these calls do not take,
	// agrees on another result.
	at[1].Int = 'x'
	null := func(ctx context.Context, c call.Call) (formula.Answer, error) {
		a, err := m(ctx, c)
		a.Effect.To = call.Pointer{}
		return a, err
	}
	if p, err = Around(context.Background(), o, null, at, Options{}); err != nil || p == nil || p.InScope || p.AgreeTell > 0 || p.Agree == 0 {
		t.Fatalf("null alone: %+v, %v", p, err)
	}
	beside := &Scope{Paths: []*Path{{AgreeTell: 1}}}
	if p, err = Around(context.Background(), o, null, at, Options{Beside: beside}); err != nil || p == nil || !p.InScope {
		t.Fatalf("null beside another result: %+v, %v", p, err)
	}
	s, err := Find(context.Background(), o, m, Options{Samples: 800})
	if err != nil {
		t.Fatal(err)
	}
	deviating := 0
	for _, flat := range s.Inputs() {
		c := o.Signature.Decode(flat)
		run, err := o.Run(c)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := m(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		if p := s.Find(run.Path); p.InScope && Compare(o.Signature, s.Compare, c, &run, &answer) != Agrees {
			deviating++
		}
	}
	for _, p := range s.Paths {
		if p.InScope && p.Deviating != "" && deviating == 0 {
			t.Errorf("%s deviates, and no seed does", p.Deviating)
		}
	}
}

// strchr returns the original, and a model that is wrong only if the character is 0.
func strchr(t *testing.T) (*original.Original, Model) {
	t.Helper()
	o, err := original.Musl(call.SignatureOf(extracttest.Answer(t, "strchr")))
	if err != nil {
		t.Fatal(err)
	}
	return o, func(_ context.Context, c call.Call) (formula.Answer, error) {
		run, err := o.Run(c)
		a := formula.Answer{Kind: formula.Returned, Effect: run.Effect}
		if byte(c[1].Int) == 0 {
			a.Effect.To = call.Pointer{}
		}
		return a, err
	}
}

func found(t *testing.T, opts Options) *Scope {
	t.Helper()
	o, m := strchr(t)
	s, err := Find(context.Background(), o, m, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func encoded(t *testing.T, s *Scope) string {
	t.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestFind checks that decisions depend on the seed and on nothing else.
func TestFind(t *testing.T) {
	one, again := found(t, Options{Samples: 1000, Seed: 7}), found(t, Options{Samples: 1000, Seed: 7})
	if a, b := encoded(t, one), encoded(t, again); a != b {
		t.Errorf("twice the same seed:\n%s\n%s", a, b)
	}
	if !slices.EqualFunc(one.Inputs(), again.Inputs(), slices.Equal) {
		t.Error("twice the same seed, and other calls for the campaign")
	}
	if other := found(t, Options{Samples: 1000, Seed: 8}); encoded(t, other) == encoded(t, one) {
		t.Error("another seed samples the same")
	}
	outside := 0
	for _, p := range one.Paths {
		if !p.InScope {
			outside++
			if !strings.HasPrefix(p.Why, "never agrees: wrong value") && !strings.Contains(p.Why, "less than 40 %") {
				t.Errorf("path %v is outside: %s", p.Key, p.Why)
			}
			if p.Deviating == "" || !strings.HasSuffix(p.Deviating, ", 0)") && !strings.Contains(p.Deviating, ", -") && p.Original == "" {
				t.Errorf("path %v: %q", p.Key, p.Deviating)
			}
		}
	}
	if n := one.InScope(); n == 0 || outside == 0 || len(one.Steps) == 0 || one.Outside()[Wrong] == 0 {
		t.Errorf("%d paths in scope, %d outside, %d steps, deviations %v", n, outside, len(one.Steps), one.Outside())
	}
	if len(one.Inputs()) < len(one.Paths) {
		t.Errorf("%d calls for %d paths", len(one.Inputs()), len(one.Paths))
	}
}

// TestDeclared checks that calls outside of a declared scope are not sampled.
func TestDeclared(t *testing.T) {
	o, _ := strchr(t)
	s := found(t, Options{Samples: 1000, Seed: 7, Declared: "(not (= ((_ extract 7 0) arg_1) #x00))"})
	if n := s.InScope(); n != len(s.Paths) || len(s.Outside()) > 0 {
		t.Errorf("%d of %d paths in scope, outside %v", n, len(s.Paths), s.Outside())
	}
	if _, err := Declare(o.Signature, "(bvadd arg_1 arg_1)"); err == nil || !strings.Contains(err.Error(), "write a term that is true or false") {
		t.Errorf("a number as a scope: %v", err)
	}
}

// TestFile checks that a file is read as it was written, and that other versions are refused.
func TestFile(t *testing.T) {
	s := found(t, Options{Samples: 300, Seed: 1})
	path := filepath.Join(t.TempDir(), "scope.json")
	if err := s.Write(path); err != nil {
		t.Fatal(err)
	}
	read, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := encoded(t, s), encoded(t, read); a != b {
		t.Errorf("written\n%s\nread\n%s", a, b)
	}
	for _, p := range s.Paths {
		if q := read.Find(uint64(p.Key)); q == nil || q.Why != p.Why {
			t.Errorf("path %v is not found in the file", p.Key)
		}
	}
	if read.Find(1) != nil {
		t.Error("a path that no sample took is found")
	}
	if err := os.WriteFile(path, []byte(`{"version":9}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "is of version 9") {
		t.Errorf("version 9: %v", err)
	}
	if _, err := Read(path + "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}
