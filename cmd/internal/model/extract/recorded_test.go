package extract

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"parallax/cmd/internal/model/smt"
)

// recorded reads what the command record wrote of a real engine:
//
//	go run ./internal/experiment/record -buffer 4 -o internal/model/extract/testdata/angr-9.2.213.jsonl.gz -functions \
//		toupper,tolower,isdigit,isascii,strcmp,strncmp,strlen,strchr,strcpy,strncpy,strcat,strstr,atoi,strtol,strtoul,memcpy,memset,memchr,memcmp,rand,malloc,free,getuid,wcscmp
func recorded(t *testing.T) map[string]Answer {
	t.Helper()
	f, err := os.Open("testdata/angr-9.2.213.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string]Answer{}
	for lines := json.NewDecoder(bufio.NewReader(z)); lines.More(); {
		var a Answer
		if err := lines.Decode(&a); err != nil {
			t.Fatal(err)
		}
		answers[a.Function] = a
	}
	return answers
}

// TestRecorded checks that each script of a recording declares its constants, has well-sorted
// terms, and has the results that the answer names.
func TestRecorded(t *testing.T) {
	answers := recorded(t)
	for name, want := range map[string]struct {
		status Status
		paths  int
		result string
		writes bool
	}{
		"toupper": {OK, 1, "scalar", false},
		"strcmp":  {OK, 1, "scalar", false},
		"strlen":  {OK, 1, "scalar", false},
		"strchr":  {OK, 1, "address", false},
		"atoi":    {OK, 1, "scalar", false},
		"strtol":  {OK, 1, "scalar", true},
		"memcpy":  {OK, 1, "address", true},
		"memset":  {OK, 5, "address", true},
		"strncpy": {OK, 1, "address", true},
		"malloc":  {OK, 1, "address", false},
		"free":    {Nothing, 1, "void", false},
	} {
		a, ok := answers[name]
		if !ok || a.Status != want.status || len(a.Paths) != want.paths || a.Result == nil || a.Result.Kind != want.result {
			t.Errorf("%s: %s %s, %d paths, want %+v", name, a.Status, a.Reason, len(a.Paths), want)
			continue
		}
		if wrote := len(a.Paths[len(a.Paths)-1].Writes) > 0; wrote != want.writes {
			t.Errorf("%s writes: %v", name, wrote)
		}
	}
	if len(answers) < 20 {
		t.Errorf("there are %d functions", len(answers))
	}
	for name, a := range answers {
		if a.wrong(message{Function: name, Mode: Bytes}) != "" || len(a.Paths) == 0 {
			t.Errorf("%s: %s %q", name, a.Status, a.Reason)
		}
		for i, p := range a.Paths {
			script, err := smt.ReadScript(smt.NewContext(), p.SMT, smt.Options{Name: name})
			if err != nil {
				t.Errorf("%s, path %d: %v", name, i, err)
				continue
			}
			constants := map[string]*smt.Sort{}
			for _, c := range script.Constants() {
				constants[c.Name()] = c.Sort()
				if !a.names(p, c.Name()) {
					t.Errorf("%s, path %d: nothing says what %s is", name, i, c.Name())
				}
			}
			is := func(constant string, bits int) {
				if constants[constant] != smt.BitVec(bits) {
					t.Errorf("%s, path %d: %s is of sort %v, want %d bits", name, i, constant, constants[constant], bits)
				}
			}
			if a.Result.Kind != "void" {
				is("ret", a.Result.Bits)
			}
			if p.Ret == "offset" {
				is("ret_into", 8)
			}
			for _, w := range p.Writes {
				is(w.Name, w.Bits)
			}
			if strings.Contains(p.SMT, "2b5a9") {
				t.Errorf("%s, path %d: an address of the adapter's is in the script", name, i)
			}
		}
	}
}

// TestRecordedValues checks that the scripts agree with the models.
func TestRecordedValues(t *testing.T) {
	answers := recorded(t)
	for _, test := range []struct {
		function  string
		constants map[string]uint64
		holds     bool
	}{
		{"toupper", map[string]uint64{"arg_0": 'a', "ret": 'A'}, true},
		{"toupper", map[string]uint64{"arg_0": 'a', "ret": 'a'}, false},
		{"toupper", map[string]uint64{"arg_0": '1', "ret": '1'}, true},
		{"strlen", map[string]uint64{"arg_0.0": 'x', "arg_0.1": 'y', "arg_0.2": 0, "arg_0.3": 'z', "free_0": 2, "ret": 2}, true},
		{"strlen", map[string]uint64{"arg_0.0": 'x', "arg_0.1": 'y', "arg_0.2": 'w', "arg_0.3": 'z', "free_0": 4, "ret": 4}, true},
		{"strlen", map[string]uint64{"arg_0.0": 'x', "arg_0.1": 'y', "arg_0.2": 0, "arg_0.3": 'z', "free_0": 3, "ret": 3}, false},
	} {
		ctx := smt.NewContext()
		script, err := smt.ReadScript(ctx, answers[test.function].Paths[0].SMT, smt.Options{Name: test.function})
		if err != nil {
			t.Fatal(err)
		}
		values := map[*smt.Term]smt.Value{}
		for _, c := range script.Constants() {
			v, ok := test.constants[c.Name()]
			if !ok {
				t.Fatalf("%s has the constant %s", test.function, c.Name())
			}
			values[c] = smt.WordValue(v, c.Sort().Width)
		}
		v, err := smt.Eval(ctx.And(script.Assertions()...), values)
		if err != nil || v.String() != fmt.Sprint(test.holds) {
			t.Errorf("%s of %v: %v, %v", test.function, test.constants, v, err)
		}
	}
}

var constantForm = regexp.MustCompile(`^(arg_(\d+)(\.(-?\d+))?|ret|ret_into|out_\d+(\.-?\d+|_into)?|free_\d+|addr_(\d+|fresh))$`)

// names reports whether an answer explains a constant.
func (a *Answer) names(p Path, constant string) bool {
	m := constantForm.FindStringSubmatch(constant)
	switch {
	case m == nil:
		return false
	case strings.HasPrefix(constant, "free_"):
		for _, f := range p.Free {
			if f.Name == constant {
				return true
			}
		}
		return false
	case m[2] == "":
		return true
	}
	i, _ := strconv.Atoi(m[2])
	if i >= len(a.Arguments) {
		return false
	}
	arg := a.Arguments[i]
	if m[4] == "" {
		return arg.Kind == "scalar"
	}
	at, _ := strconv.Atoi(m[4])
	return arg.Kind != "scalar" && at >= -arg.Before && at < arg.Bytes+arg.Behind
}
