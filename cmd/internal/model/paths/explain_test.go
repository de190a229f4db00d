package paths

import (
	"fmt"
	"strings"
	"testing"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/smt"
)

// TestExplain checks the conditions and outcomes of paths as text.
func TestExplain(t *testing.T) {
	z := z3(t)
	for _, test := range []struct {
		function string
		want     []string // of some paths
	}{
		{"toupper", []string{"(arg_0 - 97) <u 26: returns arg_0 & 95", "(arg_0 - 97) >=u 26: returns arg_0"}},
		{"strchr", []string{"NULL", "returns arg_0+2"}},
		{"strcpy", []string{"returns arg_0, arg_0[0] = arg_1[0], arg_0[1] = arg_1[1]"}},
		{"memset", []string{"arg_2 == 0: returns arg_0", "arg_2 <=u 2: returns arg_0, writes somewhere from arg_0[-8] to arg_0[15]"}},
	} {
		b := recorded(t, test.function)
		var all []string
		for _, p := range b.find(t, z, untimed()).Paths {
			told := p.Explain(b.s)
			all = append(all, told.Condition+": "+told.Outcome)
		}
		for _, want := range test.want {
			if !strings.Contains(strings.Join(all, "\n"), want) {
				t.Errorf("%s lacks %s:\n%s", test.function, want, strings.Join(all, "\n"))
			}
		}
	}
	if told := (&Path{}).Explain(&call.Signature{}); told != (Explanation{}) {
		t.Errorf("a path that was not followed is %v", told)
	}
}

// TestExplainNames checks that arguments have the user's names, that unchanged memory is omitted,
// and that long conditions are cut.
func TestExplainNames(t *testing.T) {
	z := z3(t)
	b := recorded(t, "strlen")
	b.s.Arguments[0].Name = "s"
	long := Explanation{}
	for _, p := range b.find(t, z, untimed()).Paths {
		told := p.Explain(b.s)
		if strings.Contains(told.Condition+told.Outcome, "arg_0") || strings.Contains(told.Outcome, "s[") {
			t.Errorf("where %s: %s", told.Condition, told.Outcome)
		}
		if len(told.Condition) > len(long.Condition) {
			long = told
		}
	}
	if !strings.Contains(long.Condition, "s[0] != 0") {
		t.Errorf("the longest condition is %s", long.Condition)
	}
	parts := strings.Split(strings.Repeat("arg_0[7] != 0 && ", 29)+"arg_0[7] == 0", " && ")
	if got := brief(parts); len(got) > maxBrief+40 || !strings.HasSuffix(got, "arg_0[7] != 0 ... and 21 more conditions") {
		t.Errorf("%d characters: %s", len(got), got)
	}
	if got := brief([]string{strings.Repeat("x", 300), "y"}); !strings.HasSuffix(got, "x ... and 1 more condition") {
		t.Error(got)
	}
	if got := brief(parts[:2]); got != "arg_0[7] != 0 && arg_0[7] != 0" {
		t.Error(got)
	}
}

// TestText checks the notation of terms.
func TestText(t *testing.T) {
	ctx := smt.NewContext()
	constants := map[string]*smt.Term{"arg_0": ctx.Const("arg_0", smt.BitVec(32)), "arg_1.2": ctx.Const("arg_1.2", smt.BitVec(8)), "p": ctx.Const("p", smt.Bool)}
	for text, want := range map[string]string{
		"(not (= arg_1.2 #x41))":                                     "arg_1[2] != 'A'",
		"(not (bvult arg_0 ((_ zero_extend 24) arg_1.2)))":           "arg_0 >=u arg_1[2]",
		"(bvadd arg_0 #xfffffffe)":                                   "arg_0 + -2",
		"(= arg_1.2 #x27)":                                           `arg_1[2] == '\''`,
		"(= arg_1.2 #xa5)":                                           "arg_1[2] == 0xa5",
		"(= ((_ sign_extend 24) arg_1.2) arg_0)":                     "(int8_t)arg_1[2] == arg_0",
		"(= ((_ extract 7 0) ((_ sign_extend 24) arg_1.2)) #x00)":    "arg_1[2] == 0",
		"(= ((_ extract 15 8) arg_0) #x00)":                          "extract 15..8(arg_0) == 0",
		"(ite (and p (bvsgt arg_0 #x00000000)) arg_0 #x00100000)":    "(p && (arg_0 > 0)) ? arg_0 : 0x100000",
		"(or (not p) (= (bvneg (bvmul arg_0 arg_0)) #x00000005))":    "(!p) || (-(arg_0 * arg_0) == 5)",
		"(bvnot (bvand arg_0 ((_ zero_extend 24) (bvnot #x0f))))":    "~(arg_0 & ~0x0f)",
		"(= (concat arg_1.2 arg_1.2 arg_1.2 arg_1.2) (bvneg arg_0))": "concat(arg_1[2], arg_1[2], arg_1[2], arg_1[2]) == -arg_0",
	} {
		term, err := smt.ReadTerm(ctx, text, constants, smt.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := named(term, &call.Signature{}); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	// A term that is used twice on each of many levels has a bounded text.
	deep := constants["arg_0"]
	for range 200 {
		deep = ctx.Must(smt.OpBvAdd, deep, deep)
	}
	if got := named(deep, &call.Signature{}); len(got) > maxText+3 || !strings.HasSuffix(got, "...") {
		t.Errorf("%d characters: %s", len(got), fmt.Sprint(got))
	}
}
